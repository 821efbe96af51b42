//! Every answer that is not a 2xx or 304: its status, its code and its message. Statuses of errors are decided here and
//! nowhere else.
//!
//! Handlers return an [`ApiError`]. The `envelope` middleware writes it as JSON with the id of the request.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schema::Plan;
use schema::store::StoreError;

use crate::auth::{TokenError, redact_tokens};
use crate::bodies::{ErrorBody, ErrorContent, ErrorDetail};
use crate::error_code as code;
use crate::params::{ParamError, ParamErrors};
use crate::quota::RateLimit;

/// The `Retry-After` of an overloaded service, in seconds.
const RETRY_AFTER_OVERLOAD: u64 = 1;

/// Why a request gets an error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// 400 `invalid-request`: one entry per offending query parameter.
    #[error("{}", summary(.0))]
    InvalidRequest(Vec<ParamError>),
    /// 400 `invalid-request`: an HTTP/1.1 request without a `Host`, or any request with several or an invalid one.
    #[error("The request must name the host in exactly one Host header (RFC 9112, 3.2).")]
    BadHost,
    /// 401 `unauthorized`.
    #[error(
        "{0} Send your token in the header `Authorization: Bearer <token>` or `X-Api-Key: <token>`; you can create a \
         new one in the account settings."
    )]
    Unauthorized(TokenError),
    /// 401 `unauthorized`, after too many requests without a valid token from one network.
    #[error(
        "{reason} This address sent too many requests without a valid token: wait {} before the next one. \
         Requests with a valid token are still answered.", counted(*.seconds, "second")
    )]
    TooManyAttempts {
        /// Why this request has no account.
        reason: TokenError,
        /// How long to wait, in seconds.
        seconds: u64,
    },
    /// 403 `plan-limit-exceeded`: the plan has no history.
    #[error(
        "The plan {} covers live listings only, and includeInactive=true asks for expired ones. Remove \
         includeInactive, or change to a plan with history: {}.", .0.name(), plans_with_history()
    )]
    NoHistory(Plan),
    /// 404 `not-found`: no such listing, or it expired outside the plan's history window.
    #[error(
        "There is no listing with this id, or it expired before the history that your plan covers."
    )]
    NoSuchOffer,
    /// 404 `not-found`: no such path.
    #[error(
        "This path does not exist. The paths are /v1/offers, /v1/offers/{{offerId}}, /v1/me, /health and \
         /openapi.json."
    )]
    UnknownPath,
    /// 404 `not-found`: no such path on a server beside the API.
    #[error("This path does not exist here.")]
    UnknownPathHere,
    /// 404 `not-found`: no such path on a listener beside the API.
    #[error("This path does not exist. The paths are {0}.")]
    UnknownPathBeside(&'static str),
    /// 410 `changes-expired`: changes before the ones that are kept were asked for.
    #[error(
        "The changes up to number {known_after} are no longer kept, so a copy that has seen only number {after} cannot be \
         brought up to date. Start again: take an export or read all pages of /v1/offers, and then read the changes after \
         the number that the export names, or after the number that /changes without `after` named before the first page."
    )]
    ChangesExpired {
        /// The number that was sent.
        after: i64,
        /// Everything after this number is kept.
        known_after: i64,
    },
    /// 405 `invalid-request`.
    #[error("This API is read-only: send GET or HEAD.")]
    MethodNotAllowed,
    /// 413 `payload-too-large`.
    #[error("The request body is larger than {limit} bytes. {advice}")]
    PayloadTooLarge {
        /// The largest accepted body, in bytes.
        limit: u64,
        /// What to do instead.
        advice: &'static str,
    },
    /// 400 `invalid-request`: the body of a request did not arrive in time.
    #[error("The request body did not arrive in time. Send the whole request at once.")]
    IncompleteBody,
    /// 414 `invalid-request`.
    #[error("The path and query are longer than {limit} bytes. Shorten the query.")]
    UriTooLong {
        /// The longest accepted path and query, in bytes.
        limit: usize,
    },
    /// 431 `invalid-request`.
    #[error(
        "The request has more than {lines} headers, or more than {bytes} bytes of headers. Remove headers that this \
         API does not need."
    )]
    HeadTooLarge {
        /// The largest accepted number of headers.
        lines: usize,
        /// The largest accepted size of all headers, in bytes.
        bytes: usize,
    },
    /// 429 `quota-exceeded`.
    #[error(
        "The monthly quota of {} is used up. It renews at {}; a larger plan takes effect within a minute.",
        counted(u64::from(.0.limit), "request"), .0.resets_at
    )]
    QuotaExceeded(RateLimit),
    /// 500 `internal-error`, with the cause, which is logged but not sent.
    #[error("The service failed to answer this request. The request was not counted; try again.")]
    Internal(#[source] Box<dyn Error + Send + Sync>),
    /// 500 `internal-error` with `Retry-After`: too many requests at once.
    #[error(
        "The service is overloaded. The request was neither started nor counted; try again in a second."
    )]
    Overloaded,
    /// 503 `internal-error`: the database does not answer a health check.
    #[error("The database cannot be reached.")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// 504 `query-timeout`.
    #[error(
        "The search took longer than {} and was stopped. It was not counted. Narrow the search: add offerType, type \
         and district, or a centre with a smaller radiusMeters.", seconds(*.0)
    )]
    QueryTimeout(Duration),
}

impl ApiError {
    /// The status and the code.
    fn status_and_code(&self) -> (StatusCode, &'static str) {
        match self {
            Self::InvalidRequest(_) | Self::BadHost | Self::IncompleteBody => {
                (StatusCode::BAD_REQUEST, code::INVALID_REQUEST)
            }
            Self::Unauthorized(_) | Self::TooManyAttempts { .. } => {
                (StatusCode::UNAUTHORIZED, code::UNAUTHORIZED)
            }
            Self::NoHistory(_) => (StatusCode::FORBIDDEN, code::PLAN_LIMIT_EXCEEDED),
            Self::NoSuchOffer
            | Self::UnknownPath
            | Self::UnknownPathHere
            | Self::UnknownPathBeside(_) => (StatusCode::NOT_FOUND, code::NOT_FOUND),
            Self::ChangesExpired { .. } => (StatusCode::GONE, code::CHANGES_EXPIRED),
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

    /// The code, and whether the service failed, so that the request is not counted.
    pub(crate) fn code(&self) -> (&'static str, bool) {
        let (status, code) = self.status_and_code();
        (code, status.is_server_error())
    }

    /// A failure of the service itself, with its cause.
    pub(crate) fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// The whole response: status, headers and JSON body (spec, Errors), with the id of the request.
    pub(crate) fn to_response(&self, request_id: &str) -> Response {
        let (_, code) = self.status_and_code();
        let details = match self {
            Self::InvalidRequest(errors) => Some(errors.iter().map(detail).collect()),
            _ => None,
        };
        let body = ErrorBody {
            error: ErrorContent {
                code,
                message: redact_tokens(&self.to_string()).into_owned(),
                details,
            },
            request_id,
        };
        let body = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = self.without_body();
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        *response.body_mut() = body.into();
        response
    }

    /// A response with only status and headers. The `envelope` middleware, which knows the id of the request, writes the
    /// body.
    pub(crate) fn shared_response(error: Arc<Self>) -> Response {
        let mut response = error.without_body();
        response.extensions_mut().insert(error);
        response
    }

    /// The status and the headers that belong to it.
    fn without_body(&self) -> Response {
        let mut response = self.status_and_code().0.into_response();
        let headers = response.headers_mut();
        match self {
            Self::Unauthorized(reason) | Self::TooManyAttempts { reason, .. } => {
                headers.insert(
                    header::WWW_AUTHENTICATE,
                    HeaderValue::from_static(reason.challenge()),
                );
                if let Self::TooManyAttempts { seconds, .. } = self {
                    headers.insert(header::RETRY_AFTER, HeaderValue::from(*seconds));
                }
            }
            Self::MethodNotAllowed => {
                headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            }
            Self::PayloadTooLarge { .. } => {
                // The body is not read, so the connection cannot be used for another request.
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            Self::UriTooLong { .. } => {
                // Caches may store a 414 unless told otherwise (RFC 9110, 15.1).
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
                headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_OVERLOAD));
            }
            _ => {}
        }
        response
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        Self::shared_response(Arc::new(self))
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

impl From<ParamErrors> for ApiError {
    fn from(errors: ParamErrors) -> Self {
        Self::InvalidRequest(errors.into_entries())
    }
}

/// The entry of `details` for one parameter. It repeats parts of the query, so it may contain a token that was sent in
/// the wrong place.
fn detail(error: &ParamError) -> ErrorDetail {
    ErrorDetail {
        path: redact_tokens(&error.path).into_owned(),
        message: redact_tokens(&error.message).into_owned(),
    }
}

/// The number of parameters that the message of a 400 lists; `details` has all of them.
const LISTED: usize = 30;
/// The part of each name that it repeats, in characters.
const LISTED_LENGTH: usize = 60;

fn summary(errors: &[ParamError]) -> String {
    let paths: Vec<String> = errors
        .iter()
        .take(LISTED)
        .map(|error| cut(&error.path))
        .collect();
    let more = match errors.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "The query is invalid. Correct or remove these parameters: {}{more}. See details.",
        paths.join(", ")
    )
}

fn cut(path: &str) -> String {
    if path.is_empty() {
        return "a parameter without a name".to_owned();
    }
    match path.char_indices().nth(LISTED_LENGTH) {
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
        counted(duration.as_secs(), "second")
    } else {
        counted(duration.as_millis() as u64, "millisecond")
    }
}

/// A number of things: `1 second`, `2 seconds`.
fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}
