//! Answers with an `ETag`. A client that already has the body gets 304 instead.
//!
//! A strong tag names the bytes that are sent, so a compressed body has a tag of its own: the tag of the plain body with
//! the encoding as a suffix.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::documents::{Tag, tag_of};
use crate::encoding::Encoding;

/// The answer 200 with a JSON body, or 304 if the request's `If-None-Match` matches it.
pub(crate) fn json_response(request: &HeaderMap, body: impl Into<Bytes>) -> Response {
    let body = body.into();
    let tag = tag_of(&body);
    tagged_response(request, body, tag)
}

/// The same with a tag that is known already.
pub(crate) fn tagged_response(request: &HeaderMap, body: impl Into<Bytes>, tag: Tag) -> Response {
    let tag = format!("{:032x}", u128::from_be_bytes(tag));
    if let Some(matching) = matching_tag(request, &tag) {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        response.headers_mut().insert(header::ETAG, matching);
        // A 304 must have the headers of the 200 that it replaces.
        response
            .headers_mut()
            .append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        return response;
    }
    let content_type = [(header::CONTENT_TYPE, "application/json")];
    let mut response = (content_type, body.into()).into_response();
    if let Ok(etag) = HeaderValue::try_from(format!("\"{tag}\"")) {
        response.headers_mut().insert(header::ETAG, etag);
    }
    response
}

/// The tag in the request's `If-None-Match` that matches `tag`, in any encoding. `If-None-Match` uses weak comparison
/// (RFC 9110, 13.1.2).
fn matching_tag(request: &HeaderMap, tag: &str) -> Option<HeaderValue> {
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
        if opaque.is_some_and(|opaque| is_tag_of(opaque, tag)) {
            return HeaderValue::from_str(quoted).ok();
        }
    }
    None
}

/// Whether `opaque` is `tag`, or `tag` with the suffix of an encoding.
fn is_tag_of(opaque: &str, tag: &str) -> bool {
    let Some(suffix) = opaque.strip_prefix(tag) else {
        return false;
    };
    let encoding = suffix.strip_prefix('-');
    suffix.is_empty()
        || encoding.is_some_and(|name| Encoding::ALL.iter().any(|it| it.name() == name))
}

/// The tag of a body compressed with `encoding`, from that of the plain body.
pub(crate) fn with_encoding(etag: &HeaderValue, encoding: Encoding) -> Option<HeaderValue> {
    let tag = etag.to_str().ok()?.strip_suffix('"')?;
    let encoding = encoding.name();
    HeaderValue::try_from(format!("{tag}-{encoding}\"")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(etags: &str) -> StatusCode {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(etags).unwrap());
        json_response(&headers, b"{}".to_vec()).status()
    }

    #[test]
    fn a_matching_tag_gets_304() {
        let response = json_response(&HeaderMap::new(), b"{}".to_vec());
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
        let held = json_response(&headers, b"{}".to_vec());
        assert_eq!(held.headers()[header::ETAG], etag);
        assert_eq!(
            held.headers()[header::VARY],
            "Accept-Encoding",
            "the header of the 200"
        );
        for other in ["\"other\"", "", etag.trim_matches('"')] {
            assert_eq!(status(other), StatusCode::OK, "{other}");
        }
    }

    #[test]
    fn a_compressed_body_has_its_own_tag() {
        assert_eq!(
            with_encoding(&HeaderValue::from_static("\"abc\""), Encoding::Brotli),
            Some(HeaderValue::from_static("\"abc-br\""))
        );
        for (opaque, is_tag) in [
            ("abc", true),
            ("abc-br", true),
            ("abc-", false),
            ("abcbr", false),
        ] {
            assert_eq!(is_tag_of(opaque, "abc"), is_tag, "{opaque}");
        }
    }
}
