//! Measures how long answers take. Nothing is recorded unless the program has installed a metrics recorder.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::response::Response;

/// Records how long the answer took, by endpoint (the route, never the path that was requested), method and status.
pub(crate) async fn measure(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let started = Instant::now();
    // All unknown paths share one name: a label for each path that clients try would be unbounded.
    let endpoint = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("other", MatchedPath::as_str)
        .to_owned();
    let method = if request.method().is_safe() {
        "read"
    } else {
        "other"
    };
    let response = next(request).await;
    let status = response.status().as_u16().to_string();
    let labels = [
        ("endpoint", endpoint),
        ("method", method.to_owned()),
        ("status", status),
    ];
    metrics::histogram!("jeden_http_request_seconds", &labels)
        .record(started.elapsed().as_secs_f64());
    response
}
