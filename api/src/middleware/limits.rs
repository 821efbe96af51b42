//! Limits on the size of requests: path and query, headers, body.
//!
//! tower-http limits bodies only, and answers without the error envelope.

use axum::extract::Request;
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// The longest accepted path and query, in bytes.
const URI_LIMIT: usize = 8 * 1024;
/// The largest accepted number of headers. The HTTP library accepts some more, so that clients usually get this answer,
/// which has a body.
const HEADERS_LIMIT: usize = 64;
/// The largest accepted size of all headers, names and values, in bytes.
const HEADERS_BYTES: usize = 32 * 1024;
/// The largest accepted `Content-Length`, in bytes. No body is ever read.
const BODY_LIMIT: u64 = 16 * 1024;

/// Refuses requests that exceed a limit.
pub(crate) async fn refuse_oversized(request: Request, next: Next) -> Response {
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
