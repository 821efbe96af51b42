//! The listener.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use api::ApiState;
use api::ConnectionLimits;
use api::beside::{Refusal, Routes, serve_beside, tagged_json, without_parameters};
use axum::Router;
use axum::extract::RawQuery;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, body::Bytes};
use futures::future::BoxFuture;
use schema::store::Db;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::endpoint;
use crate::news::News;
use crate::openapi;
use crate::reading::Feed;

/// The paths, named in the answer to any other.
const PATHS: &str = "/changes, /health and /openapi.json";

/// The settings of the listener.
#[derive(Debug, Clone)]
pub struct FeedConfig {
    /// The URL at which clients reach it, without a trailing slash; written into the OpenAPI description.
    pub base_url: String,
    /// How often the database is asked for new changes while anybody waits.
    pub poll: Duration,
    /// How long a stream lasts at most. A stream counts as one request.
    pub longest_stream: Duration,
    /// How often a quiet stream sends something, so that proxies keep it, and how often its token is checked.
    pub heartbeat: Duration,
    /// Limits on connections.
    pub connections: ConnectionLimits,
}

impl FeedConfig {
    /// The default settings at `base_url`.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into().trim_end_matches('/').to_owned(),
            poll: Duration::from_millis(250),
            longest_stream: Duration::from_hours(1),
            heartbeat: Duration::from_secs(15),
            connections: ConnectionLimits::default(),
        }
    }
}

/// Serves the feed on `listener` until `shutdown` completes, with the accounts and limits of `api`, from `db`.
///
/// # Errors
/// None at present: an error on one connection does not affect the others.
pub fn serve(
    listener: TcpListener,
    (api, db): (ApiState, Db),
    config: FeedConfig,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        let stop = CancellationToken::new();
        let _stop_on_end = stop.clone().drop_guard();
        let feed = Feed {
            news: News::follow(db.clone(), config.poll, stop.clone()),
            db,
            stop: stop.clone(),
            longest_stream: config.longest_stream,
            heartbeat: config.heartbeat,
        };
        let mut limits = config.connections.clone();
        // A stream is one answer, and its client has the usual time beyond it.
        limits.answer_timeout += config.longest_stream;
        let stopped = async move {
            shutdown.await;
            stop.cancel();
        };
        let routes = routes(feed, &config);
        serve_beside(listener, api, routes, limits, Box::pin(stopped)).await
    })
}

fn routes(feed: Feed, config: &FeedConfig) -> Routes {
    let description: Bytes = openapi::rendered(&config.base_url).into();
    let openapi =
        async move |RawQuery(query): RawQuery, headers: HeaderMap| -> Result<Response, Refusal> {
            without_parameters(query.as_deref().unwrap_or_default())?;
            let mut response = tagged_json(&headers, description.clone());
            let cached = HeaderValue::from_static("public, max-age=300");
            response.headers_mut().insert(header::CACHE_CONTROL, cached);
            Ok(response)
        };
    Routes {
        counted: Router::new()
            .route("/changes", get(endpoint::changes))
            .layer(Extension(Arc::new(feed))),
        public: Router::new().route("/openapi.json", get(openapi)),
        paths: PATHS,
    }
}
