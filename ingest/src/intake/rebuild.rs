//! Recomputing every listing from what is stored about it.

use futures::future::BoxFuture;
use schema::store::{Db, Result, Tx, listings, lock, value_rejects};
use schema::{ListingState, StoredListing};

use super::history::History;
use super::known_listings::save;
use super::record::stored_form;

/// How many listings are recomputed in one transaction.
const PAGE: u32 = 500;

/// What a rebuild did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rebuilt {
    /// How many listings were recomputed.
    pub listings: u64,
    /// How many of them have changed.
    pub changed: u64,
}

/// Reads every raw listing again and recomputes every listing's state, so that a newer adapter applies to all of them.
/// `progress` is called after every transaction.
///
/// # Errors
/// [`schema::store::StoreError`] if the database fails. What was reported as progress is stored, and the rebuild can be
/// repeated.
pub fn rebuild<'a>(
    db: &'a Db,
    progress: &'a mut (dyn FnMut(Rebuilt) + Send),
) -> BoxFuture<'a, Result<Rebuilt>> {
    Box::pin(async move {
        let mut rebuilt = Rebuilt::default();
        let mut after = None;
        loop {
            let page = listings::page(db, after, PAGE).await?;
            let Some(last) = page.last() else {
                return Ok(rebuilt);
            };
            after = Some(last.id);
            let ids: Vec<_> = page.iter().map(|listing| listing.id).collect();
            let mut tx = db.begin().await?;
            lock::listings(&mut tx).await?;
            let mut recomputed = Vec::new();
            // A listing may have changed since the page was read.
            for stored in listings::get(&mut tx, &ids).await? {
                if let Some(state) = refold(&mut tx, &stored).await? {
                    recomputed.push((stored, state));
                }
            }
            save(&mut tx, &recomputed).await?;
            tx.commit().await?;
            rebuilt.listings += ids.len() as u64;
            rebuilt.changed += recomputed
                .iter()
                .filter(|(stored, state)| *state != stored.state)
                .count() as u64;
            progress(rebuilt);
        }
    })
}

/// The recomputed state. `None` if no stored content can be read any more.
async fn refold(tx: &mut Tx, stored: &StoredListing) -> Result<Option<ListingState>> {
    let history = History::load(tx, stored.id, &stored.key).await?;
    for (raw, value) in &history.unread {
        value_rejects::insert(tx, *raw, &stored.key.site_id, &stored_form(value)).await?;
    }
    Ok(history.fold())
}
