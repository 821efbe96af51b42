//! One line for each request. No query string, no token and no text of a listing ever stands in it.

use std::borrow::Cow;
use std::time::Instant;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use schema::AccountId;

use crate::middleware::request_id::RequestId;

/// Logs method, path, status, duration and account of each request.
pub async fn log(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let path = without_tokens(request.uri().path()).into_owned();
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next.run(request).await;
    let account = response.extensions().get::<AccountId>().map(|account| account.0);
    tracing::info!(
        request_id = id.as_ref().map(|id| &*id.0),
        %method,
        path,
        status = response.status().as_u16(),
        duration_ms = begun.elapsed().as_secs_f64() * 1000.0,
        account,
        "answered"
    );
    response
}

/// The path without what a client may have pasted into it by mistake.
fn without_tokens(path: &str) -> Cow<'_, str> {
    match path.split_once("jdn_") {
        None => Cow::Borrowed(path),
        Some((before, _)) => Cow::Owned(format!("{before}jdn_…")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_pasted_into_the_path_is_cut_off() {
        assert_eq!(without_tokens("/v1/offers/jdn_secret"), "/v1/offers/jdn_…");
        assert_eq!(without_tokens("/v1/offers/abc"), "/v1/offers/abc");
    }
}
