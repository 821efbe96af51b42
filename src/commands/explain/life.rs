//! The life of a listing: when it appeared, ended and returned.

use ingest::intake::{self, LifeChange, LifeEvent};
use schema::store::Db;
use schema::{ListingKey, StoredListing, Timestamp};

use crate::progress;

/// Prints when the listing appeared, ended and returned, and how that is known.
pub async fn show(db: &Db, listing: &StoredListing) -> anyhow::Result<()> {
    let life = intake::life(db, listing).await?;
    Ok(print(&listing.key, &life, listing.state.last_seen_at)?)
}

/// Prints the life of a listing that was last seen at this time.
pub fn print(key: &ListingKey, life: &[LifeEvent], last_seen_at: Timestamp) -> std::io::Result<()> {
    progress::result(&format!("\nThe life of {key}:"))?;
    let mut events: Vec<_> = life
        .iter()
        .map(|event| (event.at, in_words(event)))
        .collect();
    events.push((last_seen_at, "last seen".to_owned()));
    events.sort_by_key(|(at, _)| *at);
    for (at, what) in events {
        progress::result(&format!("  {at}  {what}"))?;
    }
    Ok(())
}

fn in_words(event: &LifeEvent) -> String {
    match &event.change {
        LifeChange::Appeared => "first seen".to_owned(),
        LifeChange::Returned => "back on the portal".to_owned(),
        LifeChange::Gone {
            reason: Some(reason),
        } => format!("gone: the portal answered {reason}"),
        LifeChange::Gone { reason: None } => "gone: the portal said so".to_owned(),
        LifeChange::Missed { crawl_started_at } => {
            format!("gone: missing in the complete crawl that began at {crawl_started_at}")
        }
    }
}
