//! Makes requests wait while too many others are worked on.

use axum::extract::Request;
use axum::response::Response;

use crate::error::ApiError;
use crate::state::ApiState;

/// Holds a permit of the process's concurrency limit while the request is answered.
///
/// # Errors
/// [`ApiError::Overloaded`] if the queue is full or the wait is too long, and the error of what comes next.
pub(crate) async fn limit(
    api: &ApiState,
    request: Request,
    next: impl AsyncFnOnce(Request) -> Result<Response, ApiError>,
) -> Result<Response, ApiError> {
    let _permit = api
        .concurrency()
        .acquire()
        .await
        .ok_or(ApiError::Overloaded)?;
    next(request).await
}
