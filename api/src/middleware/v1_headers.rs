//! What answers say to caches, and to whoever sent a token in the address.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::auth::TOKEN_PREFIX;
use crate::params::sends_token;

const ADVICE: &str = "a token was sent in the address, which reaches logs and proxies: rotate it, and send the next one \
                      in a header";

/// Keeps answers of `/v1` out of shared caches, and errors elsewhere out of every cache: some of their statuses may be
/// kept unless told otherwise (RFC 9110, 15.1). An answer to a token in the query is kept by no cache and gives advice,
/// on every path and whatever became of the request: the address that a cache would keep it under has the token. So it
/// has where the token stands under another name, or in the path.
pub async fn guard_caches(request: Request, next: Next) -> Response {
    let is_private = request.uri().path().starts_with("/v1/");
    let in_query = has_token(request.uri());
    let mut response = next.run(request).await;
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    let headers = response.headers_mut();
    if in_query || is_error && !is_private {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    } else if is_private {
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-cache"),
        );
    }
    if is_private {
        headers.append(
            header::VARY,
            HeaderValue::from_static("Authorization, X-Api-Key"),
        );
    }
    if in_query {
        headers.insert(
            HeaderName::from_static("x-token-advice"),
            HeaderValue::from_static(ADVICE),
        );
    }
    response
}

fn has_token(uri: &Uri) -> bool {
    let address = uri.path_and_query().map_or("", |address| address.as_str());
    uri.query().is_some_and(sends_token) || address.contains(TOKEN_PREFIX)
}
