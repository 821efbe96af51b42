//! Gives each request an id and a time, and each answer the headers that all answers carry.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

use crate::quota::RateLimit;
use crate::request_id::ArrivedAt;
use crate::state::ApiState;

/// Adds the id and the arrival time to the request; writes `X-Request-Id` and the rate limit into the answer.
pub(crate) async fn identify(
    api: &ApiState,
    mut request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let id = api.request_ids().next();
    let now = api.config().now();
    request.extensions_mut().insert(id.clone());
    request.extensions_mut().insert(ArrivedAt(now));
    let mut response = next(request).await;
    let limit = response
        .extensions()
        .get()
        .copied()
        .unwrap_or_else(|| RateLimit::unknown(now));
    let headers = response.headers_mut();
    limit.write(headers);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if let Ok(id) = HeaderValue::from_str(&id.0) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    response
}
