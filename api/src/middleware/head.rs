//! HEAD answers as GET without a body.

use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

/// Runs a HEAD request as GET, and drops the body of the answer.
pub async fn answer_as_get(mut request: Request, next: Next) -> Response {
    if request.method() != Method::HEAD {
        return next.run(request).await;
    }
    *request.method_mut() = Method::GET;
    let mut response = next.run(request).await;
    let length = http_body_length(response.body());
    *response.body_mut() = Body::empty();
    if let Some(length) = length {
        response.headers_mut().entry(axum::http::header::CONTENT_LENGTH).or_insert(length.into());
    }
    response
}

/// The length that the body would have had, where it is known before it is sent.
fn http_body_length(body: &Body) -> Option<u64> {
    axum::body::HttpBody::size_hint(body).exact()
}
