//! Metrics for Prometheus, on a listener of their own, off unless it is asked for. What they mean is listed in
//! docs/OPERATING.md, which a test holds to the names here.
//!
//! What happens in this process is counted as it happens, through the facade `metrics`, which costs nothing while
//! nobody listens. What stands in the database is read when somebody asks: it is the same whichever process is asked.

mod database;
mod listener;
pub mod work;

use std::time::Duration;

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use schema::store::Db;

use crate::settings::Settings;

/// Seconds that answers take.
const ANSWERS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];
/// Seconds that jobs take: crawls take hours.
const JOBS: [f64; 9] = [
    0.1, 1.0, 10.0, 60.0, 300.0, 1_800.0, 7_200.0, 21_600.0, 86_400.0,
];

/// How often what was measured is condensed.
const UPKEEP: Duration = Duration::from_secs(5);

/// Listens where the settings say; nothing is recorded where they do not.
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
        "How long answers took, by endpoint and status"
    );
    metrics::describe_gauge!("jeden_build_info", "1, with the version as a label");
    metrics::gauge!("jeden_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    tokio::spawn(condense(handle.clone()));
    listener::serve(listener, handle, db.clone())
}

fn recorder() -> anyhow::Result<PrometheusHandle> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(
            Matcher::Full("jeden_http_request_seconds".to_owned()),
            &ANSWERS,
        )
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &JOBS)
        })
        .and_then(PrometheusBuilder::install_recorder)
        .context("metrics cannot be recorded")
}

async fn condense(handle: PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP).await;
        handle.run_upkeep();
    }
}
