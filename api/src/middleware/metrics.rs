//! How long answers take. Nothing is recorded unless the program has installed somebody who listens.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;

/// Records how long the answer took, by endpoint (as its route is written, never as it was asked), method and status.
pub async fn measure(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    // What no route answers is one endpoint: a name for each path that somebody tries would have no end.
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
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    let labels = [
        ("endpoint", endpoint),
        ("method", method.to_owned()),
        ("status", status),
    ];
    metrics::histogram!("jeden_http_request_seconds", &labels)
        .record(begun.elapsed().as_secs_f64());
    response
}
