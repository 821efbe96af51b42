//! The life of a listing in words.

use ingest::intake::{self, Turn, What};
use schema::StoredListing;
use schema::store::Db;

use crate::progress;

/// Shows when the listing came, went and returned, and how that is known.
pub async fn show(db: &Db, listing: &StoredListing) -> anyhow::Result<()> {
    progress::result(&format!("\nThe life of {}:", listing.key))?;
    for turn in intake::life(db, listing).await? {
        progress::result(&format!("  {}  {}", turn.at, in_words(&turn)))?;
    }
    progress::result(&format!("  {}  last seen", listing.state.last_seen_at))?;
    Ok(())
}

fn in_words(turn: &Turn) -> String {
    match &turn.what {
        What::Appeared => "first seen".to_owned(),
        What::Returned => "back on the portal".to_owned(),
        What::Gone { reason: Some(reason) } => format!("gone: the portal answered {reason}"),
        What::Gone { reason: None } => "gone: the portal said so".to_owned(),
        What::Missed { crawl_started_at } => {
            format!("gone: missing in the complete crawl that began at {crawl_started_at}")
        }
    }
}
