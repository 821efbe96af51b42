//! GET /health: whether the service can answer requests.

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::bodies::Health;
use crate::error::ApiError;
use crate::params::no_parameters;
use crate::state::ApiState;

/// Answers `{"status":"ok"}` while the database answers and accepts writes. Without writes no request can be counted, so
/// none would be answered.
///
/// # Errors
/// 503 if the database does not answer in time or does not accept writes; 400 for any parameter.
pub(crate) async fn health(
    State(api): State<ApiState>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    no_parameters(query.as_deref().unwrap_or_default())?;
    api.health()
        .check()
        .await
        .map_err(|error| ApiError::Unavailable(error.into()))?;
    let body = Json(Health { status: "ok" });
    Ok(([(header::CACHE_CONTROL, "no-store")], body).into_response())
}
