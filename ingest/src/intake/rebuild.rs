//! Every listing folded anew from what is stored about it.

use schema::StoredListing;
use schema::store::{Db, Result, Tx, listings, lock, value_rejects};

use super::history::History;
use super::write::{save, stored_form};

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
        let Some(last) = page.last() else { return Ok(rebuilt) };
        after = Some(last.id);
        let ids: Vec<_> = page.iter().map(|listing| listing.id).collect();
        let mut tx = db.begin().await?;
        lock::listings(&mut tx).await?;
        let mut changed = 0;
        // Between the page and the transaction a listing may have moved on.
        for stored in listings::get(&mut tx, &ids).await? {
            changed += u64::from(refold(&mut tx, &stored).await?);
        }
        tx.commit().await?;
        rebuilt.listings += ids.len() as u64;
        rebuilt.changed += changed;
        progress(rebuilt);
    }
}

/// Folds a listing anew, and says whether that changed it.
async fn refold(tx: &mut Tx, stored: &StoredListing) -> Result<bool> {
    let history = History::load(tx, stored.id, &stored.key).await?;
    for (raw, value) in &history.unread {
        value_rejects::insert(tx, *raw, &stored.key.site_id, &stored_form(value)).await?;
    }
    let Some(state) = history.fold() else { return Ok(false) };
    save(tx, stored, &state).await?;
    Ok(state != stored.state)
}
