//! GET /openapi.json: the description of the API for programs.

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use crate::error::ApiError;
use crate::etag;
use crate::params::no_parameters;
use crate::state::ApiState;

/// Answers with the description.
///
/// # Errors
/// 400 for any parameter.
pub(crate) async fn openapi(
    State(api): State<ApiState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    no_parameters(query.as_deref().unwrap_or_default())?;
    let mut response = etag::json_response(&headers, api.openapi());
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=300"),
    );
    Ok(response)
}
