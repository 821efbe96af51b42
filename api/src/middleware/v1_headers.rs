//! What every answer under `/v1` says to caches, and to whoever sent a token in the query.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::params::sends_token;

const ADVICE: &str = "the token was sent in the query string, which reaches logs and proxies: rotate it, and send the \
                      next one in a header";

/// Keeps answers of `/v1` out of shared caches; an answer to a token in the query out of every cache, with advice. That
/// holds for refusals too, of requests that are too large and of paths that there are not: their address has the token
/// all the same.
pub async fn guard_caches(request: Request, next: Next) -> Response {
    if !request.uri().path().starts_with("/v1/") {
        return next.run(request).await;
    }
    let in_query = request.uri().query().is_some_and(sends_token);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let control = if in_query { "no-store" } else { "private, no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
    headers.append(header::VARY, HeaderValue::from_static("Authorization, X-Api-Key"));
    if in_query {
        headers.insert(HeaderName::from_static("x-token-advice"), HeaderValue::from_static(ADVICE));
    }
    response
}
