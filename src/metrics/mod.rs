//! Metrics for Prometheus, on a separate listener that is off by default. docs/OPERATING.md lists them, and a test keeps
//! that list in step with the names here.
//!
//! Events in this process are counted as they happen, through the facade `metrics`, which costs nothing while no recorder
//! is installed. Metrics of the database are read on request, and are the same in every process.

mod database;
mod listener;
pub mod work;

use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use schema::store::Db;

use crate::settings::Settings;

/// Histogram buckets for the duration of requests, in seconds.
const REQUEST_SECONDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];
/// Histogram buckets for the duration of jobs, in seconds. Crawls take hours.
const JOB_SECONDS: [f64; 9] = [
    0.1, 1.0, 10.0, 60.0, 300.0, 1_800.0, 7_200.0, 21_600.0, 86_400.0,
];

/// How often the recorder aggregates its samples.
const AGGREGATE_EVERY: Duration = Duration::from_secs(5);

/// Starts the listener if the settings name an address. Otherwise nothing is recorded.
pub async fn start(settings: &Settings, db: &Db) -> anyhow::Result<()> {
    let Some(address) = &settings.metrics_listen else {
        return Ok(());
    };
    let listener = listener::bind(address).await?;
    let handle = recorder()?;
    work::describe();
    database::describe();
    metrics::describe_histogram!(
        "jeden_http_request_seconds",
        "How long requests took, by endpoint and status"
    );
    metrics::describe_gauge!("jeden_build_info", "1, with the version as a label");
    metrics::gauge!("jeden_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    tokio::spawn(aggregate(handle.clone()));
    listener::serve(listener, handle, db.clone())
}

fn recorder() -> anyhow::Result<PrometheusHandle> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(
            Matcher::Full("jeden_http_request_seconds".to_owned()),
            &REQUEST_SECONDS,
        )
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &JOB_SECONDS)
        })
        .and_then(PrometheusBuilder::install_recorder)
        .context("cannot install the metrics recorder")
}

async fn aggregate(handle: PrometheusHandle) {
    loop {
        tokio::time::sleep(AGGREGATE_EVERY).await;
        handle.run_upkeep();
    }
}
