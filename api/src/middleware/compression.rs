//! Compression of answers, and the `ETag` of a compressed answer.
//!
//! tower-http compresses, but the encoding is chosen here, for two reasons. Among encodings that a client accepts
//! equally, tower-http prefers brotli to gzip, which takes more time for these bodies. A client that accepts nothing
//! gets 406 from tower-http, a status that the interface does not have; here it gets the plain body.

use std::convert::Infallible;

use axum::BoxError;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use tower::{Layer, ServiceExt};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use crate::error::ApiError;
use crate::etag::{ENCODINGS, ZSTD, with_encoding};
use crate::middleware::zstd;
use crate::request_id::RequestId;

/// The smallest body that is compressed, in bytes.
const SMALLEST_COMPRESSED: u64 = 1024;

/// Compresses the answer if the client accepts that. A compressed answer has an `ETag` of its own.
pub(crate) async fn negotiate(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    // A stream is sent piece by piece, and its end would be waited for.
    let chosen = preferred_encoding(request.headers()).filter(|_| !accepts_stream(&request));
    let id = request.extensions().get::<RequestId>().cloned();
    match encoded(next(request).await, chosen).await {
        Ok(response) => response,
        Err(error) => ApiError::internal(error).to_response(id.as_ref().map_or("", |id| &*id.0)),
    }
}

/// The answer in the encoding that was chosen for it.
async fn encoded(response: Response, chosen: Option<&'static str>) -> Result<Response, BoxError> {
    let mut response = encoded_by_tower(response, chosen.filter(|it| *it != ZSTD)).await;
    if chosen == Some(ZSTD) {
        response = zstd::encoded(response, SMALLEST_COMPRESSED).await?;
    }
    let Some(encoding) =
        chosen.filter(|_| response.headers().contains_key(header::CONTENT_ENCODING))
    else {
        return Ok(response);
    };
    let mut response = buffered(response).await?;
    let headers = response.headers_mut();
    let etag = headers.get(header::ETAG);
    if let Some(etag) = etag.and_then(|etag| with_encoding(etag, encoding)) {
        headers.insert(header::ETAG, etag);
    }
    Ok(response)
}

/// The answer as tower-http gives it to a client that accepts an encoding, optimised for speed. Also without an encoding,
/// it notes that the answer may depend on what is accepted.
async fn encoded_by_tower(response: Response, encoding: Option<&'static str>) -> Response {
    let mut response = Some(response);
    let answer = tower::service_fn(move |_| {
        // The service is called once.
        let response = response.take().unwrap_or_default();
        std::future::ready(Ok::<_, Infallible>(response))
    });
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(SMALLEST_COMPRESSED))
        .layer(answer);
    let mut asked = Request::new(Body::empty());
    if let Some(encoding) = encoding {
        let encoding = HeaderValue::from_static(encoding);
        asked
            .headers_mut()
            .insert(header::ACCEPT_ENCODING, encoding);
    }
    match compression.oneshot(asked).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

fn accepts_stream(request: &Request) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|types| types.contains("text/event-stream"))
}

/// Compresses the whole body at once. Otherwise a client that reads slowly would keep the encoder in memory, which is ten
/// times as large as the body.
async fn buffered(response: Response) -> Result<Response, axum::Error> {
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// The offered encoding with the greatest weight; `None` if the client accepts none of them.
fn preferred_encoding(headers: &HeaderMap) -> Option<&'static str> {
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
    let weight_of = |encoding: &str| {
        let named = weights
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(encoding));
        named
            .or_else(|| weights.iter().find(|(name, _)| *name == "*"))
            .map_or(0, |(_, weight)| *weight)
    };
    let mut best: Option<(&str, u32)> = None;
    for encoding in ENCODINGS {
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

    fn chosen(accepted: &'static str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        preferred_encoding(&headers)
    }

    #[test]
    fn the_greatest_weight_wins_and_the_cheapest_of_equals() {
        assert_eq!(chosen("gzip, deflate, br, zstd"), Some("zstd"));
        assert_eq!(chosen("gzip, br"), Some("gzip"));
        assert_eq!(chosen("gzip;q=0.5, br;q=0.8"), Some("br"));
        assert_eq!(chosen("*"), Some("zstd"));
        assert_eq!(chosen("zstd;q=0, *;q=0.1"), Some("gzip"));
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
