//! Writes the JSON body of every error, and turns panics into errors.
//!
//! Panics are not caught by tower-http's `CatchPanicLayer`, because `admission` has to call [`catch_panic`] itself:
//! after a panic it gives the count of the request back.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;

use crate::error::ApiError;
use crate::request_id::RequestId;

/// Writes the body of an [`ApiError`] with the id of its request, and logs the cause if the service failed.
pub(crate) async fn write_envelope(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next(request).await;
    let Some(error) = response.extensions().get::<Arc<ApiError>>().cloned() else {
        return response;
    };
    let id = id.as_ref().map_or("", |id| &*id.0);
    if let ApiError::Internal(cause) | ApiError::Unavailable(cause) = &*error {
        tracing::error!(request_id = id, cause = %with_sources(cause.as_ref()), "request failed");
    }
    let (parts, _) = response.into_parts();
    let envelope = error.to_response(id);
    let (mut written, body) = envelope.into_parts();
    for (name, value) in &parts.headers {
        if !written.headers.contains_key(name) {
            written.headers.append(name, value.clone());
        }
    }
    written.extensions.extend(parts.extensions);
    Response::from_parts(written, body)
}

/// Turns a panic into the answer 500.
pub(crate) async fn catch_panic(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    match AssertUnwindSafe(next(request)).catch_unwind().await {
        Ok(response) => response,
        Err(panic) => ApiError::internal(format!("panicked: {}", panic_message(panic.as_ref())))
            .into_response(),
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// An error and its sources, on one line.
fn with_sources(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
