//! Requests that are refused before they are looked at: they exceed a limit on path and query, headers or body, or do
//! not name one host.
//!
//! tower-http limits bodies only, and answers without the error envelope.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Version, header};
use futures::StreamExt;

use crate::error::ApiError;

/// The longest accepted path and query, in bytes.
const URI_LIMIT: usize = 8 * 1024;
/// The largest accepted number of headers. The HTTP library accepts some more, so that clients usually get this answer,
/// which has a body.
const HEADERS_LIMIT: usize = 64;
/// The largest accepted size of all headers, names and values, in bytes.
const HEADERS_BYTES: usize = 32 * 1024;
/// The largest accepted body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyLimit {
    /// In bytes.
    pub bytes: u64,
    /// What a client should do instead of sending a larger one.
    pub advice: &'static str,
}

/// The largest body that the API accepts, although it needs none.
pub(crate) const UNUSED_BODY: BodyLimit = BodyLimit {
    bytes: 16 * 1024,
    advice: "Send no body; this API does not use one.",
};

impl BodyLimit {
    /// The error of a body over the limit.
    pub(crate) fn exceeded(self) -> ApiError {
        ApiError::PayloadTooLarge {
            limit: self.bytes,
            advice: self.advice,
        }
    }
}

/// Which limit the head of a request exceeds, or what is wrong with its `Host`. `None` if the head is accepted.
pub(crate) fn fault_of_head(request: &Request, body: BodyLimit) -> Option<ApiError> {
    let uri = request
        .uri()
        .path_and_query()
        .map_or(0, |path| path.as_str().len());
    let headers = request.headers();
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let length: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if uri > URI_LIMIT {
        Some(ApiError::UriTooLong { limit: URI_LIMIT })
    } else if announced.is_some_and(|length| length > body.bytes) {
        Some(body.exceeded())
    } else if headers.len() > HEADERS_LIMIT || length > HEADERS_BYTES {
        Some(ApiError::HeadTooLarge {
            lines: HEADERS_LIMIT,
            bytes: HEADERS_BYTES,
        })
    } else if !names_one_host(request.version(), headers) {
        Some(ApiError::BadHost)
    } else {
        None
    }
}

/// Whether the request names its host as its version of HTTP demands (RFC 9112, 3.2): HTTP/1.1 in exactly one header,
/// HTTP/1.0 in at most one. HTTP/2 names it in a field of its own, and may repeat it in one header.
fn names_one_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => version != Version::HTTP_11,
        (Some(_), Some(_)) => false,
        // A client may send an empty name.
        (Some(host), None) => {
            host.is_empty()
                || Authority::try_from(host.as_bytes())
                    .is_ok_and(|host| !host.as_str().contains('@'))
        }
    }
}

/// What became of the body of a request.
pub(crate) enum BodyRead {
    /// The whole body arrived, or the request has no body.
    Complete,
    /// It is larger than the limit.
    TooLarge(ApiError),
    /// It did not arrive in time, or the client gave up.
    Incomplete,
}

/// Reads the body and drops it, because no request needs one. So a chunked body over the limit is noticed like a counted
/// one, and the connection can be used for the next request.
pub(crate) async fn read_body(body: Body, longest_wait: Duration) -> BodyRead {
    if body.is_end_stream() {
        return BodyRead::Complete;
    }
    let mut chunks = body.into_data_stream();
    let read = async {
        let mut length = 0;
        while let Some(chunk) = chunks.next().await {
            let Ok(chunk) = chunk else {
                return BodyRead::Incomplete;
            };
            length += chunk.len() as u64;
            if length > UNUSED_BODY.bytes {
                return BodyRead::TooLarge(UNUSED_BODY.exceeded());
            }
        }
        BodyRead::Complete
    };
    tokio::time::timeout(longest_wait, read)
        .await
        .unwrap_or(BodyRead::Incomplete)
}
