//! Requests for a crawl now, beside the schedules.

use futures::future::BoxFuture;
use schema::Timestamp;
use schema::store::crawl_runs::{self, CrawlRun, RunOutcome};
use schema::store::jobs::{self, Accepted, Job, Task};
use schema::store::{Db, StoreError, Tx};

use crate::watch::DEAD_AFTER;

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrawlRequest {
    /// A crawl of the portal is running.
    Running,
    /// A crawl that does the same is queued already.
    AlreadyQueued,
    /// A crawl was queued.
    Queued,
}

/// Queues a crawl of a portal, unless one that does the same is running or queued.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn request_crawl<'a>(
    db: &'a Db,
    site_id: &'a str,
    accepted: Accepted,
    now: Timestamp,
) -> BoxFuture<'a, Result<CrawlRequest, StoreError>> {
    Box::pin(async move {
        let task = Task::Crawl {
            site_id: site_id.to_owned(),
            accepted,
            lists_only: false,
        };
        let alive = jobs::workers(db, Timestamp(now.millis() - DEAD_AFTER)).await?;
        let is_alive = |name: &str| alive.iter().any(|worker| worker.name == name);
        let unfinished = jobs::unfinished(db).await?;
        // A job stays in the queue for a moment after its crawl has ended.
        let latest = crawl_runs::latest(db, site_id).await?;
        let is_crawled = latest
            .as_ref()
            .is_some_and(|run| run.outcome == RunOutcome::Running);
        // A job whose worker died after the crawl is queued again, and ends without a crawl.
        let has_crawled = |job: &Job| {
            latest
                .as_ref()
                .is_some_and(|run| !run.lists_only && has_done(run, job.asked_at, accepted))
        };
        let mut same = unfinished.iter().filter(|one| one.job.task == task);
        let found = same.find(|one| match &one.worker {
            Some(worker) => is_crawled && is_alive(worker),
            None => one.run_at <= now && !has_crawled(&one.job),
        });
        if let Some(found) = found {
            return Ok(if found.worker.is_some() {
                CrawlRequest::Running
            } else {
                CrawlRequest::AlreadyQueued
            });
        }
        // A job that waits for a retry will find that its crawl has been done.
        let mut tx = db.begin().await?;
        queue(&mut tx, task, site_id, now).await?;
        tx.commit().await?;
        Ok(CrawlRequest::Queued)
    })
}

async fn queue(tx: &mut Tx, task: Task, site_id: &str, now: Timestamp) -> Result<(), StoreError> {
    let job = Job::new(task, format!("crawl:{site_id}:asked:{now}"), now);
    jobs::push(tx, &job, now).await?;
    Ok(())
}

/// Whether this crawl has done what was requested, so that crawling again is pointless. It is not after an alarm that the
/// operator has accepted since.
pub fn has_done(run: &CrawlRun, requested_at: Timestamp, accepted: Accepted) -> bool {
    let is_final = match run.outcome {
        RunOutcome::Complete | RunOutcome::Partial => true,
        RunOutcome::Alarm => accepted.is_nothing(),
        RunOutcome::Running | RunOutcome::Failed | RunOutcome::Stopped => false,
    };
    is_final && run.started_at >= requested_at
}
