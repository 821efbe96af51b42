//! Every listing folded anew from what is stored about it.

use schema::store::{Db, Result, Tx, listings, lock, value_rejects};
use schema::{ListingState, StoredListing};

use super::follow::save;
use super::history::History;
use super::record::stored_form;

/// Listings in one transaction.
const PAGE: u32 = 500;

/// What a rebuild did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rebuilt {
    /// Listings folded anew.
    pub listings: u64,
    /// Listings whose state is another than before.
    pub changed: u64,
}

/// Reads every raw listing again and folds every listing's state anew: what a newer adapter makes of them. `progress`
/// is told after every page of listings.
///
/// # Errors
/// [`schema::store::StoreError`] when the database fails; what was reported as progress is stored, and rebuilding all
/// of it again is right.
pub async fn rebuild(db: &Db, mut progress: impl FnMut(Rebuilt) + Send) -> Result<Rebuilt> {
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
        let mut moved = Vec::new();
        // Between the page and the transaction a listing may have moved on.
        for stored in listings::get(&mut tx, &ids).await? {
            if let Some(state) = refold(&mut tx, &stored).await? {
                moved.push((stored, state));
            }
        }
        save(&mut tx, &moved).await?;
        tx.commit().await?;
        rebuilt.listings += ids.len() as u64;
        rebuilt.changed += moved
            .iter()
            .filter(|(stored, state)| *state != stored.state)
            .count() as u64;
        progress(rebuilt);
    }
}

/// The state folded anew; `None` where nothing can be read any more.
async fn refold(tx: &mut Tx, stored: &StoredListing) -> Result<Option<ListingState>> {
    let history = History::load(tx, stored.id, &stored.key).await?;
    for (raw, value) in &history.unread {
        value_rejects::insert(tx, *raw, &stored.key.site_id, &stored_form(value)).await?;
    }
    Ok(history.fold())
}
