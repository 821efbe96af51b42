//! One line for each request. No query string, no token and no text of a listing ever stands in it.

use std::time::Instant;

use axum::extract::Request;
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use schema::AccountId;

use crate::auth::without_tokens;
use crate::middleware::request_id::RequestId;

/// Logs method, path, status, duration and account of each request.
pub async fn log(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = known(request.method());
    let path = shown(request.uri().path());
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next.run(request).await;
    let account = response
        .extensions()
        .get::<AccountId>()
        .map(|account| account.0);
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

/// The method's name: a client may send any text as one.
fn known(method: &Method) -> &'static str {
    const NAMES: [&str; 8] = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
    ];
    NAMES
        .into_iter()
        .find(|name| *name == method.as_str())
        .unwrap_or("other")
}

/// The longest piece of a path that is logged, in bytes; ids are shorter, and tokens longer.
const LONGEST_LOGGED: usize = 32;

/// The path without what a client may have pasted into it by mistake, written plainly or in escapes. No path of this
/// service has escapes.
fn shown(path: &str) -> String {
    let pieces = path.split('/').map(|piece| {
        if piece.len() > LONGEST_LOGGED || piece.contains('%') {
            "…".into()
        } else {
            without_tokens(piece)
        }
    });
    pieces.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_pasted_into_the_path_is_cut_off() {
        let secret = "s".repeat(38);
        for path in ["/v1/offers/jdn_secret", "/jdn_secret", "/jdn_/jdn_secret/x"] {
            assert!(!shown(path).contains("secret"), "{path}");
        }
        for path in [
            format!("/v1/offers/{secret}"),
            format!("/%6Adn%5F{secret}"),
            "/%73%73".to_owned(),
        ] {
            assert!(
                !shown(&path).contains("ss") && !shown(&path).contains('%'),
                "{path}"
            );
        }
        assert_eq!(
            shown("/v1/offers/56Ju1C53B79DwEQD"),
            "/v1/offers/56Ju1C53B79DwEQD"
        );
        assert_eq!(shown("/"), "/");
    }
}
