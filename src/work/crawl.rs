//! The job that crawls a portal.

use std::time::Duration;

use ingest::crawl::{self, CrawlError, CrawlOptions, Surroundings};
use ingest::portals;
use rand::RngExt;
use schema::Timestamp;
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::jobs::Accepted;

use super::{Ended, Worker};
use crate::metrics::work as figures;
use crate::{chance, clock};

/// How long to wait where somebody else is crawling the portal.
const BUSY: Duration = Duration::from_secs(30);

/// The crawl that is wanted.
pub(super) struct Wanted<'a> {
    pub(super) site_id: &'a str,
    pub(super) accepted: Accepted,
    pub(super) asked_at: Timestamp,
}

/// Crawls a portal, unless that was done since it was asked for: a job may come twice.
pub(super) async fn crawl(worker: &Worker, wanted: Wanted<'_>) -> Ended {
    let Wanted {
        site_id,
        accepted,
        asked_at,
    } = wanted;
    let Some(portal) = portals::portal(site_id) else {
        return Ended::Hopeless(format!(
            "there is no portal {site_id:?}: its schedule can be removed"
        ));
    };
    match crawl_runs::latest(&worker.db, site_id).await {
        Ok(Some(run)) if run.started_at >= asked_at && is_final(run.outcome, accepted) => {
            return Ended::Done;
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
        Err(error) => return Ended::Hopeless(format!("{error:#}")),
    };
    let db = worker.db.clone();
    let crawling = worker.apart(move |stop| async move {
        let surroundings = Surroundings {
            now: &clock::now,
            seed: chance::rng().random(),
            stop,
            dump: None,
            progress: &mut |_| {},
        };
        crawl::run(&db, portal, &options, surroundings).await
    });
    let report = match crawling.await {
        Ok(Ok(report)) => report,
        Ok(Err(error)) => return refused(error),
        Err(ended) => return ended,
    };
    figures::crawled(&report);
    let trouble = || report.trouble().unwrap_or("it says not why").to_owned();
    match report.outcome() {
        // An alarm is shown until a crawl goes well; trying again at once would only ask the portal again.
        RunOutcome::Complete | RunOutcome::Partial | RunOutcome::Alarm => Ended::Done,
        RunOutcome::Stopped => Ended::Later(Duration::ZERO),
        RunOutcome::Failed => Ended::Failed(trouble()),
        RunOutcome::Running => Ended::Failed("the crawl did not end".to_owned()),
    }
}

/// Whether nothing would be learned by crawling again: an alarm may be one that is accepted since.
fn is_final(outcome: RunOutcome, accepted: Accepted) -> bool {
    match outcome {
        RunOutcome::Complete | RunOutcome::Partial => true,
        RunOutcome::Alarm => accepted.is_nothing(),
        RunOutcome::Running | RunOutcome::Failed | RunOutcome::Stopped => false,
    }
}

fn refused(error: CrawlError) -> Ended {
    match error {
        CrawlError::Busy { .. } => Ended::Later(BUSY),
        CrawlError::Store(error) => error.into(),
        CrawlError::Http(_) | CrawlError::Dump(_) => Ended::Failed(error.to_string()),
        _ => Ended::Hopeless(error.to_string()),
    }
}
