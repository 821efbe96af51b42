//! Where Prometheus asks.

use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use schema::store::Db;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

use super::database::{self, Sample};
use crate::{clock, progress};

/// The form of what is answered.
const FORM: &str = "text/plain; version=0.0.4; charset=utf-8";

pub(super) async fn bind(address: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address} for metrics; --metrics-listen chooses another address")
    })
}

/// Answers until the process ends.
pub(super) fn serve(listener: TcpListener, handle: PrometheusHandle, db: Db) -> anyhow::Result<()> {
    progress::say(&format!(
        "Metrics on http://{}/metrics.",
        listener.local_addr()?
    ));
    let sample = Arc::new(Mutex::new(Sample::default()));
    let answer = move || {
        let (handle, db, sample) = (handle.clone(), db.clone(), Arc::clone(&sample));
        async move {
            database::read(&db, &sample, clock::now()).await;
            ([(CONTENT_TYPE, FORM)], handle.render()).into_response()
        }
    };
    let router = Router::new().route("/metrics", get(answer));
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "metrics are no longer served");
        }
    });
    Ok(())
}
