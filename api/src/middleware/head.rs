//! HEAD answers as GET without a body.

use std::convert::Infallible;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::Response;
use futures::stream;

/// Runs a HEAD request as GET, and drops the body of the answer. Where GET would have said how long the body is, so does
/// the answer; where it would have sent it in chunks (compressed), or no body at all (304), the answer claims no length.
pub async fn answer_as_get(mut request: Request, next: Next) -> Response {
    if request.method() != Method::HEAD {
        return next.run(request).await;
    }
    *request.method_mut() = Method::GET;
    let mut response = next.run(request).await;
    *response.body_mut() = match response.body().size_hint().exact() {
        Some(length @ 1..) => {
            response
                .headers_mut()
                .entry(header::CONTENT_LENGTH)
                .or_insert(length.into());
            Body::empty()
        }
        // Not the empty body: of that one, axum and hyper would say that its length is 0.
        _ => Body::from_stream(stream::empty::<Result<Vec<u8>, Infallible>>()),
    };
    response
}
