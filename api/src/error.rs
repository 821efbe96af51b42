//! Every answer that is not a 2xx or 304: its status, its code, what it says. Statuses are decided here and nowhere
//! else.
//!
//! Handlers return [`ApiError`]; the error envelope's middleware writes it as JSON, with the request's id.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schema::Plan;
use schema::store::StoreError;
use serde::Serialize;

use crate::auth::{TokenFault, without_tokens};
use crate::params::{Fault, Faults};
use crate::quota::RateLimit;

/// When a request that was not taken on had better be sent again.
const SECONDS_OF_OVERLOAD: u64 = 1;

/// Why a request is not answered with what it asked for.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// 400 `invalid-request`: one entry per offending query parameter.
    #[error("{}", summary(.0))]
    InvalidRequest(Vec<Fault>),
    /// 401 `unauthorized`.
    #[error(
        "{0} Send a token of yours as the header `Authorization: Bearer <token>` or `X-Api-Key: <token>`; a new one can \
         be made in the account settings."
    )]
    Unauthorized(TokenFault),
    /// 401 `unauthorized`, after too many such requests from one network.
    #[error(
        "{fault} Too many requests without a valid token came from this address: wait {seconds} seconds before the next \
         one. Requests with a valid token are answered all the while."
    )]
    TooManyAttempts {
        /// Why this one has no account.
        fault: TokenFault,
        /// How long to wait.
        seconds: u64,
    },
    /// 403 `plan-limit-exceeded`: the plan has no history.
    #[error(
        "The plan {} covers live listings only, and includeInactive=true asks for expired ones. Leave includeInactive \
         out, or change to a plan with history: {}.", .0.name(), plans_with_history()
    )]
    NoHistory(Plan),
    /// 404 `not-found`: no such listing, or one outside the plan's history window.
    #[error(
        "There is no listing with this id, or it expired outside the history that the plan covers."
    )]
    NoSuchOffer,
    /// 404 `not-found`: no such path.
    #[error(
        "There is nothing at this path. The service has /v1/offers, /v1/offers/{{offerId}}, /v1/me, /health and \
         /openapi.json."
    )]
    UnknownPath,
    /// 405 `invalid-request`.
    #[error("The interface is read-only: this path answers GET and HEAD.")]
    MethodNotAllowed,
    /// 413 `payload-too-large`.
    #[error(
        "The request carries a body of more than {limit} bytes; requests to this interface need none."
    )]
    PayloadTooLarge {
        /// The most that is let pass, in bytes.
        limit: u64,
    },
    /// 414 `invalid-request`.
    #[error("The request's path and query are longer than {limit} bytes; shorten the query.")]
    UriTooLong {
        /// The most that is read, in bytes.
        limit: usize,
    },
    /// 431 `invalid-request`.
    #[error(
        "The request's headers are more than {lines}, or together longer than {bytes} bytes; leave out what this \
         interface does not need."
    )]
    HeadTooLarge {
        /// The most headers that are let pass.
        lines: usize,
        /// The most bytes of them.
        bytes: usize,
    },
    /// 429 `quota-exceeded`.
    #[error(
        "The monthly quota of {} requests is exhausted. It renews on {}; a larger plan renews it at once.",
        .0.limit, .0.resets_at
    )]
    QuotaExceeded(RateLimit),
    /// 500 `internal-error`, with the cause, which is logged and not sent.
    #[error(
        "Something went wrong on the side of the service. The request was not counted; try it again."
    )]
    Internal(#[source] Box<dyn Error + Send + Sync>),
    /// 500 `internal-error`, with `Retry-After`: more requests than are taken on.
    #[error(
        "The service has more to do than it can: the request was not begun and not counted; try it again shortly."
    )]
    Overloaded,
    /// 503 `internal-error`: the database does not answer.
    #[error("The database cannot be reached.")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// 504 `query-timeout`.
    #[error(
        "The search ran longer than {} and was stopped; it was not counted. Narrow it: name an offerType, a type and a \
         district, or give a centre with a smaller radiusMeters.", seconds(*.0)
    )]
    QueryTimeout(Duration),
}

/// The codes that clients branch on (spec, Errors).
pub mod code {
    /// 401.
    pub const UNAUTHORIZED: &str = "unauthorized";
    /// 403: the token has no access. No token of this service is barred from a request that its plan allows.
    pub const FORBIDDEN: &str = "forbidden";
    /// 403: the plan has no access.
    pub const PLAN_LIMIT_EXCEEDED: &str = "plan-limit-exceeded";
    /// 404.
    pub const NOT_FOUND: &str = "not-found";
    /// 400, 405, 414, 431.
    pub const INVALID_REQUEST: &str = "invalid-request";
    /// 413.
    pub const PAYLOAD_TOO_LARGE: &str = "payload-too-large";
    /// 429.
    pub const QUOTA_EXCEEDED: &str = "quota-exceeded";
    /// 504.
    pub const QUERY_TIMEOUT: &str = "query-timeout";
    /// 500, 503.
    pub const INTERNAL_ERROR: &str = "internal-error";
}

impl ApiError {
    /// The status and the code.
    pub fn answer(&self) -> (StatusCode, &'static str) {
        match self {
            Self::InvalidRequest(_) => (StatusCode::BAD_REQUEST, code::INVALID_REQUEST),
            Self::Unauthorized(_) | Self::TooManyAttempts { .. } => {
                (StatusCode::UNAUTHORIZED, code::UNAUTHORIZED)
            }
            Self::NoHistory(_) => (StatusCode::FORBIDDEN, code::PLAN_LIMIT_EXCEEDED),
            Self::NoSuchOffer | Self::UnknownPath => (StatusCode::NOT_FOUND, code::NOT_FOUND),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, code::INVALID_REQUEST),
            Self::PayloadTooLarge { .. } => {
                (StatusCode::PAYLOAD_TOO_LARGE, code::PAYLOAD_TOO_LARGE)
            }
            Self::UriTooLong { .. } => (StatusCode::URI_TOO_LONG, code::INVALID_REQUEST),
            Self::HeadTooLarge { .. } => (
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                code::INVALID_REQUEST,
            ),
            Self::QuotaExceeded(_) => (StatusCode::TOO_MANY_REQUESTS, code::QUOTA_EXCEEDED),
            Self::Internal(_) | Self::Overloaded => {
                (StatusCode::INTERNAL_SERVER_ERROR, code::INTERNAL_ERROR)
            }
            Self::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, code::INTERNAL_ERROR),
            Self::QueryTimeout(_) => (StatusCode::GATEWAY_TIMEOUT, code::QUERY_TIMEOUT),
        }
    }

    /// The error behind a fault of the service itself.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// The envelope (spec, Errors), with the request's id.
    pub fn envelope(&self, request_id: &str) -> Response {
        let (_, code) = self.answer();
        let details = match self {
            Self::InvalidRequest(faults) => Some(faults.iter().map(shown).collect()),
            _ => None,
        };
        let message = without_tokens(&self.to_string()).into_owned();
        let envelope = Envelope {
            error: Body {
                code,
                message,
                details,
            },
            request_id,
        };
        let body = serde_json::to_vec(&envelope).unwrap_or_default();
        let mut response = self.bare();
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        *response.body_mut() = body.into();
        response
    }

    /// The status and the headers that belong to it.
    fn bare(&self) -> Response {
        let mut response = self.answer().0.into_response();
        let headers = response.headers_mut();
        match self {
            Self::Unauthorized(fault) => {
                headers.insert(
                    header::WWW_AUTHENTICATE,
                    HeaderValue::from_static(fault.challenge()),
                );
            }
            Self::TooManyAttempts { fault, seconds } => {
                headers.insert(
                    header::WWW_AUTHENTICATE,
                    HeaderValue::from_static(fault.challenge()),
                );
                headers.insert(header::RETRY_AFTER, HeaderValue::from(*seconds));
            }
            Self::MethodNotAllowed => {
                headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            }
            Self::PayloadTooLarge { .. } => {
                // The body is not read, so what follows it on the connection cannot be either.
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            Self::UriTooLong { .. } => {
                // A cache may keep a 414 unless told otherwise (RFC 9110, 15.1).
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            Self::QuotaExceeded(limit) => {
                headers.insert(
                    header::RETRY_AFTER,
                    HeaderValue::from(limit.seconds_to_reset()),
                );
                response.extensions_mut().insert(*limit);
            }
            Self::Overloaded => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(SECONDS_OF_OVERLOAD));
            }
            _ => {}
        }
        response
    }
}

/// The response has status and headers; the middleware that knows the request's id writes the body.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.bare();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

impl From<Faults> for ApiError {
    fn from(faults: Faults) -> Self {
        Self::InvalidRequest(faults.into_entries())
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        Self::InvalidRequest(vec![fault])
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    error: Body,
    request_id: &'a str,
}

#[derive(Serialize)]
struct Body {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Vec<Fault>>,
}

/// A fault as it is sent: what it repeats of the query may be a token in the wrong place.
fn shown(fault: &Fault) -> Fault {
    Fault {
        path: without_tokens(&fault.path).into_owned(),
        message: without_tokens(&fault.message).into_owned(),
    }
}

/// Parameters that the message of a 400 names; `details` has them all.
const NAMED: usize = 30;
/// How much of each it repeats, in characters.
const NAMED_LENGTH: usize = 60;

fn summary(faults: &[Fault]) -> String {
    let paths: Vec<String> = faults
        .iter()
        .take(NAMED)
        .map(|fault| cut(&fault.path))
        .collect();
    let more = match faults.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "The query is not valid: correct or leave out {}{more}. See details.",
        paths.join(", ")
    )
}

fn cut(path: &str) -> String {
    match path.char_indices().nth(NAMED_LENGTH) {
        Some((end, _)) => format!("{}…", path.split_at(end).0),
        None => path.to_owned(),
    }
}

fn plans_with_history() -> String {
    let names: Vec<&str> = Plan::ALL
        .into_iter()
        .filter(|plan| plan.history_months() > 0)
        .map(Plan::name)
        .collect();
    names.join(", ")
}

fn seconds(duration: Duration) -> String {
    if duration.subsec_millis() == 0 && !duration.is_zero() {
        format!("{} seconds", duration.as_secs())
    } else {
        format!("{} milliseconds", duration.as_millis())
    }
}
