//! Feeds matching from the store and writes back. Few changed listings are looked at with their neighbourhood, many
//! with everything; both ends in the same records, for clusters are a function of the set of listings.

mod districts;
mod market;
mod neighbourhood;
mod queue;
mod reach;
mod records;
mod review;
mod survey;
mod whole;

use rand::rngs::StdRng;
use schema::store::lock::{self, DedupLock};
use schema::store::{Db, StoreError, Tx, derivations, listings};
use schema::{StoredMatch, Timestamp};

use crate::profile::Profile;
use crate::{engine, scoring};

pub use districts::{Districts, known as known_districts};
pub use market::{is_current, market};
pub use queue::{Queue, queue};
pub use reach::reasons_apart;
pub use records::district_of;
pub use review::{ReviewError, Unseen, review};
pub use survey::profiles;

/// From this many pending listings on, one run over everything is cheaper than their neighbourhoods.
const MANY: u64 = 1_000;

/// Pending listings that are looked at in one transaction.
const BATCH: u32 = 50;

/// The version of profiles, blocking keys, weights, clustering and merging. Whoever changes what they give raises it:
/// a database whose records were made by another version is looked at anew, whole.
pub const MODEL: i64 = 2;

/// The name under which the store keeps [`MODEL`].
pub const MODEL_NAME: &str = "matching";

/// What deduplication did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DedupReport {
    /// Listings that were new or changed.
    pub listings: u64,
    /// Pairs that were compared.
    pub compared: u64,
    /// Records written.
    pub offers: u64,
    /// Ids that now answer with another record.
    pub retired: u64,
}

/// How far a run is, for whoever waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Listings read and profiled, of how many.
    Reading(u64, u64),
    /// Pairs are being compared and clustered.
    Matching,
    /// Records written, of how many.
    Writing(u64, u64),
}

/// Brings the records up to date with every pending listing. Only one process at a time does so on one database; the
/// others wait for it.
///
/// `now` is when ids that this run issues are issued; `rng` is where they are drawn from.
///
/// # Errors
/// [`StoreError`] when the database fails; whatever was committed stays right, the rest stays pending.
pub async fn run(
    db: &Db,
    now: Timestamp,
    rng: &mut StdRng,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<DedupReport, StoreError> {
    let mut lock = lock::acquire(db).await?;
    let mut report = DedupReport::default();
    adopt_model(db).await?;
    settle(db, &mut lock, now, rng, progress, &mut report).await?;
    drop(lock);
    Ok(report)
}

/// Queues every listing where the records are another version's, or where a portal has come to be watched since.
async fn adopt_model(db: &Db) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    let watched = watched_version(&mut tx).await?;
    let current = derivations::version(&mut tx, MODEL_NAME).await? == Some(MODEL)
        && derivations::version(&mut tx, WATCHED_NAME).await? == Some(watched);
    if !current {
        listings::requeue_all(&mut tx).await?;
        derivations::set_version(&mut tx, MODEL_NAME, MODEL).await?;
        derivations::set_version(&mut tx, WATCHED_NAME, watched).await?;
    }
    tx.commit().await
}

/// The name under which the store keeps which portals were watched when the records were made.
const WATCHED_NAME: &str = "watched portals";

/// A number for the portals that are watched: which they are bears upon every pair of one of them.
async fn watched_version(tx: &mut Tx) -> Result<i64, StoreError> {
    let watched = listings::watched(tx).await?;
    let names: Vec<&str> = watched.iter().map(String::as_str).collect();
    Ok(crate::profile::hash(&names).cast_signed())
}

/// Looks at every listing anew, changed or not, whatever their number: what [`run`] does where much has changed. A run
/// over everything and a run over neighbourhoods must agree, and this is what the second is held against.
///
/// # Errors
/// [`StoreError`] when the database fails; it can be run again.
pub async fn run_over_everything(
    db: &Db,
    now: Timestamp,
    rng: &mut StdRng,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<DedupReport, StoreError> {
    let mut lock = lock::acquire(db).await?;
    let mut report = DedupReport::default();
    whole::run(db, now, rng, progress, &mut report).await?;
    settle(db, &mut lock, now, rng, progress, &mut report).await?;
    drop(lock);
    Ok(report)
}

/// Works until nothing is pending. A lock that was lost with its connection is taken again before the next step.
async fn settle(
    db: &Db,
    lock: &mut DedupLock,
    now: Timestamp,
    rng: &mut StdRng,
    progress: &(dyn Fn(Progress) + Sync),
    report: &mut DedupReport,
) -> Result<(), StoreError> {
    loop {
        let pending = listings::pending_count(db).await?;
        if pending == 0 {
            return Ok(());
        }
        if !lock.is_held().await {
            *lock = lock::acquire(db).await?;
        }
        if pending >= MANY {
            whole::run(db, now, rng, progress, report).await?;
        } else {
            neighbourhood::run(db, now, rng, report).await?;
        }
    }
}

/// A scored pair as the store keeps it.
fn stored_match(one: &Profile, other: &Profile, weight: f32, vetoed: bool) -> StoredMatch {
    let (left, right) = if one.id <= other.id { (one, other) } else { (other, one) };
    let (first, second) = engine::in_order(one, other);
    StoredMatch {
        left: left.id,
        right: right.id,
        weight: f64::from(weight),
        vetoed,
        evidence: scoring::evidence(first, second),
    }
}
