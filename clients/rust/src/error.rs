//! What can go wrong.

use std::time::Duration;

use serde::Deserialize;

use crate::records::{ErrorCode, ErrorDetail};

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service answered with an error.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// The service could not be reached, or its answer could not be read.
    #[error("the service does not answer: {0}")]
    Transport(#[from] ureq::Error),
    /// The answer is not what the service describes.
    #[error("the answer cannot be read: {0}")]
    Answer(#[from] serde_json::Error),
}

/// An error that the service answered with.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The code of the error; `None` if the answer has none, for example because it comes from a proxy.
    pub code: Option<ErrorCode>,
    /// What went wrong and how to fix it.
    pub message: String,
    /// Each wrong parameter, with what is accepted.
    pub details: Vec<ErrorDetail>,
    /// The id of the request, for questions to the operator.
    pub request_id: Option<String>,
    /// How long to wait, if the service says so.
    pub retry_after: Option<Duration>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    error: Inner,
    request_id: Option<String>,
}

#[derive(Deserialize)]
struct Inner {
    code: ErrorCode,
    message: String,
    #[serde(default)]
    details: Vec<ErrorDetail>,
}

impl Refusal {
    /// The error in an answer.
    pub(crate) fn new(status: u16, body: &str, retry_after: Option<Duration>) -> Self {
        let Ok(Envelope { error, request_id }) = serde_json::from_str(body) else {
            return Self {
                status,
                code: None,
                message: format!("the service answered with status {status}"),
                details: Vec::new(),
                request_id: None,
                retry_after,
            };
        };
        Self {
            status,
            code: Some(error.code),
            message: error.message,
            details: error.details,
            request_id,
            retry_after,
        }
    }
}

impl Error {
    /// The answer of the service, if it answered with an error.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}
