//! HEAD is answered like GET, without the body.
//!
//! axum's own handling of HEAD drops the body before the compression layer sees it, so HEAD would have other headers
//! than GET.

use std::convert::Infallible;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{Method, header};
use axum::response::Response;
use futures::stream;

/// Runs a HEAD request as GET and drops the body of the answer. The answer has the `Content-Length` that GET would have.
/// If GET would send chunks, or no body at all (304), the answer has no `Content-Length`.
pub(crate) async fn answer_as_get(
    mut request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    if request.method() != Method::HEAD {
        return next(request).await;
    }
    *request.method_mut() = Method::GET;
    let mut response = next(request).await;
    *response.body_mut() = match response.body().size_hint().exact() {
        Some(length @ 1..) => {
            response
                .headers_mut()
                .entry(header::CONTENT_LENGTH)
                .or_insert(length.into());
            Body::empty()
        }
        // For an empty body, axum and hyper would add `Content-Length: 0`.
        _ => Body::from_stream(stream::empty::<Result<Vec<u8>, Infallible>>()),
    };
    response
}
