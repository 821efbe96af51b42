//! One crawl of one portal, from its beginning to its report.

use std::collections::BTreeMap;

use schema::Timestamp;
use schema::store::crawl_runs::{self, CrawlRun, RunOutcome};
use schema::store::{Db, StoreError, listings, lock};
use tokio_util::sync::CancellationToken;

use super::crawler::Crawler;
use super::error::CrawlError;
use super::guest::{Guest, Provisions};
use super::halt::Halt;
use super::options::CrawlOptions;
use super::position::Position;
use super::report::{CrawlProgress, CrawlReport};
use super::sanity::DetailChecks;
use crate::dumps::DumpFile;
use crate::portals::Portal;

/// How long after its beginning a crawl that was cut off is gone on with, in milliseconds.
const GOES_ON_FOR: i64 = 12 * 60 * 60 * 1000;

/// How many stored listings details are compared with.
const SAMPLE: u32 = 500;

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
    let site_id = portal.site_id;
    let client = portal.client;
    let treatment = options.treatment(site_id, client)?;
    let lock = lock::try_crawl(db, site_id).await?;
    let lock = lock.ok_or_else(|| CrawlError::Busy {
        site_id: site_id.to_owned(),
    })?;
    let Surroundings {
        now,
        seed,
        stop,
        dump,
        progress,
    } = surroundings;
    let guest = Guest::new(treatment, Provisions { now, seed, stop })?;
    let (run, resumed) = begin(db, site_id, options, now()).await?;
    let before = crawl_runs::latest_complete(db, site_id).await?;
    let stored = listings::live_sample(db, site_id, SAMPLE).await?;
    let mut crawler = Crawler {
        db,
        site_id,
        client,
        options,
        guest,
        now,
        lock,
        spent_before: run.counts,
        read: 0,
        position: Position::from_text(&run.position),
        sections_before: before
            .map(|run| Position::from_text(&run.position).sections)
            .unwrap_or_default(),
        checks: DetailChecks::against(stored.iter().map(|stored| &stored.state.listing)),
        withdrawn: BTreeMap::new(),
        run,
        dump,
        progress,
    };
    let ended = crawl(&mut crawler).await;
    let run = finish(&mut crawler, ended).await?;
    if let Some(dump) = crawler.dump.take() {
        dump.finish()?;
    }
    if let Err(error) = crawler.lock.release().await {
        tracing::warn!(%site_id, %error, "the lock of the crawl goes with its connection");
    }
    Ok(CrawlReport {
        run,
        resumed,
        before: crawler.spent_before,
        read: crawler.read,
    })
}

/// The crawl that is gone on with, or a new one; and which of the two.
async fn begin(
    db: &Db,
    site_id: &str,
    options: &CrawlOptions,
    now: Timestamp,
) -> Result<(CrawlRun, bool), StoreError> {
    let mut tx = db.begin().await?;
    if let Some(mut last) = crawl_runs::latest(db, site_id).await? {
        let was_cut_off = matches!(
            last.outcome,
            RunOutcome::Running | RunOutcome::Stopped | RunOutcome::Failed
        );
        let age = now.millis() - last.started_at.millis();
        let is_whole =
            options.max_listings.is_none() && !Position::from_text(&last.position).limited;
        if was_cut_off && is_whole && (0..GOES_ON_FOR).contains(&age) {
            last.outcome = RunOutcome::Running;
            (last.finished_at, last.trouble) = (None, None);
            last.alive_at = now;
            crawl_runs::save(&mut tx, &last).await?;
            tx.commit().await?;
            return Ok((last, true));
        }
        // Whoever ran it would hold the lock.
        if last.outcome == RunOutcome::Running {
            last.outcome = RunOutcome::Failed;
            last.finished_at = Some(last.alive_at);
            last.trouble = Some("its process ended before it did".to_owned());
            crawl_runs::save(&mut tx, &last).await?;
        }
    }
    let position = Position {
        limited: options.max_listings.is_some(),
        ..Position::default()
    };
    let run = crawl_runs::begin(&mut tx, site_id, now, &position.to_text()).await?;
    tx.commit().await?;
    Ok((run, false))
}

/// Walks, reads and asks for what is missing; answers of how many listings it is not known whether they live.
async fn crawl(crawler: &mut Crawler<'_>) -> Result<usize, Halt> {
    crawler.walk().await.or_else(|halt| match halt {
        Halt::Enough => Ok(()),
        halt => Err(halt),
    })?;
    crawler.read_due().await?;
    if crawler.position.limited {
        return Err(Halt::Enough);
    }
    crawler.ask_for_missing().await
}

/// Stores the ends that are believed, and how the crawl ended.
async fn finish(
    crawler: &mut Crawler<'_>,
    ended: Result<usize, Halt>,
) -> Result<CrawlRun, CrawlError> {
    let believed = match ended {
        // What a portal that is not believed says of ends is not believed either.
        Err(Halt::Alarm(_) | Halt::Fatal(_)) => ended,
        ended => match crawler.believe_ends(0).await {
            Ok(()) => crawler.end(matches!(ended, Ok(0))).await.and(ended),
            Err(halt) => Err(halt),
        },
    };
    let (outcome, trouble) = match believed {
        Ok(0) => (RunOutcome::Complete, None),
        Ok(unknown) => {
            let trouble = format!(
                "{unknown} listings that no list shows answer neither with a page nor that they are gone"
            );
            (RunOutcome::Partial, Some(trouble))
        }
        Err(Halt::Enough) => (
            RunOutcome::Partial,
            Some("it was to see no more listings (--max-listings)".to_owned()),
        ),
        Err(Halt::Stopped) => (RunOutcome::Stopped, None),
        Err(Halt::Alarm(alarm)) => (RunOutcome::Alarm, Some(alarm.to_string())),
        Err(Halt::Failed(why)) => (RunOutcome::Failed, Some(why)),
        Err(Halt::Fatal(error)) => return Err(*error),
    };
    let mut run = crawler.run.clone();
    crawler.spend(&mut run.counts);
    run.outcome = outcome;
    run.trouble = trouble;
    run.alive_at = (crawler.now)();
    run.finished_at = Some(run.alive_at);
    let mut tx = crawler.db.begin().await?;
    crawl_runs::save(&mut tx, &run).await?;
    tx.commit().await?;
    Ok(run)
}
