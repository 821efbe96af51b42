//! One log line for each request. It never contains a query string, a token or the text of a listing.

use std::time::Instant;

use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use schema::AccountId;

use crate::auth::redact_tokens;
use crate::request_id::RequestId;

/// Logs method, path, status, duration and account of each request.
pub(crate) async fn log(request: Request, next: impl AsyncFnOnce(Request) -> Response) -> Response {
    let started = Instant::now();
    let method = method_name(request.method());
    let path = redacted_path(request.uri().path());
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next(request).await;
    let account = response
        .extensions()
        .get::<AccountId>()
        .map(|account| account.0);
    tracing::info!(
        request_id = id.as_ref().map(|id| &*id.0),
        %method,
        path,
        status = response.status().as_u16(),
        duration_ms = started.elapsed().as_secs_f64() * 1000.0,
        account,
        "answered"
    );
    response
}

/// The name of a standard method, or `other`: a client may send any text as a method.
fn method_name(method: &Method) -> &'static str {
    const NAMES: [&str; 8] = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
    ];
    NAMES
        .into_iter()
        .find(|name| *name == method.as_str())
        .unwrap_or("other")
}

/// The longest path segment that is logged, in bytes. Ids are shorter, tokens are longer.
const LONGEST_SEGMENT: usize = 32;

/// The path without segments that may be a token pasted by mistake, plain or percent-encoded. No path of this service
/// needs percent-encoding.
fn redacted_path(path: &str) -> String {
    let segments = path.split('/').map(|segment| {
        if segment.len() > LONGEST_SEGMENT || segment.contains('%') {
            "…".into()
        } else {
            redact_tokens(segment)
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_pasted_into_the_path_is_not_logged() {
        let secret = "s".repeat(38);
        for path in ["/v1/offers/jdn_secret", "/jdn_secret", "/jdn_/jdn_secret/x"] {
            assert!(!redacted_path(path).contains("secret"), "{path}");
        }
        for path in [
            format!("/v1/offers/{secret}"),
            format!("/%6Adn%5F{secret}"),
            "/%73%73".to_owned(),
        ] {
            assert!(
                !redacted_path(&path).contains("ss") && !redacted_path(&path).contains('%'),
                "{path}"
            );
        }
        assert_eq!(
            redacted_path("/v1/offers/56Ju1C53B79DwEQD"),
            "/v1/offers/56Ju1C53B79DwEQD"
        );
        assert_eq!(redacted_path("/"), "/");
    }
}
