//! A listener with its own routes: tokens, plans, the quota, limits, the form of errors and the filters of a search are
//! those of the API.

use std::io;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use futures::future::BoxFuture;
use schema::store::with_timeout;
use schema::{Plan, Timestamp};
use tokio::net::TcpListener;
use tokio::sync::SemaphorePermit;

use crate::admission::Admitted;
use crate::auth::sent_token;
use crate::beside::refusal::Refusal;
use crate::config::ConnectionLimits;
use crate::endpoints::{deadline, locate};
use crate::error::ApiError;
use crate::etag;
use crate::history;
use crate::index::{Circle, Filter, Reach};
use crate::params::{Centre, SearchParams, no_parameters, parse_changes};
use crate::router::router_beside;
use crate::server::serve_router;
use crate::state::ApiState;

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

/// Checks the query of a public route, which takes no parameters.
///
/// # Errors
/// 400 with one entry for each parameter.
pub fn without_parameters(query: &str) -> Result<(), Refusal> {
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
pub async fn permit(api: &ApiState) -> Result<SemaphorePermit<'_>, Refusal> {
    let permit = api.concurrency().acquire().await;
    permit.ok_or_else(|| ApiError::Overloaded.into())
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
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, Refusal> {
        let admitted = Admitted::from_request_parts(parts, api).await?;
        Ok(Self {
            plan: admitted.caller.account.plan,
            at: admitted.at,
            newest_change: admitted.newest_change,
        })
    }
}

/// The current plan of the account that sent a request, or `None` if its token is no longer valid. A stream asks
/// repeatedly, because it can outlive its token.
///
/// # Errors
/// 500 `internal-error` if the token cannot be looked up.
pub fn current_plan<'a>(
    api: &'a ApiState,
    (headers, query): (&'a HeaderMap, &'a str),
) -> BoxFuture<'a, Result<Option<Plan>, Refusal>> {
    Box::pin(async move {
        let Ok(token) = sent_token(headers, query) else {
            return Ok(None);
        };
        let caller = api.directory().find_caller(&token, api.config().now());
        let caller = with_timeout(api.config().store_timeout, caller).await;
        let caller = caller.map_err(Refusal::failure)?;
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
    ) -> BoxFuture<'a, Result<Self, Refusal>> {
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
