//! Compression with zstd, with one compressor for each thread. tower-http would make one for each answer, and a compressed
//! page would cost a twelfth more.

use std::cell::RefCell;

use ::zstd::bulk::Compressor;
use axum::BoxError;
use axum::body::{Body, HttpBody, to_bytes};
use axum::http::{HeaderValue, header};
use axum::response::Response;

/// The level is the lowest that is not negative: those below are hardly faster here.
const LEVEL: i32 = 1;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
}

/// The answer with its body compressed, if the body is at least `smallest` bytes long and not encoded yet.
///
/// # Errors
/// Why the body cannot be read or compressed.
pub(super) async fn encoded(response: Response, smallest: u64) -> Result<Response, BoxError> {
    let size = response.body().size_hint().exact();
    let is_encoded = response.headers().contains_key(header::CONTENT_ENCODING);
    if is_encoded || size.is_none_or(|size| size < smallest) {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await?;
    let compressed = COMPRESSOR.with_borrow_mut(|compressor| {
        let compressor = match compressor {
            Some(compressor) => compressor,
            None => compressor.insert(Compressor::new(LEVEL)?),
        };
        compressor.compress(&body)
    })?;
    parts.headers.remove(header::CONTENT_LENGTH);
    let zstd = HeaderValue::from_static("zstd");
    parts.headers.insert(header::CONTENT_ENCODING, zstd);
    Ok(Response::from_parts(parts, Body::from(compressed)))
}
