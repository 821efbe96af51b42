//! One crawl of one portal, from start to report.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use futures::future::BoxFuture;
use schema::Timestamp;
use schema::store::crawl_runs::{self, CrawlRun, RunId, RunOutcome};
use schema::store::lock::CrawlLock;
use schema::store::purges::{self, Blocked};
use schema::store::{Db, StoreError, crawl_lines, crawls, listings, lock};
use tokio_util::sync::CancellationToken;

use super::crawler::Crawler;
use super::details::DetailFailures;
use super::error::CrawlError;
use super::interruption::Interruption;
use super::options::{ClientSettings, CrawlOptions};
use super::plausibility::{DetailChecks, ListedAdverts};
use super::portal_client::{ClientContext, PortalClient};
use super::position::Position;
use super::report::{CrawlProgress, CrawlReport};
use super::run_log::RunLog;
use crate::dumps::DumpFile;
use crate::portals::Portal;

/// How long after it last stored something an interrupted crawl can be resumed, in milliseconds.
const RESUMABLE_FOR: i64 = 12 * 60 * 60 * 1000;

/// How long after its start a crawl can be resumed at all, in milliseconds. What its lists showed then is out of date.
const LONGEST_CRAWL: i64 = 14 * 24 * 60 * 60 * 1000;

/// How often a crawl looks whether the operator has asked it to stop.
const LOOK_FOR_STOP: Duration = Duration::from_secs(2);

/// How many stored listings details are compared with.
const SAMPLE: u32 = 500;

/// What a crawl takes from its caller, apart from what to crawl.
pub struct CrawlContext<'a> {
    /// The clock.
    pub now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    /// The seed of the random waits between attempts.
    pub seed: u64,
    /// Cancelled to stop the crawl. It then finishes the requests in flight and stores its position.
    pub stop: CancellationToken,
    /// A dump to which every observation is also written.
    pub dump: Option<DumpFile>,
    /// Called with the crawl's progress.
    pub progress: &'a mut (dyn FnMut(CrawlProgress) + Send),
}

/// Crawls a portal: walks its sections, reads the details that are new or changed, and ends the listings that are gone.
/// With [`CrawlOptions::lists_only`] it reads no details; a listing that a section shows changed is then seen with its last
/// content.
/// A crawl that was interrupted within the last twelve hours is resumed, unless it began more than two weeks ago.
///
/// What happens on the way, such as an alarm or a portal that does not answer, is in the report.
///
/// # Errors
/// [`CrawlError`] if the crawl must not start, if another crawl of the portal is running, or if the database fails.
pub fn run<'a>(
    db: &'a Db,
    portal: &'a Portal,
    options: &'a CrawlOptions,
    context: CrawlContext<'a>,
) -> BoxFuture<'a, Result<CrawlReport, CrawlError>> {
    Box::pin(async move {
        let settings = options.client_settings(portal.site_id, portal.crawl)?;
        let lock = lock::try_crawl(db, portal.site_id).await?;
        let mut lock = lock.ok_or_else(|| CrawlError::Busy {
            site_id: portal.site_id.to_owned(),
        })?;
        let report = run_locked(db, portal, options, (settings, context), &mut lock).await;
        release(lock, portal.site_id).await;
        report
    })
}

/// Crawls a portal whose lock is held.
async fn run_locked(
    db: &Db,
    portal: &Portal,
    options: &CrawlOptions,
    (settings, context): (ClientSettings, CrawlContext<'_>),
    lock: &mut CrawlLock,
) -> Result<CrawlReport, CrawlError> {
    let (site_id, definition) = (portal.site_id, portal.crawl);
    let CrawlContext {
        now,
        seed,
        stop,
        dump,
        progress,
    } = context;
    let stop_on_request = stop.clone();
    let client = PortalClient::new(settings, ClientContext { now, seed, stop })?;
    let blocked = blocked(db, site_id).await?;
    let (run, resumed) = start_or_resume(db, site_id, options, now()).await?;
    let completed_before = last_completed(db, site_id).await?;
    let last_complete = crawl_runs::latest_complete(db, site_id).await?;
    let sample = listings::live_sample(db, site_id, SAMPLE).await?;
    let mut crawler = Crawler {
        db,
        site_id,
        definition,
        options,
        client,
        now,
        lock,
        blocked,
        counts_before: run.counts,
        read: 0,
        position: Position::from_text(&run.position),
        sections_before: last_complete
            .map(|run| Position::from_text(&run.position).sections)
            .unwrap_or_default(),
        completed_before,
        listed: ListedAdverts::default(),
        failures: DetailFailures::default(),
        checks: DetailChecks::with_baseline(sample.iter().map(|stored| &stored.state.listing)),
        withdrawals: BTreeMap::new(),
        log: RunLog::with_stored(crawl_lines::count(db, run.id).await?),
        run,
        dump,
        progress,
    };
    let id = crawler.run.id;
    let begins = if resumed { "resumed" } else { "begun" };
    crawler.note(begins.to_owned());
    let result = tokio::select! {
        biased;
        result = crawl(&mut crawler) => result,
        never = cancel_if_asked(db, id, stop_on_request) => match never {},
    };
    let was_asked_to_stop = crawl_runs::is_asked_to_stop(db, id).await?;
    let run = finish(&mut crawler, result).await?;
    if let Some(dump) = crawler.dump.take() {
        dump.finish()?;
    }
    let not_before = Position::from_text(&run.position).not_before;
    Ok(CrawlReport {
        run,
        resumed,
        before: crawler.counts_before,
        read: crawler.read,
        not_before,
        was_asked_to_stop,
    })
}

/// Releases the lock, so that the next crawl can begin at once.
async fn release(lock: CrawlLock, site_id: &str) {
    if let Err(error) = lock.release().await {
        tracing::warn!(%site_id, %error, "the crawl's lock could not be released; it ends with its connection");
    }
}

/// Stops the crawl when the operator asks for it.
async fn cancel_if_asked(db: &Db, id: RunId, stop: CancellationToken) -> Infallible {
    loop {
        tokio::time::sleep(LOOK_FOR_STOP).await;
        match crawl_runs::is_asked_to_stop(db, id).await {
            Ok(true) => stop.cancel(),
            Ok(false) => {}
            Err(error) => tracing::debug!(%error, "cannot see whether the crawl is to stop"),
        }
    }
}

/// What was purged and may not come back.
async fn blocked(db: &Db, site_id: &str) -> Result<Blocked, CrawlError> {
    let mut tx = db.begin_read().await?;
    let blocked = purges::blocked(&mut tx).await?;
    tx.rollback().await?;
    if blocked.has_site(site_id) {
        let site_id = site_id.to_owned();
        return Err(CrawlError::Purged { site_id });
    }
    Ok(blocked)
}

/// When the last complete crawl of a portal ended.
async fn last_completed(db: &Db, site_id: &str) -> Result<Option<Timestamp>, StoreError> {
    let mut tx = db.begin_read().await?;
    let at = crawls::latest(&mut tx, site_id).await?;
    tx.rollback().await?;
    Ok(at)
}

/// The crawl to run, and whether it resumes an interrupted one.
async fn start_or_resume(
    db: &Db,
    site_id: &str,
    options: &CrawlOptions,
    now: Timestamp,
) -> Result<(CrawlRun, bool), CrawlError> {
    let last = crawl_runs::latest(db, site_id).await?;
    let mut reached = last
        .as_ref()
        .map(|last| Position::from_text(&last.position))
        .unwrap_or_default();
    if let Some(until) = reached.not_before.take().filter(|until| *until > now) {
        let site_id = site_id.to_owned();
        return Err(CrawlError::Postponed { site_id, until });
    }
    let mut tx = db.begin().await?;
    if let Some(mut last) = last {
        if can_be_resumed(&last, options, now) {
            last.position = reached.to_text();
            last.outcome = RunOutcome::Running;
            (last.finished_at, last.trouble) = (None, None);
            last.alive_at = now;
            // A crawl that reads details goes on reading them.
            last.lists_only &= options.lists_only;
            crawl_runs::save(&mut tx, &last).await?;
            tx.commit().await?;
            return Ok((last, true));
        }
        // Its process is dead: otherwise it would hold the lock that we hold now.
        if last.outcome == RunOutcome::Running {
            last.outcome = RunOutcome::Failed;
            last.finished_at = Some(last.alive_at);
            last.trouble = Some("its process ended before the crawl did".to_owned());
            crawl_runs::save(&mut tx, &last).await?;
        }
    }
    let position = Position {
        limited: options.max_listings.is_some(),
        ..Position::default()
    };
    let mut run = crawl_runs::begin(&mut tx, site_id, now, &position.to_text()).await?;
    run.lists_only = options.lists_only;
    crawl_runs::save(&mut tx, &run).await?;
    tx.commit().await?;
    Ok((run, false))
}

fn can_be_resumed(last: &CrawlRun, options: &CrawlOptions, now: Timestamp) -> bool {
    let was_interrupted = matches!(
        last.outcome,
        RunOutcome::Running | RunOutcome::Stopped | RunOutcome::Failed
    );
    let is_unlimited =
        options.max_listings.is_none() && !Position::from_text(&last.position).limited;
    let age = now.millis() - last.started_at.millis();
    let idle = now.millis() - last.alive_at.millis();
    was_interrupted
        && is_unlimited
        && (0..RESUMABLE_FOR).contains(&idle)
        && (0..LONGEST_CRAWL).contains(&age)
}

/// Walks the sections, reads details and asks for missing listings. Returns how many listings gave no clear answer.
async fn crawl(crawler: &mut Crawler<'_>) -> Result<usize, Interruption> {
    match crawler.walk_sections().await {
        Ok(()) | Err(Interruption::LimitReached) => {}
        Err(interruption) => return Err(interruption),
    }
    if !crawler.run.lists_only {
        crawler.read_due_details().await?;
    }
    if crawler.position.limited {
        return Err(Interruption::LimitReached);
    }
    crawler.ask_for_missing().await
}

/// Stores the ends, unless they are implausible, and how the crawl ended.
async fn finish(
    crawler: &mut Crawler<'_>,
    result: Result<usize, Interruption>,
) -> Result<CrawlRun, CrawlError> {
    let result = match result {
        // While a crawl is in alarm, removals that the portal reports are ignored too.
        Err(Interruption::Alarm(_) | Interruption::Fatal(_)) => result,
        result => match crawler.check_withdrawals(&[]).await {
            Ok(()) => crawler.save_ends(matches!(result, Ok(0))).await.and(result),
            Err(interruption) => Err(interruption),
        },
    };
    let mut run = crawler.run.clone();
    let position = Position {
        not_before: crawler.client.not_before(),
        ..Position::from_text(&run.position)
    };
    run.position = position.to_text();
    let (outcome, trouble) = with_notes(outcome_of(result)?, &position);
    crawler.add_traffic(&mut run.counts);
    run.outcome = outcome;
    run.trouble = trouble;
    run.alive_at = (crawler.now)();
    run.finished_at = Some(run.alive_at);
    crawler.note(format!("ended: {outcome}"));
    let (stored, lines) = crawler.log.pending();
    let mut tx = crawler.db.begin().await?;
    crawl_runs::save(&mut tx, &run).await?;
    crawl_lines::add(&mut tx, &run, stored, lines).await?;
    tx.commit().await?;
    Ok(run)
}

/// Adds what the operator should know about the crawl. A crawl without all sections is not complete.
fn with_notes(
    (outcome, trouble): (RunOutcome, Option<String>),
    position: &Position,
) -> (RunOutcome, Option<String>) {
    let outcome = match outcome {
        RunOutcome::Complete if !position.missing.is_empty() => RunOutcome::Partial,
        outcome => outcome,
    };
    let all: Vec<String> = trouble.into_iter().chain(position.notes()).collect();
    (outcome, (!all.is_empty()).then(|| all.join("; ")))
}

/// The outcome of a crawl, and why it is not complete.
fn outcome_of(
    result: Result<usize, Interruption>,
) -> Result<(RunOutcome, Option<String>), CrawlError> {
    Ok(match result {
        Ok(0) => (RunOutcome::Complete, None),
        Ok(unclear) => {
            let trouble = format!(
                "{unclear} listings are in no section, and the portal does not say whether they are gone"
            );
            (RunOutcome::Partial, Some(trouble))
        }
        Err(Interruption::LimitReached) => (
            RunOutcome::Partial,
            Some("it was limited by --max-listings".to_owned()),
        ),
        Err(Interruption::Stopped) => (RunOutcome::Stopped, None),
        Err(Interruption::Alarm(alarm)) => (RunOutcome::Alarm, Some(alarm.to_string())),
        Err(Interruption::Failed(why)) => (RunOutcome::Failed, Some(why)),
        Err(Interruption::Fatal(error)) => return Err(*error),
    })
}
