//! The HTTP listener that Prometheus scrapes.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use metrics_exporter_prometheus::PrometheusHandle;
use schema::store::Db;
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tokio::time::sleep;

use super::database::{self, LastRead};
use crate::{clock, progress};

/// The content type of Prometheus's text format.
const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A process that has no file left for a socket gets one when another is closed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

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
    tokio::spawn(accept(listener, router));
    Ok(())
}

/// Accepts connections until the process ends. Scrapers speak HTTP/1.1; a server of HTTP/2 as well would make a tenth of
/// the program's own crate.
async fn accept(listener: TcpListener, router: Router) {
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection to the metrics listener failed");
                sleep(PAUSE_AFTER_FAILURE).await;
                continue;
            }
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            if let Err(error) = served.await {
                tracing::debug!(%error, "a connection to the metrics listener failed");
            }
        });
    }
}
