//! Reading every stored content again, after an adapter was corrected.

use futures::future::BoxFuture;
use schema::store::derivations::{self, Derivation};
use schema::store::{Db, Result, Tx, listings, lock, value_rejects};
use schema::{ListingState, StoredListing, Timestamp};

use super::history::History;
use super::known_listings::save;
use super::record::stored_form;
use super::retry::retry_rejects;

/// The version of the readings: of the adapters, the value bounds and the timeline. Raise it with every change of their
/// results. Every stored content of a database with a lower version is read again.
pub const READINGS: i64 = 3;

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

/// Whether the stored listings were computed by an older version of the readings. A database without listings is noted as
/// current.
///
/// # Errors
/// [`schema::store::StoreError`] if the database fails.
pub async fn is_reading_due(db: &Db) -> Result<bool> {
    let mut tx = db.begin_read().await?;
    let version = derivations::version(&mut tx, Derivation::Readings).await?;
    tx.rollback().await?;
    if version.is_some_and(|version| version >= READINGS) {
        return Ok(false);
    }
    if !listings::page(db, None, 1).await?.is_empty() {
        return Ok(true);
    }
    note_current(db).await?;
    Ok(false)
}

async fn note_current(db: &Db) -> Result<()> {
    let mut tx = db.begin().await?;
    derivations::set_version(&mut tx, Derivation::Readings, READINGS).await?;
    tx.commit().await
}

/// Reads every stored content and every reject again, and notes that the listings are current. Afterwards the database
/// is in the state in which a replay of the same dumps into an empty database ends.
///
/// Three differences remain, because what they need is not stored: a payload that an older adapter took for the end of its
/// advert, a listing of which no content can be read any more, and a listing of which contents were deleted because it had
/// been gone for long, stay as they were.
///
/// # Errors
/// [`schema::store::StoreError`] if the database fails. It can be repeated.
pub async fn read_again(
    db: &Db,
    now: Timestamp,
    progress: &mut (dyn FnMut(Rebuilt) + Send),
) -> Result<Rebuilt> {
    // First the rejects: what can be read now takes effect before the states are computed.
    retry_rejects(db, now).await?;
    let rebuilt = rebuild(db, progress).await?;
    note_current(db).await?;
    Ok(rebuilt)
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
            save(&mut tx, &recomputed, &[]).await?;
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

/// The recomputed state. `None` if no stored content can be read any more, or if the body of one was deleted.
async fn refold(tx: &mut Tx, stored: &StoredListing) -> Result<Option<ListingState>> {
    let history = History::load(tx, stored.id, &stored.key).await?;
    if history.is_incomplete {
        return Ok(None);
    }
    value_rejects::delete_of(tx, &history.contents).await?;
    for (raw, value) in &history.unread {
        value_rejects::insert(tx, *raw, &stored.key.site_id, &stored_form(value)).await?;
    }
    Ok(history.fold())
}
