//! The HTTP listener that Prometheus scrapes.

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

use super::database::{self, LastRead};
use crate::{clock, progress};

/// The content type of Prometheus's text format.
const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Binds the listener.
pub(super) async fn bind(address: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address} for metrics; --metrics-listen chooses another address")
    })
}

/// Serves metrics until the process ends.
pub(super) fn serve(listener: TcpListener, handle: PrometheusHandle, db: Db) -> anyhow::Result<()> {
    progress::say(&format!(
        "Metrics on http://{}/metrics.",
        listener.local_addr()?
    ));
    let last_read = Arc::new(Mutex::new(LastRead::default()));
    let answer = move || {
        let (handle, db, last_read) = (handle.clone(), db.clone(), Arc::clone(&last_read));
        async move {
            database::update(&db, &last_read, clock::now()).await;
            ([(CONTENT_TYPE, TEXT_FORMAT)], handle.render()).into_response()
        }
    };
    let router = Router::new().route("/metrics", get(answer));
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "the metrics listener failed; metrics are no longer served");
        }
    });
    Ok(())
}
