//! What every answer under `/v1` says to caches, and to whoever sent a token in the query.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::params::sends_token;

const ADVICE: &str = "the token was sent in the query string, which reaches logs and proxies: rotate it, and send the \
                      next one in a header";

/// Keeps answers out of shared caches; an answer to a token in the query out of every cache, with advice.
pub async fn guard_caches(request: Request, next: Next) -> Response {
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
