//! Why a question was refused, in the words of the API.

use crate::auth::redact_tokens;
use crate::error::ApiError;

/// Why a question was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The code that the API has for it (spec, Errors).
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
    /// Each wrong parameter, with what it accepts.
    pub parameters: Vec<(String, String)>,
    /// Whether the service failed: then the question is not counted.
    pub is_failure: bool,
}

impl From<ApiError> for Refusal {
    /// The cause of a failure is logged, not told.
    fn from(error: ApiError) -> Self {
        if let ApiError::Internal(cause) | ApiError::Unavailable(cause) = &error {
            tracing::error!(cause = cause.as_ref(), "answering a question failed");
        }
        let (code, is_failure) = error.code();
        let message = redact_tokens(&error.to_string()).into_owned();
        let parameters = match error {
            ApiError::InvalidRequest(errors) => errors
                .into_iter()
                .map(|error| {
                    [error.path, error.message].map(|text| redact_tokens(&text).into_owned())
                })
                .map(|[name, message]| (name, message))
                .collect(),
            _ => Vec::new(),
        };
        Self {
            code,
            message,
            parameters,
            is_failure,
        }
    }
}

impl Refusal {
    /// A failure of the service. The cause is logged, not told.
    pub fn failure(cause: String) -> Self {
        ApiError::internal(cause).into()
    }
}
