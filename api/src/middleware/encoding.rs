//! Which compression a client gets, and the `ETag` of a compressed answer.
//!
//! The compressing itself is tower-http's. It is told one encoding, chosen here: by the client's weights, and among
//! equals the one that costs least for these bodies. A client that refuses everything gets the plain body, for the
//! interface has no 406.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use crate::error::ApiError;
use crate::middleware::request_id::RequestId;

/// The smallest body that is compressed, in bytes.
const WORTHWHILE: u64 = 1024;
/// What is offered, the cheapest first (measured on pages of 25 offers).
const OFFERED: [&str; 3] = ["zstd", "gzip", "br"];

/// The layer that compresses, fast rather than small.
pub fn compression() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTHWHILE))
}

/// Chooses the encoding, and gives a compressed answer an `ETag` of its own: a strong one names the bytes sent.
pub async fn negotiate(mut request: Request, next: Next) -> Response {
    let chosen = choose(request.headers());
    match chosen {
        Some(encoding) => {
            request
                .headers_mut()
                .insert(header::ACCEPT_ENCODING, HeaderValue::from_static(encoding));
        }
        None => {
            request.headers_mut().remove(header::ACCEPT_ENCODING);
        }
    }
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next.run(request).await;
    let Some(encoding) =
        chosen.filter(|_| response.headers().contains_key(header::CONTENT_ENCODING))
    else {
        return response;
    };
    let mut response = match compressed(response).await {
        Ok(response) => response,
        Err(error) => {
            return ApiError::internal(error).envelope(id.as_ref().map_or("", |id| &*id.0));
        }
    };
    if let Some(etag) = response
        .headers()
        .get(header::ETAG)
        .and_then(|etag| with_suffix(etag, encoding))
    {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

/// Compresses the whole body now. It is small, and a client that does not fetch it would else keep the encoder, which is
/// ten times as large.
async fn compressed(response: Response) -> Result<Response, axum::Error> {
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// The tag that names the uncompressed body, whatever form of it a client has.
pub fn without_suffix(tag: &str) -> &str {
    OFFERED
        .iter()
        .find_map(|encoding| tag.strip_suffix(encoding)?.strip_suffix('-'))
        .unwrap_or(tag)
}

fn with_suffix(etag: &HeaderValue, encoding: &str) -> Option<HeaderValue> {
    let tag = etag.to_str().ok()?.strip_suffix('"')?;
    HeaderValue::try_from(format!("{tag}-{encoding}\"")).ok()
}

/// The offered encoding with the greatest weight, `None` where the plain body is asked for.
fn choose(headers: &HeaderMap) -> Option<&'static str> {
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
    for encoding in OFFERED {
        let weight = weight_of(encoding);
        if weight > best.map_or(0, |(_, best)| best) {
            best = Some((encoding, weight));
        }
    }
    best.map(|(encoding, _)| encoding)
}

/// One entry of `Accept-Encoding`: its name, and its weight in thousandths.
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
        choose(&headers)
    }

    #[test]
    fn the_clients_weights_decide_and_among_equals_the_cheapest() {
        assert_eq!(chosen("gzip, deflate, br, zstd"), Some("zstd"));
        assert_eq!(chosen("gzip, br"), Some("gzip"));
        assert_eq!(chosen("gzip;q=0.5, br;q=0.8"), Some("br"));
        assert_eq!(chosen("*"), Some("zstd"));
        assert_eq!(chosen("zstd;q=0, *;q=0.1"), Some("gzip"));
    }

    #[test]
    fn whoever_accepts_nothing_offered_gets_the_plain_body() {
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
        assert_eq!(choose(&HeaderMap::new()), None);
    }

    #[test]
    fn a_suffix_comes_off_again() {
        let tag = HeaderValue::from_static("\"abc\"");
        assert_eq!(
            with_suffix(&tag, "br"),
            Some(HeaderValue::from_static("\"abc-br\""))
        );
        assert_eq!(without_suffix("abc-br"), "abc");
        assert_eq!(without_suffix("abc"), "abc");
    }
}
