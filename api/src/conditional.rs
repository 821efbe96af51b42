//! Answers with an `ETag`: a client that has the body already gets 304 instead.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::middleware::encoding::without_suffix;

/// The answer 200 with a JSON body, or 304 where the request's `If-None-Match` names it.
pub fn json(request: &HeaderMap, body: impl Into<Bytes>) -> Response {
    let body = body.into();
    let hash = blake3::hash(&body).to_hex();
    let tag = hash.get(..32).unwrap_or_default();
    if let Some(held) = held(request, tag) {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        response.headers_mut().insert(header::ETAG, held);
        // As the 200 would have had it.
        response
            .headers_mut()
            .append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        return response;
    }
    let mut response = ([(header::CONTENT_TYPE, "application/json")], body).into_response();
    if let Ok(etag) = HeaderValue::try_from(format!("\"{tag}\"")) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

/// The entity tag by which the client holds the body, in whatever encoding; the comparison is the weak one, as
/// `If-None-Match` wants it (RFC 9110, 13.1.2).
fn held(request: &HeaderMap, tag: &str) -> Option<HeaderValue> {
    let lists = request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    for entry in lists.flat_map(|list| list.split(',')).map(str::trim) {
        let quoted = entry.strip_prefix("W/").unwrap_or(entry);
        let opaque = quoted
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        if entry == "*" {
            return HeaderValue::try_from(format!("\"{tag}\"")).ok();
        }
        if opaque.is_some_and(|opaque| without_suffix(opaque) == tag) {
            return HeaderValue::from_str(quoted).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(etags: &str) -> StatusCode {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(etags).unwrap());
        json(&headers, b"{}".to_vec()).status()
    }

    #[test]
    fn a_held_body_is_not_sent_again() {
        let response = json(&HeaderMap::new(), b"{}".to_vec());
        let etag = response.headers()[header::ETAG]
            .to_str()
            .unwrap()
            .to_owned();
        let compressed = format!("{}-gzip\"", etag.strip_suffix('"').unwrap());
        for held in [
            etag.clone(),
            format!("W/{etag}"),
            format!("\"other\", {etag}"),
            compressed,
            "*".to_owned(),
        ] {
            assert_eq!(status(&held), StatusCode::NOT_MODIFIED, "{held}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(&etag).unwrap());
        let held = json(&headers, b"{}".to_vec());
        assert_eq!(held.headers()[header::ETAG], etag);
        assert_eq!(
            held.headers()[header::VARY],
            "Accept-Encoding",
            "as the 200 has it"
        );
        for other in ["\"other\"", "", etag.trim_matches('"')] {
            assert_eq!(status(other), StatusCode::OK, "{other}");
        }
    }
}
