//! Serves routes whose handlers count questions themselves, with the connections, limits and tokens of the API.

use std::io;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures::future::BoxFuture;
use tokio::net::TcpListener;

use crate::admission::{arrived_at, find_caller, rate_limit};
use crate::beside::token_holder::TokenHolder;
use crate::error::ApiError;
use crate::middleware::limits::{BodyLimit, fault_of_head};
use crate::middleware::{access_log, concurrency, envelope, metrics, request_id, v1_headers};
use crate::server::serve_router;
use crate::state::ApiState;

/// The largest request.
const MESSAGE: BodyLimit = BodyLimit {
    bytes: 64 * 1024,
    advice: "Send a smaller request.",
};

/// Serves routes on `listener` like [`crate::serve`] serves the API. A request reaches them with its whole body, and with
/// the extension [`TokenHolder`]. Without a valid token it is answered with 401. Nothing is counted here.
///
/// # Errors
/// None at present.
pub fn serve_uncounted(
    listener: TcpListener,
    api: &ApiState,
    routes: Router,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    let config = api.config();
    let limits = (config.connections.clone(), config.drain_timeout);
    serve_router(listener, with_layers(api, routes), limits, shutdown)
}

fn with_layers(api: &ApiState, routes: Router) -> Router {
    routes
        .fallback(async || ApiError::UnknownPathHere)
        .layer(from_fn_with_state(api.clone(), through_layers))
}

/// What happens to a request before and after its route, from the first layer to the last.
async fn through_layers(State(api): State<ApiState>, request: Request, next: Next) -> Response {
    let api = &api;
    let read_body = async |request| read_body(api, request, next).await;
    let admit = async |request| admit(api, request, read_body).await;
    let limit = async |request| {
        let answer = concurrency::limit(api, request, admit).await;
        answer.into_response()
    };
    let catch_panic = async |request| envelope::catch_panic(request, limit).await;
    let guard = async |request| v1_headers::keep_out_of_caches(request, catch_panic).await;
    let write_envelope = async |request| envelope::write_envelope(request, guard).await;
    let measure = async |request| metrics::measure(request, write_envelope).await;
    let log = async |request| access_log::log(request, measure).await;
    request_id::identify(api, request, log).await
}

/// Admits a request with a valid token. The answer reports the quota as it is after it.
async fn admit(
    api: &ApiState,
    mut request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Result<Response, ApiError> {
    let at = arrived_at(&request);
    let caller = find_caller(api, &request, at).await?;
    let holder = TokenHolder { caller, at };
    request.extensions_mut().insert(holder.clone());
    let mut response = next(request).await;
    if let Ok(limit) = rate_limit(api, &holder.caller, at).await {
        response.extensions_mut().insert(limit);
    }
    response.extensions_mut().insert(holder.caller.account.id);
    Ok(response)
}

/// Reads the whole body before the request goes on, so that one that arrives slowly or is too large ends here.
async fn read_body(api: &ApiState, request: Request, next: Next) -> Response {
    if let Some(fault) = fault_of_head(&request, MESSAGE) {
        return fault.into_response();
    }
    let (parts, body) = request.into_parts();
    let read = to_bytes(body, MESSAGE.bytes as usize);
    match tokio::time::timeout(api.config().connections.head_timeout, read).await {
        Ok(Ok(bytes)) => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Ok(Err(_)) => MESSAGE.exceeded().into_response(),
        Err(_) => ApiError::IncompleteBody.into_response(),
    }
}
