//! Calls from browsers of other origins, where the operator allows them.
//!
//! Only a true preflight is answered here: another OPTIONS request is a method like any other, and not allowed.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::state::ApiState;

const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, \
     X-Request-Id, X-Token-Advice",
);
const ALLOWED_HEADERS: HeaderValue =
    HeaderValue::from_static("Authorization, X-Api-Key, If-None-Match");
const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD");
/// How long a browser may remember a preflight, in seconds.
const REMEMBERED: HeaderValue = HeaderValue::from_static("3600");

/// Lets the configured origins in.
pub async fn allow_origins(State(api): State<ApiState>, request: Request, next: Next) -> Response {
    let configured = &api.config().cors_origins;
    if configured.is_empty() {
        return next.run(request).await;
    }
    let allowed = allowed_origin(configured, request.headers());
    let preflight = request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match &allowed {
        Some(_) if preflight => StatusCode::NO_CONTENT.into_response(),
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        if preflight {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS);
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, REMEMBERED);
            *response.body_mut() = Body::empty();
        }
    }
    response
}

/// What the answer says of the request's origin; `None` where it may not call.
fn allowed_origin(configured: &[String], headers: &HeaderMap) -> Option<HeaderValue> {
    let origin = headers.get(header::ORIGIN)?;
    if configured.iter().any(|allowed| allowed == "*") {
        return Some(HeaderValue::from_static("*"));
    }
    configured
        .iter()
        .any(|allowed| allowed.as_bytes() == origin.as_bytes())
        .then(|| origin.clone())
}
