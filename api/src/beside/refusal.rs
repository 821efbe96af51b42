//! Why a question was refused, in the words of the API.

use std::error::Error;
use std::sync::Arc;

use axum::response::{IntoResponse, Response};

use crate::auth::redact_tokens;
use crate::error::ApiError;
use crate::params::ParamErrors;

/// Why a question was refused. As the answer to a request it has the form of the API's errors; other protocols ask for its
/// parts.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", self.message())]
pub struct Refusal(Arc<ApiError>);

impl Refusal {
    /// 500 `internal-error`: the service failed. The cause is logged, not told.
    pub fn failure(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        ApiError::internal(cause).into()
    }

    /// 410 `changes-expired`: the changes after `after` are kept only after `known_after`.
    pub fn changes_expired(after: i64, known_after: i64) -> Self {
        ApiError::ChangesExpired { after, known_after }.into()
    }

    /// 400 `invalid-request`, because of one parameter or header.
    pub fn parameter(path: &str, message: impl Into<String>) -> Self {
        let mut errors = ParamErrors::default();
        errors.add(path, message);
        errors.into()
    }

    /// The code that the API has for it (spec, Errors).
    pub fn code(&self) -> &'static str {
        self.0.code().0
    }

    /// What is wrong, and what to do.
    pub fn message(&self) -> String {
        redact_tokens(&self.0.to_string()).into_owned()
    }

    /// Each wrong parameter, with what it accepts.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let ApiError::InvalidRequest(errors) = &*self.0 else {
            return Vec::new();
        };
        let plain = |text| redact_tokens(text).into_owned();
        let named = errors
            .iter()
            .map(|error| (plain(&error.path), plain(&error.message)));
        named.collect()
    }

    /// Whether the service failed: then the question is not counted.
    pub fn is_failure(&self) -> bool {
        self.0.code().1
    }

    /// Logs the cause if the service failed. What is answered to a request is logged by its listener.
    pub fn log(&self) {
        if let ApiError::Internal(cause) | ApiError::Unavailable(cause) = &*self.0 {
            tracing::error!(cause = cause.as_ref(), "answering a question failed");
        }
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self(Arc::new(error))
    }
}

impl From<ParamErrors> for Refusal {
    fn from(errors: ParamErrors) -> Self {
        ApiError::from(errors).into()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        ApiError::shared_response(self.0)
    }
}
