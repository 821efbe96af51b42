//! Runs matching on the database. A few changed listings are matched with their neighbourhood, and
//! many changed listings with all listings. Both give the same records, because clusters depend only
//! on the set of listings.

mod certainty;
mod components_around;
mod decision;
mod districts;
mod everything;
mod full_run;
mod incremental_run;
mod indexed_run;
mod kept_index;
mod own_weights;
mod read_ahead;
mod record_rows;
mod records;
mod review_queue;
mod separation;
mod statistics;
mod store_matching;
mod stored_components;

use futures::future::BoxFuture;
use rand::rngs::StdRng;
use schema::store::derivations::{self, Derivation};
use schema::store::lock::{self, DedupLock};
use schema::store::{Db, StoreError, Tx, listings};
use schema::{StoredMatch, Timestamp};

use crate::addresses::Addresses;
use crate::profile::Profile;
use crate::weight_table::WeightTable;

pub use certainty::{CertainListings, certainty_of_everything, record_certainty};
pub use decision::{DecisionError, UnseenListing, decide, record_decision};
pub use districts::{Districts, known_districts};
pub use everything::{Everything, is_current, load_everything};
pub use kept_index::KeptIndex;
pub use own_weights::{apply_weights, weight_table};
pub use record_rows::area_of;
pub use review_queue::{Advert, ReviewQueue, questions_about, review_queue};
pub use separation::reasons_apart;
pub use statistics::{listings_at_pin, load_profiles};

/// With fewer pending listings than this, a run is always incremental.
const FULL_RUN_FROM: u64 = 1_000;

/// A full run is cheaper if at least one listing in this many is pending: an incremental run takes
/// about 12 ms for each pending listing, a full run a third of a millisecond for each listing.
const FULL_RUN_SHARE: u64 = 40;

/// How many pending listings are matched in one transaction.
const BATCH: u32 = 50;

/// The version of profiles, blocking keys, weights, clustering and merging. Raise it with every
/// change of their results: every listing of a database with another version is matched again.
pub const MODEL: i64 = 12;

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DedupReport {
    /// How many listings were new or changed.
    pub listings: u64,
    /// How many pairs were compared.
    pub compared: u64,
    /// How many records were written.
    pub offers: u64,
    /// How many ids became aliases of other records.
    pub retired: u64,
}

/// The listings of a database, and what reads their addresses.
#[derive(Debug, Clone, Copy)]
pub struct Listings<'a> {
    /// The database.
    pub db: &'a Db,
    /// Reads the addresses. A run with another edition of the registry makes every record again.
    pub addresses: &'a Addresses,
}

/// A run under way.
struct Run<'a> {
    listings: Listings<'a>,
    table: WeightTable,
    now: Timestamp,
    rng: &'a mut StdRng,
    progress: &'a (dyn Fn(Progress) + Sync),
    report: DedupReport,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The number of listings that have been read, and of all.
    Reading(u64, u64),
    /// Pairs are compared and clustered.
    Matching,
    /// The number of blocking keys that have been stored, and of all.
    StoringKeys(u64, u64),
    /// The number of kept pairs that have been stored, and of all.
    StoringPairs(u64, u64),
    /// The number of records that have been written, and of all.
    Writing(u64, u64),
}

/// Matches every pending listing and updates the records. Only one process at a time does this on
/// one database; others wait for it.
///
/// New ids are issued at `now` and drawn from `rng`.
///
/// # Errors
/// [`StoreError`] when the database fails. What was committed stays; the rest stays pending.
pub fn run<'a>(
    listings: Listings<'a>,
    now: Timestamp,
    rng: &'a mut StdRng,
    progress: &'a (dyn Fn(Progress) + Sync),
) -> BoxFuture<'a, Result<DedupReport, StoreError>> {
    Box::pin(async move {
        let mut run = Run::new(listings, now, rng, progress);
        run_pending(&mut run, &mut None).await
    })
}

/// As [`run`], with the index that the process holds, so that a changed listing is matched within milliseconds. Without one,
/// or if `kept` does not fit the database any more, the listings are matched through the database, and `kept` is `None`
/// afterwards. So it is after an error, and if the run is stopped.
///
/// # Errors
/// [`StoreError`] when the database fails. What was committed stays; the rest stays pending.
pub fn run_with<'a>(
    listings: Listings<'a>,
    kept: &'a mut Option<KeptIndex>,
    now: Timestamp,
    rng: &'a mut StdRng,
) -> BoxFuture<'a, Result<DedupReport, StoreError>> {
    Box::pin(async move {
        let mut run = Run::new(listings, now, rng, &|_| {});
        run_pending(&mut run, kept).await
    })
}

async fn run_pending(
    run: &mut Run<'_>,
    kept: &mut Option<KeptIndex>,
) -> Result<DedupReport, StoreError> {
    let mut lock = lock::acquire(run.listings.db).await?;
    run.table = requeue_after_upgrade(run.listings).await?;
    match_pending(run, &mut lock, kept).await?;
    drop(lock);
    Ok(run.report)
}

/// Matches every listing again, changed or not. [`run`] does this when much has changed; a test
/// compares its result with that of incremental runs.
///
/// # Errors
/// [`StoreError`] when the database fails. The run can be repeated.
pub fn run_over_everything<'a>(
    listings: Listings<'a>,
    now: Timestamp,
    rng: &'a mut StdRng,
    progress: &'a (dyn Fn(Progress) + Sync),
) -> BoxFuture<'a, Result<DedupReport, StoreError>> {
    Box::pin(async move {
        let mut run = Run::new(listings, now, rng, progress);
        let mut lock = lock::acquire(listings.db).await?;
        let mut tx = listings.db.begin_read().await?;
        run.table = weight_table(&mut tx).await?;
        tx.rollback().await?;
        full_run::run(&mut run).await?;
        match_pending(&mut run, &mut lock, &mut None).await?;
        drop(lock);
        Ok(run.report)
    })
}

impl<'a> Run<'a> {
    fn new(
        listings: Listings<'a>,
        now: Timestamp,
        rng: &'a mut StdRng,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Self {
        Self {
            listings,
            table: WeightTable::default(),
            now,
            rng,
            progress,
            report: DedupReport::default(),
        }
    }
}

/// Queues every listing if the records were made by another version of the model, with other weights or
/// another edition of the address registry, or before a portal was added or became watched. Returns
/// the weights in force.
async fn requeue_after_upgrade(
    Listings { db, addresses }: Listings<'_>,
) -> Result<WeightTable, StoreError> {
    // Reading first costs less than a transaction that may write, and others may write meanwhile.
    let mut tx = db.begin_read().await?;
    let (table, portals) = (
        weight_table(&mut tx).await?,
        portals_version(&mut tx).await?,
    );
    let current = derivations::version(&mut tx, Derivation::Matching).await? == Some(MODEL)
        && derivations::version(&mut tx, Derivation::WatchedPortals).await? == Some(portals)
        && is_current_table(&mut tx, &table).await?
        && is_current_edition(&mut tx, addresses).await?;
    tx.rollback().await?;
    if !current {
        let mut tx = db.begin().await?;
        listings::requeue_all(&mut tx).await?;
        derivations::set_version(&mut tx, Derivation::Matching, MODEL).await?;
        derivations::set_version(&mut tx, Derivation::WatchedPortals, portals).await?;
        derivations::set_version(&mut tx, Derivation::MatchWeights, table.version()).await?;
        derivations::set_version(&mut tx, Derivation::AddressRegistry, addresses.edition()).await?;
        tx.commit().await?;
    }
    Ok(table)
}

/// Whether the records were made with these weights. Without a version, they were made with those of
/// the program.
async fn is_current_table(tx: &mut Tx, table: &WeightTable) -> Result<bool, StoreError> {
    let version = derivations::version(tx, Derivation::MatchWeights).await?;
    Ok(version.unwrap_or_default() == table.version())
}

/// Whether the records were made with this edition of the registry. Before the first run there is
/// no version, which counts as no registry.
async fn is_current_edition(tx: &mut Tx, addresses: &Addresses) -> Result<bool, StoreError> {
    Ok(derivations::version(tx, Derivation::AddressRegistry)
        .await?
        .unwrap_or_default()
        == addresses.edition())
}

/// A number that changes when what is known of a portal changes.
async fn portals_version(tx: &mut Tx) -> Result<i64, StoreError> {
    let portals = statistics::load_portals(tx).await?;
    let known: Vec<String> = portals
        .iter()
        .map(|(site, portal)| {
            let first_crawled = portal.first_crawled.map(Timestamp::millis);
            format!(
                "{site} {} {first_crawled:?} {}",
                portal.is_watched, portal.first_crawl_is_wide
            )
        })
        .collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Ok(crate::hash::hash(&known).cast_signed())
}

/// Runs until nothing is pending. A lock that was lost with its connection is acquired again before
/// the next run.
async fn match_pending(
    run: &mut Run<'_>,
    lock: &mut DedupLock,
    kept: &mut Option<KeptIndex>,
) -> Result<(), StoreError> {
    let Listings { db, addresses } = run.listings;
    loop {
        let pending = listings::pending_count(db).await?;
        if pending == 0 {
            return Ok(());
        }
        if !lock.is_held().await {
            *lock = lock::acquire(db).await?;
        }
        // It is taken out, so that it is lost if this run fails or is stopped halfway.
        let fitting = kept.take();
        let fitting = fitting.filter(|kept| kept.is_made_with(&run.table, addresses));
        if is_full_run_due(db, pending).await? {
            drop(fitting);
            full_run::run(run).await?;
        } else if let Some(index) = fitting {
            *kept = indexed_run::run(run, index).await?;
        } else {
            incremental_run::run(run).await?;
        }
    }
}

/// Whether with so many pending listings a run matches all listings.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn is_full_run_due(db: &Db, pending: u64) -> BoxFuture<'_, Result<bool, StoreError>> {
    Box::pin(async move {
        // Counting all listings takes longer than matching one.
        Ok(pending >= FULL_RUN_FROM && pending >= listings::count(db).await? / FULL_RUN_SHARE)
    })
}

/// A scored pair in the form that the store keeps.
fn stored_match(one: &Profile, other: &Profile, weight: f32, vetoed: bool) -> StoredMatch {
    let (left, right) = (one.id.min(other.id), one.id.max(other.id));
    StoredMatch {
        left,
        right,
        weight: f64::from(weight),
        vetoed,
    }
}
