//! Headers that keep answers out of caches, and the advice for clients that send a token in the URL.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Uri, header};
use axum::response::Response;

use crate::auth::TOKEN_PREFIX;
use crate::params::has_token_param;
use crate::private_paths::is_private;

const ADVICE: &str = "a token was sent in the URL, which reaches logs and proxies: rotate it, and send the new one in a \
                      header";

/// Keeps answers of `/v1` out of shared caches, and errors of other paths out of all caches, because caches may store
/// some error statuses unless told otherwise (RFC 9110, 15.1).
///
/// If the URL contains a token, in the query or anywhere else, the answer is kept out of all caches and carries the
/// advice, on every path and with every status: a cache would store the answer under that URL.
pub(crate) async fn guard_caches(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let is_private = is_private(request.uri().path());
    let token_in_url = contains_token(request.uri());
    let mut response = next(request).await;
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    let headers = response.headers_mut();
    if token_in_url || is_error && !is_private {
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
    if token_in_url {
        headers.insert(
            HeaderName::from_static("x-token-advice"),
            HeaderValue::from_static(ADVICE),
        );
    }
    response
}

/// Keeps every answer out of all caches: none is public, and each belongs to one account.
pub(crate) async fn keep_out_of_caches(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let token_in_url = contains_token(request.uri());
    let mut response = next(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if token_in_url {
        headers.insert(
            HeaderName::from_static("x-token-advice"),
            HeaderValue::from_static(ADVICE),
        );
    }
    response
}

fn contains_token(uri: &Uri) -> bool {
    let url = uri.path_and_query().map_or("", |url| url.as_str());
    uri.query().is_some_and(has_token_param) || url.contains(TOKEN_PREFIX)
}
