//! The way into `/v1`: who asks (401), and whether the quota allows it (429).

use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use schema::store::usage;
use schema::{Month, Timestamp};

use crate::auth::{Caller, Network, Token, TokenFault, credential};
use crate::error::ApiError;
use crate::middleware::envelope::catch_panic;
use crate::middleware::request_id::ArrivedAt;
use crate::patience::in_time;
use crate::quota::{Outcome, RateLimit};
use crate::state::ApiState;

/// Lets a request with a valid token in, free of charge, and tells the state of its account's quota.
pub async fn free(
    State(api): State<ApiState>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let now = arrived_at(&request);
    let caller = caller(&api, &request, now).await?;
    let limit = rate_limit(&api, &caller, now).await?;
    let account = caller.account.id;
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(limit);
    let mut response = next.run(request).await;
    response.extensions_mut().insert(limit);
    response.extensions_mut().insert(account);
    Ok(response)
}

/// Lets a request with a valid token in and counts it, unless the quota is exhausted. The count is given back where the
/// answer is a fault of the service or a time-out; it stays where the client went away.
pub async fn counted(
    State(api): State<ApiState>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (now, begun) = (arrived_at(&request), Instant::now());
    let caller = caller(&api, &request, now).await?;
    let (account, limit) = (caller.account.id, caller.account.requests_per_month());
    let month = Month::of(now);
    let patience = api.config().store_timeout.saturating_sub(begun.elapsed());
    let counted = api
        .reservations()
        .reserve(account, month, limit, patience)
        .await;
    let outcome = counted.map_err(ApiError::internal)?;
    let mut used = match outcome {
        Outcome::Counted(used) => used,
        Outcome::Exhausted(used) => {
            let mut response =
                ApiError::QuotaExceeded(RateLimit::new(limit, used, now)).into_response();
            response.extensions_mut().insert(account);
            return Ok(response);
        }
    };
    request.extensions_mut().insert(caller);
    let mut response = catch_panic(request, next).await;
    // What counts: whatever the client was served or could have avoided.
    if response.status().is_server_error() {
        api.reservations().give_back(account, month).await;
        used = used.saturating_sub(1);
    }
    response
        .extensions_mut()
        .insert(RateLimit::new(limit, used, now));
    response.extensions_mut().insert(account);
    Ok(response)
}

/// Answers another method than GET and HEAD: not counted, whoever asks; an account that asks learns its quota.
pub async fn method_not_allowed(State(api): State<ApiState>, request: Request) -> Response {
    let now = arrived_at(&request);
    let mut response = ApiError::MethodNotAllowed.into_response();
    if let Ok(caller) = caller(&api, &request, now).await
        && let Ok(limit) = rate_limit(&api, &caller, now).await
    {
        response.extensions_mut().insert(limit);
        response.extensions_mut().insert(caller.account.id);
    }
    response
}

fn token(request: &Request) -> Result<Token, TokenFault> {
    credential(request.headers(), request.uri().query().unwrap_or_default())
}

/// The network a request came from: the other end of its connection.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub Network);

/// Who asks. A request without a valid token is an attempt of its network; where that has sent too many, tokens that
/// were never seen here are held against the roll of valid ones, and a refusal says how long to wait.
///
/// It takes what it needs out of the request before it waits: a request cannot be shared between threads.
fn caller<'a>(
    api: &'a ApiState,
    request: &Request,
    now: Timestamp,
) -> impl Future<Output = Result<Caller, ApiError>> + use<'a> {
    let peer = request.extensions().get::<Peer>().copied();
    let token = token(request);
    let patience = api.config().store_timeout;
    async move {
        let refused = |fault| match peer.and_then(|Peer(network)| api.attempts().note(network, now))
        {
            None => ApiError::Unauthorized(fault),
            Some(seconds) => ApiError::TooManyAttempts { fault, seconds },
        };
        let token = token.map_err(refused)?;
        let caller = match peer {
            Some(Peer(network)) if api.attempts().are_exhausted(network, now) => {
                in_time(patience, api.directory().caller_on_the_roll(&token, now)).await?
            }
            _ => in_time(patience, api.directory().caller(&token, now)).await?,
        };
        caller.ok_or_else(|| refused(TokenFault::Refused))
    }
}

async fn rate_limit(
    api: &ApiState,
    caller: &Caller,
    now: Timestamp,
) -> Result<RateLimit, ApiError> {
    let used = usage::used(api.db(), caller.account.id, Month::of(now));
    let used = in_time(api.config().store_timeout, used).await?;
    Ok(RateLimit::new(
        caller.account.requests_per_month(),
        used,
        now,
    ))
}

fn arrived_at(request: &Request) -> Timestamp {
    request
        .extensions()
        .get::<ArrivedAt>()
        .map_or(Timestamp(0), |at| at.0)
}

/// What a handler behind [`free`] or [`counted`] knows of its request.
pub struct Admitted {
    /// Who asks.
    pub caller: Caller,
    /// When.
    pub at: Timestamp,
}

impl axum::extract::FromRequestParts<ApiState> for Admitted {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &ApiState) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        let at = parts.extensions.get::<ArrivedAt>().copied();
        match (caller, at) {
            (Some(caller), Some(ArrivedAt(at))) => Ok(Self { caller, at }),
            _ => Err(ApiError::internal("a route is not behind the way in")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::Router;
    use axum::body::Body;
    use axum::middleware::{from_fn, from_fn_with_state};
    use axum::routing::get;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use schema::Plan;
    use schema::store::accounts;
    use tower::ServiceExt;

    use super::*;
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
                .layer(from_fn(write_envelope))
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
                usage::used(&db, account.id, Month::of(now)).await.unwrap(),
                0
            );
        })
        .await;
    }
}
