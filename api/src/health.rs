//! GET /health: whether the service can answer.

use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::params::no_parameters;
use crate::state::ApiState;

/// `{"status":"ok"}` while the database answers.
///
/// # Errors
/// 503 when it does not, or not in time; 400 for any parameter.
pub async fn health(State(api): State<ApiState>, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    no_parameters(query.as_deref().unwrap_or_default())?;
    match tokio::time::timeout(api.config().health_timeout, api.db().ping()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(ApiError::Unavailable(error.into())),
        Err(late) => return Err(ApiError::Unavailable(late.into())),
    }
    let mut response = ([(header::CONTENT_TYPE, "application/json")], r#"{"status":"ok"}"#).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
