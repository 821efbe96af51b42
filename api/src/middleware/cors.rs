//! Cross-origin requests from browsers, for the origins that the operator allows.
//!
//! tower-http's `CorsLayer` answers every OPTIONS request as a preflight. Here only a true preflight is one; any other
//! OPTIONS request gets 405 like all methods that are not allowed.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::state::ApiState;

const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Address-Centre, X-Address-Fit, X-Address-Level, \
     X-Address-Place, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Token-Advice",
);
const ALLOWED_HEADERS: HeaderValue =
    HeaderValue::from_static("Authorization, X-Api-Key, If-None-Match");
const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD");
/// How long a browser may cache a preflight, in seconds.
const MAX_AGE: HeaderValue = HeaderValue::from_static("3600");

/// Adds the CORS headers for the configured origins, and answers their preflights.
pub(crate) async fn allow_origins(
    api: &ApiState,
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let configured = &api.config().cors_origins;
    if configured.is_empty() {
        return next(request).await;
    }
    let allowed = allowed_origin(configured, request.headers());
    let preflight = request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match &allowed {
        Some(_) if preflight => StatusCode::NO_CONTENT.into_response(),
        _ => next(request).await,
    };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        if preflight {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS);
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
            *response.body_mut() = Body::empty();
        }
    }
    response
}

/// The `Access-Control-Allow-Origin` of the answer; `None` if the request's origin is not allowed.
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
