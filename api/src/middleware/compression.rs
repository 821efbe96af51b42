//! Compression of answers as the client accepts it, and the `ETag` of a compressed answer.
//!
//! tower-http compresses too, but piece by piece with a new encoder for each answer, among encodings that a client accepts
//! equally it prefers brotli, and a client that accepts none of them gets 406, a status that the interface does not have;
//! here it gets the plain body.

use axum::BoxError;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use crate::encoding::Encoding;
use crate::error::ApiError;
use crate::etag::with_encoding;
use crate::request_id::RequestId;
use crate::state::ApiState;

/// The smallest body that is compressed, in bytes.
const SMALLEST_COMPRESSED: u64 = 1024;

/// Compresses the answer if the client accepts that. A compressed answer has an `ETag` of its own.
pub(crate) async fn negotiate(
    api: &ApiState,
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    // A stream is sent piece by piece, and its end would be waited for.
    let chosen = preferred_encoding(request.headers()).filter(|_| !accepts_stream(&request));
    let id = request.extensions().get::<RequestId>().cloned();
    match compressed(api, next(request).await, chosen).await {
        Ok(response) => response,
        Err(error) => ApiError::internal(error).to_response(id.as_ref().map_or("", |id| &*id.0)),
    }
}

/// The answer in the encoding that was chosen for it, if its body is large enough. The answer says that it depends on what
/// the client accepts, also without an encoding.
async fn compressed(
    api: &ApiState,
    mut response: Response,
    chosen: Option<Encoding>,
) -> Result<Response, BoxError> {
    let size = response.body().size_hint().exact();
    let is_encoded = response.headers().contains_key(header::CONTENT_ENCODING);
    if is_encoded || size.is_some_and(|size| size < SMALLEST_COMPRESSED) {
        return Ok(response);
    }
    let vary = HeaderValue::from_static("accept-encoding");
    response.headers_mut().append(header::VARY, vary);
    let Some(encoding) = chosen else {
        return Ok(response);
    };
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await?;
    let headers = &mut parts.headers;
    let etag = headers.get(header::ETAG);
    let etag = etag.and_then(|etag| with_encoding(etag, encoding));
    let body = api
        .encoded_bodies()
        .encode(&body, encoding, etag.as_ref())?;
    headers.remove(header::CONTENT_LENGTH);
    let name = HeaderValue::from_static(encoding.name());
    headers.insert(header::CONTENT_ENCODING, name);
    if let Some(etag) = etag {
        headers.insert(header::ETAG, etag);
    }
    Ok(Response::from_parts(parts, Body::from(body)))
}

fn accepts_stream(request: &Request) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|types| types.contains("text/event-stream"))
}

/// The offered encoding with the greatest weight; `None` if the client accepts none of them.
fn preferred_encoding(headers: &HeaderMap) -> Option<Encoding> {
    let lists: Vec<&str> = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .collect();
    let weights: Vec<(&str, u32)> = lists
        .iter()
        .flat_map(|list| list.split(','))
        .filter_map(weight)
        .collect();
    let weight_of = |encoding: Encoding| {
        let named = weights
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(encoding.name()));
        named
            .or_else(|| weights.iter().find(|(name, _)| *name == "*"))
            .map_or(0, |(_, weight)| *weight)
    };
    let mut best: Option<(Encoding, u32)> = None;
    for encoding in Encoding::ALL {
        let weight = weight_of(encoding);
        if weight > best.map_or(0, |(_, best)| best) {
            best = Some((encoding, weight));
        }
    }
    best.map(|(encoding, _)| encoding)
}

/// An entry of `Accept-Encoding`: its name and its weight in thousandths.
fn weight(entry: &str) -> Option<(&str, u32)> {
    let mut parts = entry.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    let quality =
        parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    match quality.map(str::parse::<f32>) {
        None => Some((name, 1000)),
        Some(Ok(quality)) if (0.0..=1.0).contains(&quality) => {
            Some((name, (quality * 1000.0) as u32))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(accepted: &'static str) -> Option<Encoding> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        preferred_encoding(&headers)
    }

    #[test]
    fn the_greatest_weight_wins_and_the_cheapest_of_equals() {
        assert_eq!(chosen("gzip, deflate, br, zstd"), Some(Encoding::Zstd));
        assert_eq!(chosen("gzip, br"), Some(Encoding::Gzip));
        assert_eq!(chosen("gzip;q=0.5, br;q=0.8"), Some(Encoding::Brotli));
        assert_eq!(chosen("*"), Some(Encoding::Zstd));
        assert_eq!(chosen("zstd;q=0, *;q=0.1"), Some(Encoding::Gzip));
    }

    #[test]
    fn a_client_that_accepts_none_of_the_encodings_gets_the_plain_body() {
        for accepted in [
            "",
            "identity",
            "deflate",
            "gzip;q=0",
            "*;q=0",
            "gzip;q=7",
            "identity;q=0",
        ] {
            assert_eq!(chosen(accepted), None, "{accepted}");
        }
        assert_eq!(preferred_encoding(&HeaderMap::new()), None);
    }
}
