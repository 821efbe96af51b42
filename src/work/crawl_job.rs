//! The job that crawls a portal.

use std::time::Duration;

use ingest::crawl::{self, CrawlContext, CrawlError, CrawlOptions, CrawlProgress, CrawlReport};
use ingest::portals;
use operations::crawl_requests::has_done;
use rand::RngExt;
use schema::Timestamp;
use schema::store::crawl_runs::{self, RunCounts, RunOutcome};
use schema::store::jobs::Accepted;

use super::{JobResult, Worker};
use crate::metrics::work as figures;
use crate::{clock, random};

/// How long to wait while another process is crawling the portal.
const WAIT_IF_BUSY: Duration = Duration::from_secs(30);

/// A crawl that was requested.
pub(super) struct RequestedCrawl<'a> {
    pub(super) site_id: &'a str,
    pub(super) accepted: Accepted,
    /// Whether it only walks the lists.
    pub(super) lists_only: bool,
    pub(super) requested_at: Timestamp,
}

/// Crawls a portal, unless it has been crawled since the crawl was requested: the queue may hand out a job twice.
pub(super) async fn crawl_portal(worker: &Worker, requested: RequestedCrawl<'_>) -> JobResult {
    let RequestedCrawl {
        site_id,
        accepted,
        lists_only,
        requested_at,
    } = requested;
    let Some(portal) = portals::portal(site_id) else {
        return JobResult::Unrecoverable(format!(
            "there is no portal {site_id:?}; remove its schedule with `jeden schedule remove`"
        ));
    };
    match crawl_runs::latest(&worker.db, site_id).await {
        Ok(Some(run))
            if has_done(&run, requested_at, accepted) && (lists_only || !run.lists_only) =>
        {
            return JobResult::Done;
        }
        Ok(_) => {}
        Err(error) => return error.into(),
    }
    let options = match worker.settings.crawl_options(site_id) {
        Ok(options) => CrawlOptions {
            accept_withdrawals: accepted.withdrawals,
            accept_changes: accepted.changes,
            lists_only,
            ..options
        },
        Err(error) => return JobResult::Unrecoverable(format!("{error:#}")),
    };
    tracing::info!(portal = site_id, lists_only, "a crawl begins");
    let db = worker.db.clone();
    let mut steps = StepLog::new(portal.site_id);
    let crawling = worker.on_own_thread(move |stop| async move {
        let context = CrawlContext {
            now: &clock::now,
            seed: random::rng().random(),
            stop,
            dump: None,
            progress: &mut |at| steps.log(&at),
        };
        crawl::run(&db, portal, &options, context).await
    });
    let report = match crawling.await {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => return result_of_error(error),
        Err(result) => return result,
    };
    figures::crawled(&report);
    log_end(&report);
    let trouble = || report.trouble().unwrap_or("no reason is known").to_owned();
    match report.outcome() {
        // `jeden status` shows an alarm until a crawl succeeds. Crawling again at once would only raise it again.
        RunOutcome::Complete | RunOutcome::Partial | RunOutcome::Alarm => JobResult::Done,
        // The operator stopped this crawl, not the worker: the next crawl continues it.
        RunOutcome::Stopped if report.was_asked_to_stop => JobResult::Done,
        RunOutcome::Stopped => JobResult::Retry(Duration::ZERO),
        // The portal has said when to ask it again, so this attempt does not count as a failure.
        RunOutcome::Failed if report.not_before.is_some() => wait_until(report.not_before),
        RunOutcome::Failed => JobResult::Failed(trouble()),
        RunOutcome::Running => JobResult::Failed("the crawl has no outcome".to_owned()),
    }
}

/// Tries again at this time.
fn wait_until(time: Option<Timestamp>) -> JobResult {
    let wait = time.map_or(0, |time| time.millis() - clock::now().millis());
    JobResult::Retry(Duration::from_millis(wait.max(0).unsigned_abs()))
}

/// Logs the steps of a crawl: each section once, and when details and missing listings are begun.
struct StepLog {
    portal: &'static str,
    last: Option<String>,
}

impl StepLog {
    fn new(portal: &'static str) -> Self {
        Self { portal, last: None }
    }

    fn log(&mut self, at: &CrawlProgress) {
        let step = at.step.to_string();
        if self.last.as_ref() != Some(&step) {
            let RunCounts { seen, requests, .. } = at.counts;
            tracing::info!(portal = self.portal, seen, requests, "{step}");
            self.last = Some(step);
        }
    }
}

fn log_end(report: &CrawlReport) {
    let counts = report.counts();
    tracing::info!(
        portal = report.run.site_id,
        outcome = report.outcome().as_str(),
        trouble = report.trouble(),
        seen = counts.seen,
        new = counts.new,
        changed = counts.changed,
        gone = counts.gone,
        rejected = counts.rejected,
        requests = counts.requests,
        bytes = counts.bytes,
        seconds = report.millis() / 1000,
        "a crawl ended"
    );
}

fn result_of_error(error: CrawlError) -> JobResult {
    match error {
        CrawlError::Busy { .. } => JobResult::Retry(WAIT_IF_BUSY),
        CrawlError::Postponed { until, .. } => wait_until(Some(until)),
        CrawlError::Store(error) => error.into(),
        CrawlError::Http(_) | CrawlError::Dump(_) => JobResult::Failed(error.to_string()),
        _ => JobResult::Unrecoverable(error.to_string()),
    }
}
