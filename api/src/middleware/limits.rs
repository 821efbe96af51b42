//! What no honest request needs: long paths and queries, bodies, headers without end.

use axum::extract::Request;
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// The longest path and query that is read, in bytes.
const URI_LIMIT: usize = 8 * 1024;
/// The most headers of a request. What reads requests off the connection takes some more, so that it is this answer, with
/// a body, that a client meets first.
const HEADERS_LIMIT: usize = 64;
/// The most bytes of them, names and values.
const HEADERS_BYTES: usize = 32 * 1024;
/// The longest body that a request may announce, in bytes. No body is ever read.
const BODY_LIMIT: u64 = 16 * 1024;

/// Refuses requests beyond the limits.
pub async fn refuse_oversized(request: Request, next: Next) -> Response {
    let uri = request
        .uri()
        .path_and_query()
        .map_or(0, |path| path.as_str().len());
    let announced = request.headers().get(header::CONTENT_LENGTH);
    let body = announced
        .and_then(|length| length.to_str().ok())
        .and_then(|length| length.parse().ok());
    let headers = request.headers();
    let length: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if uri > URI_LIMIT {
        ApiError::UriTooLong { limit: URI_LIMIT }.into_response()
    } else if body.is_some_and(|length: u64| length > BODY_LIMIT) {
        ApiError::PayloadTooLarge { limit: BODY_LIMIT }.into_response()
    } else if headers.len() > HEADERS_LIMIT || length > HEADERS_BYTES {
        ApiError::HeadTooLarge {
            lines: HEADERS_LIMIT,
            bytes: HEADERS_BYTES,
        }
        .into_response()
    } else {
        next.run(request).await
    }
}
