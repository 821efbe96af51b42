//! Whether a request is answered: its form and size are accepted (400, 413, 414, 431). Under `/v1` it also needs a valid
//! token (401), and a quota that is not used up (429).

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Version, header};
use axum::response::{IntoResponse, Response};
use schema::store::with_timeout;
use schema::{Month, Timestamp};

use crate::auth::{Caller, Network, Token, TokenError, sent_token};
use crate::error::ApiError;
use crate::middleware::envelope::catch_panic;
use crate::middleware::limits::{BodyRead, UNUSED_BODY, fault_of_head, read_body};
use crate::private_paths::is_private;
use crate::quota::{Outcome, RateLimit};
use crate::request_id::ArrivedAt;
use crate::state::ApiState;

/// Admits a request with a valid token without counting it, and reports the quota of its account.
///
/// # Errors
/// 401 without a valid token; 500 if the database fails.
pub(crate) async fn authenticate(
    api: &ApiState,
    mut request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Result<Response, ApiError> {
    let now = arrived_at(&request);
    let caller = find_caller(api, &request, now).await?;
    let limit = rate_limit(api, &caller, now).await?;
    let account = caller.account.id;
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(limit);
    let mut response = next(request).await;
    response.extensions_mut().insert(limit);
    response.extensions_mut().insert(account);
    Ok(response)
}

/// Admits a request with a valid token and counts it, unless the quota is used up. If the answer is a failure of the
/// service or a timeout, the count is given back. If the client disconnects, the request stays counted.
///
/// # Errors
/// 401 without a valid token; 500 if the database fails. A used-up quota is the answer 429.
pub(crate) async fn authenticate_and_count(
    api: &ApiState,
    mut request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Result<Response, ApiError> {
    let (now, started) = (arrived_at(&request), Instant::now());
    let caller = find_caller(api, &request, now).await?;
    let (account, limit) = (caller.account.id, caller.account.requests_per_month());
    let (mut used, newest_change) = match reserve(api, &caller, now, started).await? {
        Outcome::Counted {
            used,
            newest_change,
        } => (used, newest_change),
        Outcome::Exhausted(used) => {
            let mut response =
                ApiError::QuotaExceeded(RateLimit::new(limit, used, now)).into_response();
            response.extensions_mut().insert(account);
            return Ok(response);
        }
    };
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(NewestChange(newest_change));
    let mut response = catch_panic(request, next).await;
    if response.status().is_server_error() {
        let month = Month::containing(now);
        api.reservations().give_back(account, month).await;
        used = used.saturating_sub(1);
    }
    response
        .extensions_mut()
        .insert(RateLimit::new(limit, used, now));
    response.extensions_mut().insert(account);
    Ok(response)
}

/// Counts a request that arrived at `now`, unless the quota is used up.
///
/// # Errors
/// 500 if the database fails, or does not answer within its time since `started`.
pub(crate) async fn reserve(
    api: &ApiState,
    caller: &Caller,
    now: Timestamp,
    started: Instant,
) -> Result<Outcome, ApiError> {
    let (account, limit) = (caller.account.id, caller.account.requests_per_month());
    let time_left = api.config().store_timeout.saturating_sub(started.elapsed());
    api.reservations()
        .reserve(account, Month::containing(now), limit, time_left)
        .await
        .map_err(ApiError::internal)
}

/// Refuses requests that exceed a limit or do not name one host, before anything else is looked at. The body of a request
/// is read here and dropped. If it does not arrive in time, the request is answered all the same, and the connection
/// closes.
pub(crate) async fn refuse_faulty(
    api: &ApiState,
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    if let Some(fault) = fault_of_head(&request, UNUSED_BODY) {
        return uncounted(api, request, fault).await;
    }
    let (parts, body) = request.into_parts();
    let read = read_body(body, api.config().connections.head_timeout).await;
    let request = Request::from_parts(parts, Body::empty());
    let must_close = match read {
        BodyRead::TooLarge(fault) => return uncounted(api, request, fault).await,
        BodyRead::Incomplete => request.version() < Version::HTTP_2,
        BodyRead::Complete => false,
    };
    let mut response = next(request).await;
    if must_close {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

/// Answers any method other than GET and HEAD.
pub(crate) async fn method_not_allowed(State(api): State<ApiState>, request: Request) -> Response {
    uncounted(&api, request, ApiError::MethodNotAllowed).await
}

/// Answers with an error without counting the request. If it has a valid token, the answer reports the quota.
async fn uncounted(api: &ApiState, request: Request, error: ApiError) -> Response {
    let now = arrived_at(&request);
    let mut response = error.into_response();
    // Elsewhere no token is needed, and none is looked for.
    if !is_private(request.uri().path()) {
        return response;
    }
    if let Ok(caller) = find_caller(api, &request, now).await
        && let Ok(limit) = rate_limit(api, &caller, now).await
    {
        response.extensions_mut().insert(limit);
        response.extensions_mut().insert(caller.account.id);
    }
    response
}

/// The network that a request came from, known from its connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub Network);

/// Is called when a request on a connection has shown a valid token, before the request is answered: an answer may wait for
/// minutes.
#[derive(Clone)]
pub(crate) struct OnValidToken(pub Arc<dyn Fn() + Send + Sync>);

/// Finds the account behind a request. A request without a valid token counts as a failed attempt of its network. After
/// too many of them, tokens that this process has never seen are only compared with the list of valid tokens, and a
/// refusal says how long to wait.
///
/// This is not an `async fn`: a `&Request` cannot be held across an await, because bodies are not `Sync`.
pub(crate) fn find_caller<'a>(
    api: &'a ApiState,
    request: &Request,
    now: Timestamp,
) -> impl Future<Output = Result<Caller, ApiError>> + use<'a> {
    let peer = request.extensions().get::<Peer>().copied();
    let on_valid = request.extensions().get::<OnValidToken>().cloned();
    let token = token(request);
    let timeout = api.config().store_timeout;
    async move {
        let refuse = |reason| {
            let wait = peer.and_then(|Peer(network)| api.failed_auth().record(network, now));
            match wait {
                None => ApiError::Unauthorized(reason),
                Some(seconds) => ApiError::TooManyAttempts { reason, seconds },
            }
        };
        let token = token.map_err(refuse)?;
        let caller = match peer {
            Some(Peer(network)) if api.failed_auth().is_exceeded(network, now) => {
                let caller = api.directory().find_caller_if_listed(&token, now);
                with_timeout(timeout, caller).await?
            }
            _ => with_timeout(timeout, api.directory().find_caller(&token, now)).await?,
        };
        let caller = caller.ok_or_else(|| refuse(TokenError::Invalid))?;
        if let Some(OnValidToken(tell)) = on_valid {
            tell();
        }
        Ok(caller)
    }
}

fn token(request: &Request) -> Result<Token, TokenError> {
    sent_token(request.headers(), request.uri().query().unwrap_or_default())
}

/// How much of the quota of an account is used.
///
/// # Errors
/// 500 if the database fails.
pub(crate) async fn rate_limit(
    api: &ApiState,
    caller: &Caller,
    now: Timestamp,
) -> Result<RateLimit, ApiError> {
    let used = api.usage().used(caller.account.id, Month::containing(now));
    let used = tokio::time::timeout(api.config().store_timeout, used)
        .await
        .map_err(ApiError::internal)?
        .map_err(ApiError::internal)?;
    Ok(RateLimit::new(
        caller.account.requests_per_month(),
        used,
        now,
    ))
}

/// When a request arrived.
pub(crate) fn arrived_at(request: &Request) -> Timestamp {
    request
        .extensions()
        .get::<ArrivedAt>()
        .map_or(Timestamp(0), |at| at.0)
}

/// The newest change of a record when a request was counted.
#[derive(Debug, Clone, Copy)]
struct NewestChange(i64);

/// An admitted request, for handlers behind [`authenticate`] or [`authenticate_and_count`].
pub(crate) struct Admitted {
    /// The token and the account.
    pub caller: Caller,
    /// When the request arrived.
    pub at: Timestamp,
    /// The newest change of a record when the request was counted; 0 if it is not counted.
    pub newest_change: i64,
}

impl axum::extract::FromRequestParts<ApiState> for Admitted {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &ApiState) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        let at = parts.extensions.get::<ArrivedAt>().copied();
        let newest_change = parts.extensions.get().map_or(0, |NewestChange(it)| *it);
        match (caller, at) {
            (Some(caller), Some(ArrivedAt(at))) => Ok(Self {
                caller,
                at,
                newest_change,
            }),
            _ => Err(ApiError::internal(
                "a route of /v1 lacks its authentication layer",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::{Next, from_fn, from_fn_with_state};
    use axum::routing::get;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use schema::Plan;
    use schema::store::{accounts, usage};
    use tower::ServiceExt;

    use super::*;

    async fn counted(
        State(api): State<ApiState>,
        request: Request,
        next: Next,
    ) -> Result<Response, ApiError> {
        authenticate_and_count(&api, request, async |request| next.run(request).await).await
    }

    async fn enveloped(request: Request, next: Next) -> Response {
        write_envelope(request, async |request| next.run(request).await).await
    }
    use crate::middleware::envelope::write_envelope;
    use crate::{ApiConfig, issue_token};

    /// Spec, Errors 15: internal-error is 500.
    /// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
    #[tokio::test]
    async fn a_panic_is_500_and_given_back() {
        support::on_each_database(async |db| {
            let now = Timestamp(1_784_116_800_000);
            let config = ApiConfig::new("http://here", Arc::new(move || now));
            let api = ApiState::start(db.clone(), config, [7; 32]).await.unwrap();
            let account = accounts::create(&db, "somebody", Plan::Free, None, now)
                .await
                .unwrap();
            let issued = issue_token(&db, account.id, &mut StdRng::seed_from_u64(1), now)
                .await
                .unwrap();
            let faulty = Router::new()
                .route("/", get(async || -> () { panic!("a fault") }))
                .route_layer(from_fn_with_state(api.clone(), counted))
                .layer(from_fn(enveloped))
                .with_state(api.clone());
            let mut request = Request::new(Body::empty());
            request
                .headers_mut()
                .insert("x-api-key", issued.token.expose().parse().unwrap());
            request.extensions_mut().insert(ArrivedAt(now));
            let response = faulty.oneshot(request).await.unwrap();
            assert_eq!(response.status(), 500);
            assert_eq!(
                response
                    .extensions()
                    .get::<RateLimit>()
                    .map(|limit| limit.remaining),
                Some(10)
            );
            let body = axum::body::to_bytes(response.into_body(), 10_000)
                .await
                .unwrap();
            let body = String::from_utf8(body.to_vec()).unwrap();
            assert!(
                body.contains("internal-error") && !body.contains("a fault"),
                "{body}"
            );
            assert_eq!(
                usage::used(&db, account.id, Month::containing(now))
                    .await
                    .unwrap(),
                0
            );
        })
        .await;
    }
}
