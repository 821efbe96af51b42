//! The job that crawls a portal.

use std::time::Duration;

use ingest::crawl::{self, CrawlContext, CrawlError, CrawlOptions};
use ingest::portals;
use rand::RngExt;
use schema::Timestamp;
use schema::store::crawl_runs::{self, RunOutcome};
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
    pub(super) requested_at: Timestamp,
}

/// Crawls a portal, unless it has been crawled since the crawl was requested: the queue may hand out a job twice.
pub(super) async fn crawl_portal(worker: &Worker, requested: RequestedCrawl<'_>) -> JobResult {
    let RequestedCrawl {
        site_id,
        accepted,
        requested_at,
    } = requested;
    let Some(portal) = portals::portal(site_id) else {
        return JobResult::Unrecoverable(format!(
            "there is no portal {site_id:?}; remove its schedule with `jeden schedule remove`"
        ));
    };
    match crawl_runs::latest(&worker.db, site_id).await {
        Ok(Some(run)) if run.started_at >= requested_at && is_final(run.outcome, accepted) => {
            return JobResult::Done;
        }
        Ok(_) => {}
        Err(error) => return error.into(),
    }
    let options = match worker.settings.crawl_options(site_id) {
        Ok(options) => CrawlOptions {
            accept_withdrawals: accepted.withdrawals,
            accept_changes: accepted.changes,
            ..options
        },
        Err(error) => return JobResult::Unrecoverable(format!("{error:#}")),
    };
    let db = worker.db.clone();
    let crawling = worker.on_own_thread(move |stop| async move {
        let context = CrawlContext {
            now: &clock::now,
            seed: random::rng().random(),
            stop,
            dump: None,
            progress: &mut |_| {},
        };
        crawl::run(&db, portal, &options, context).await
    });
    let report = match crawling.await {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => return result_of_error(error),
        Err(result) => return result,
    };
    figures::crawled(&report);
    let trouble = || report.trouble().unwrap_or("no reason is known").to_owned();
    match report.outcome() {
        // `jeden status` shows an alarm until a crawl succeeds. Crawling again at once would only raise it again.
        RunOutcome::Complete | RunOutcome::Partial | RunOutcome::Alarm => JobResult::Done,
        RunOutcome::Stopped => JobResult::Retry(Duration::ZERO),
        RunOutcome::Failed => JobResult::Failed(trouble()),
        RunOutcome::Running => JobResult::Failed("the crawl has no outcome".to_owned()),
    }
}

/// Whether crawling again is pointless. It is not after an alarm that the operator has accepted since.
fn is_final(outcome: RunOutcome, accepted: Accepted) -> bool {
    match outcome {
        RunOutcome::Complete | RunOutcome::Partial => true,
        RunOutcome::Alarm => accepted.is_nothing(),
        RunOutcome::Running | RunOutcome::Failed | RunOutcome::Stopped => false,
    }
}

fn result_of_error(error: CrawlError) -> JobResult {
    match error {
        CrawlError::Busy { .. } => JobResult::Retry(WAIT_IF_BUSY),
        CrawlError::Store(error) => error.into(),
        CrawlError::Http(_) | CrawlError::Dump(_) => JobResult::Failed(error.to_string()),
        _ => JobResult::Unrecoverable(error.to_string()),
    }
}
