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
use schema::store::derivations::{self, Derivation};
use schema::store::lock::{self, DedupLock};
use schema::store::{Db, StoreError, Tx, listings};
use schema::{StoredMatch, Timestamp};

use crate::addresses::Addresses;
use crate::profile::Profile;

pub use districts::{Districts, known as known_districts};
pub use market::{is_current, market};
pub use queue::{Queue, queue};
pub use reach::reasons_apart;
pub use records::area_of;
pub use review::{ReviewError, Unseen, review};
pub use survey::profiles;

/// Fewer pending listings than this are always looked at by their neighbourhoods.
const MANY: u64 = 1_000;

/// Where one listing in this many is pending, one run over everything is cheaper than their neighbourhoods: a
/// neighbourhood takes about 12 ms, and everything a third of a millisecond a listing.
const ONE_IN: u64 = 40;

/// Pending listings that are looked at in one transaction.
const BATCH: u32 = 50;

/// The version of profiles, blocking keys, weights, clustering and merging. Whoever changes what they give raises it:
/// a database whose records were made by another version is looked at anew, whole.
pub const MODEL: i64 = 4;

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

/// The listings of a database, and what reads their addresses.
#[derive(Debug, Clone, Copy)]
pub struct Listings<'a> {
    /// Where they are stored.
    pub db: &'a Db,
    /// What reads their addresses: of one edition for one database, for a run with another makes every record anew.
    pub addresses: &'a Addresses,
}

/// A run under way.
struct Run<'a> {
    listings: Listings<'a>,
    now: Timestamp,
    rng: &'a mut StdRng,
    progress: &'a (dyn Fn(Progress) + Sync),
    report: DedupReport,
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
    listings: Listings<'_>,
    now: Timestamp,
    rng: &mut StdRng,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<DedupReport, StoreError> {
    let mut run = Run {
        listings,
        now,
        rng,
        progress,
        report: DedupReport::default(),
    };
    let mut lock = lock::acquire(listings.db).await?;
    adopt_model(listings).await?;
    settle(&mut run, &mut lock).await?;
    drop(lock);
    Ok(run.report)
}

/// Queues every listing where the records are another version's or of another edition of the address registry, or
/// where a portal has come to be watched since.
async fn adopt_model(Listings { db, addresses }: Listings<'_>) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    let watched = watched_version(&mut tx).await?;
    let current = derivations::version(&mut tx, Derivation::Matching).await? == Some(MODEL)
        && derivations::version(&mut tx, Derivation::WatchedPortals).await? == Some(watched)
        && is_of_edition(&mut tx, addresses).await?;
    if !current {
        listings::requeue_all(&mut tx).await?;
        derivations::set_version(&mut tx, Derivation::Matching, MODEL).await?;
        derivations::set_version(&mut tx, Derivation::WatchedPortals, watched).await?;
        derivations::set_version(&mut tx, Derivation::AddressRegistry, addresses.edition()).await?;
    }
    tx.commit().await
}

/// Whether the records were made with the edition that addresses are read by now; none is noted before the first run.
async fn is_of_edition(tx: &mut Tx, addresses: &Addresses) -> Result<bool, StoreError> {
    Ok(derivations::version(tx, Derivation::AddressRegistry)
        .await?
        .unwrap_or_default()
        == addresses.edition())
}

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
    listings: Listings<'_>,
    now: Timestamp,
    rng: &mut StdRng,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<DedupReport, StoreError> {
    let mut run = Run {
        listings,
        now,
        rng,
        progress,
        report: DedupReport::default(),
    };
    let mut lock = lock::acquire(listings.db).await?;
    whole::run(&mut run).await?;
    settle(&mut run, &mut lock).await?;
    drop(lock);
    Ok(run.report)
}

/// Works until nothing is pending. A lock that was lost with its connection is taken again before the next step.
async fn settle(run: &mut Run<'_>, lock: &mut DedupLock) -> Result<(), StoreError> {
    let db = run.listings.db;
    let many = MANY.max(listings::count(db).await? / ONE_IN);
    loop {
        let pending = listings::pending_count(db).await?;
        if pending == 0 {
            return Ok(());
        }
        if !lock.is_held().await {
            *lock = lock::acquire(db).await?;
        }
        if pending >= many {
            whole::run(run).await?;
        } else {
            neighbourhood::run(run).await?;
        }
    }
}

/// A scored pair as the store keeps it.
fn stored_match(one: &Profile, other: &Profile, weight: f32, vetoed: bool) -> StoredMatch {
    let (left, right) = (one.id.min(other.id), one.id.max(other.id));
    StoredMatch {
        left,
        right,
        weight: f64::from(weight),
        vetoed,
    }
}
