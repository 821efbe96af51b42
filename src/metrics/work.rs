//! Metrics of a worker's jobs.

use std::time::Duration;

use dedup::worker::DedupReport;
use ingest::crawl::CrawlReport;
use metrics::{counter, describe_counter, describe_histogram, histogram};
use schema::store::jobs::Task;

/// Registers the descriptions of the metrics.
pub(super) fn describe() {
    describe_counter!(
        "jeden_jobs_total",
        "Attempts at jobs, by kind and result: done, later, failed"
    );
    describe_histogram!(
        "jeden_job_seconds",
        "How long attempts at jobs took, by kind"
    );
    describe_counter!("jeden_crawls_total", "Ended crawls, by portal and outcome");
    describe_counter!(
        "jeden_crawl_listings_total",
        "Listings in crawls, by portal and what was done with them"
    );
    describe_counter!(
        "jeden_crawl_requests_total",
        "Requests to portals, including retries"
    );
    describe_counter!(
        "jeden_crawl_bytes_total",
        "Bytes of portals' answers, uncompressed"
    );
    describe_counter!(
        "jeden_dedup_total",
        "What deduplication did: listings, pairs compared, records written, ids retired"
    );
}

/// Counts an attempt at a job.
pub fn job_ended(task: &Task, ended: &'static str, took: Duration) {
    counter!("jeden_jobs_total", "kind" => task.kind(), "ended" => ended).increment(1);
    histogram!("jeden_job_seconds", "kind" => task.kind()).record(took.as_secs_f64());
}

/// Counts what this process did in a crawl that ended or was interrupted.
pub fn crawled(report: &CrawlReport) {
    let portal = || report.run.site_id.clone();
    let outcome = report.outcome().as_str();
    counter!("jeden_crawls_total", "portal" => portal(), "outcome" => outcome).increment(1);
    let counts = report.counts_of_this_process();
    for (what, count) in [
        ("seen", counts.seen),
        ("read", report.read),
        ("new", counts.new),
        ("changed", counts.changed),
        ("gone", counts.gone),
        ("rejected", counts.rejected),
    ] {
        counter!("jeden_crawl_listings_total", "portal" => portal(), "what" => what)
            .increment(count);
    }
    counter!("jeden_crawl_requests_total", "portal" => portal()).increment(counts.requests);
    counter!("jeden_crawl_bytes_total", "portal" => portal()).increment(counts.bytes);
}

/// Counts a deduplication.
pub fn deduplicated(report: &DedupReport) {
    for (what, count) in [
        ("listings", report.listings),
        ("compared", report.compared),
        ("written", report.offers),
        ("retired", report.retired),
    ] {
        counter!("jeden_dedup_total", "what" => what).increment(count);
    }
}
