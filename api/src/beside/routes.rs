//! A listener with its own routes: tokens, plans, the quota, limits, the form of errors and the filters of a search are
//! those of the API.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use futures::future::BoxFuture;
use schema::{Plan, Timestamp};
use tokio::net::TcpListener;
use tokio::sync::SemaphorePermit;

use crate::admission::Admitted;
use crate::auth::sent_token;
use crate::config::ConnectionLimits;
use crate::endpoints::{deadline, locate};
use crate::error::ApiError;
use crate::etag;
use crate::history;
use crate::index::{Circle, Filter, Reach};
use crate::params::{Centre, ParamErrors, SearchParams, no_parameters, parse_changes};
use crate::router::router_beside;
use crate::server::serve_router;
use crate::state::ApiState;
use crate::timeout::with_timeout;

/// The routes of a listener.
pub struct Routes {
    /// They need a token and are counted.
    pub counted: Router<ApiState>,
    /// They need no token. `/health` is added.
    pub public: Router<ApiState>,
    /// All paths in words, for the answer to any other path.
    pub paths: &'static str,
}

/// Serves routes beside the API until `shutdown` completes, like [`crate::serve`] but with these limits on connections.
///
/// # Errors
/// None at present: an error on one connection does not affect the others.
pub fn serve_beside(
    listener: TcpListener,
    api: ApiState,
    routes: Routes,
    limits: ConnectionLimits,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    let drain_timeout = api.config().drain_timeout;
    let service = router_beside(api, (routes.counted, routes.public), routes.paths);
    serve_router(listener, service, (limits, drain_timeout), shutdown)
}

/// Why a request is refused, in the form of the API's errors.
#[derive(Debug)]
pub struct Refused(ApiError);

impl Refused {
    /// 500 `internal-error`: the cause is logged and not sent.
    pub fn failed(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(ApiError::internal(cause))
    }

    /// 410 `changes-expired`: the changes after `after` are kept only after `known_after`.
    pub fn changes_expired(after: i64, known_after: i64) -> Self {
        Self(ApiError::ChangesExpired { after, known_after })
    }

    /// 400 `invalid-request`, because of one parameter or header.
    pub fn parameter(path: &str, message: impl Into<String>) -> Self {
        let mut errors = ParamErrors::default();
        errors.add(path, message);
        Self(errors.into())
    }
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl From<ParamErrors> for Refused {
    fn from(errors: ParamErrors) -> Self {
        Self(errors.into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

/// Checks the query of a public route, which takes no parameters.
///
/// # Errors
/// 400 with one entry for each parameter.
pub fn without_parameters(query: &str) -> Result<(), Refused> {
    Ok(no_parameters(query)?)
}

/// The answer 200 with a JSON body and its tag, or 304 if the request's `If-None-Match` matches the tag.
pub fn tagged_json(request: &HeaderMap, body: Bytes) -> Response {
    etag::json_response(request, body)
}

/// Waits for a permit to work on a request, as requests of the API do. Hold it while the database is asked, and not while
/// waiting for something to happen.
///
/// # Errors
/// 500 `internal-error` if too many requests wait already.
pub async fn permit(api: &ApiState) -> Result<SemaphorePermit<'_>, Refused> {
    let permit = api.concurrency().acquire().await;
    permit.ok_or(Refused(ApiError::Overloaded))
}

/// Who sent a request that was counted.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The plan of the account.
    pub plan: Plan,
    /// When the request arrived.
    pub at: Timestamp,
    /// The newest change of a record when the request was counted.
    pub newest_change: i64,
}

impl FromRequestParts<ApiState> for Reader {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, Refused> {
        let admitted = Admitted::from_request_parts(parts, api).await?;
        Ok(Self {
            plan: admitted.caller.account.plan,
            at: admitted.at,
            newest_change: admitted.newest_change,
        })
    }
}

/// The current plan of the account that sent a request, or `None` if its token is no longer valid. A stream asks again and
/// again, because it lasts longer than a revoked token may be accepted.
///
/// # Errors
/// 500 `internal-error` if the token cannot be looked up.
pub fn current_plan<'a>(
    api: &'a ApiState,
    (headers, query): (&'a HeaderMap, &'a str),
) -> BoxFuture<'a, Result<Option<Plan>, Refused>> {
    Box::pin(async move {
        let Ok(token) = sent_token(headers, query) else {
            return Ok(None);
        };
        let caller = api.directory().find_caller(&token, api.config().now());
        let caller = with_timeout(api.config().store_timeout, caller).await;
        let caller = caller.map_err(Refused::failed)?;
        Ok(caller.map(|caller| caller.account.plan))
    })
}

/// A valid read of changes.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangesRequest {
    /// The number after which to read; `None` if it was not sent.
    pub after: Option<i64>,
    /// The largest number of changes in the answer.
    pub limit: u32,
    /// How long to wait for a change; `None` if it was not sent.
    pub wait: Option<Duration>,
    /// What an offer must be like to be shown.
    pub filter: Filter,
}

impl ChangesRequest {
    /// Parses a query, and finds the position of its address.
    ///
    /// # Errors
    /// 400 for invalid parameters, 403 if the plan lacks the history that is asked for, 504 if finding the address takes
    /// too long.
    pub fn parse<'a>(
        api: &'a ApiState,
        reader: Reader,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Self, Refused>> {
        Box::pin(async move {
            let deadline = deadline(Instant::now(), api.config().search_timeout);
            let (params, mut errors) = parse_changes(query);
            let located = match &params.search.centre {
                Some(Centre::Address(text)) if !errors.has("address") => {
                    let located = locate(api, text, deadline, &mut errors).await?;
                    located.map(|located| located.location)
                }
                Some(Centre::Point(point)) => Some(*point),
                _ => None,
            };
            if !errors.is_empty() {
                return Err(errors.into());
            }
            let search = &params.search;
            if search.include_inactive && reader.plan.history_months() == 0 {
                return Err(ApiError::NoHistory(reader.plan).into());
            }
            Ok(Self {
                after: params.after,
                limit: search.limit,
                wait: params.wait,
                filter: Filter {
                    criteria: search.criteria.clone(),
                    circle: located.map(|centre| Circle::new(centre, search.radius_meters)),
                    reach: reach(search, reader),
                },
            })
        })
    }
}

fn reach(search: &SearchParams, reader: Reader) -> Reach {
    if search.include_inactive {
        Reach::ExpiredSince(history::window_start(reader.plan, reader.at, reader.at))
    } else {
        Reach::Live
    }
}
