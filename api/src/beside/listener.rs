//! Serves routes whose handlers count questions themselves, with the connections, limits and tokens of the API.

use std::io;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
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

/// A layer wraps the layers above it, so a request passes through the last layer first.
fn with_layers(api: &ApiState, routes: Router) -> Router {
    routes
        .fallback(async || ApiError::UnknownPathHere)
        .layer(from_fn_with_state(api.clone(), read_body))
        .layer(from_fn_with_state(api.clone(), admit))
        .layer(from_fn_with_state(api.clone(), concurrency::limit))
        .layer(from_fn(envelope::catch_panic))
        .layer(from_fn(v1_headers::keep_out_of_caches))
        .layer(from_fn(envelope::write_envelope))
        .layer(from_fn(metrics::measure))
        .layer(from_fn(access_log::log))
        .layer(from_fn_with_state(api.clone(), request_id::identify))
}

/// Admits a request with a valid token. The answer reports the quota as it is after it.
async fn admit(
    State(api): State<ApiState>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let at = arrived_at(&request);
    let caller = find_caller(&api, &request, at).await?;
    let holder = TokenHolder { caller, at };
    request.extensions_mut().insert(holder.clone());
    let mut response = next.run(request).await;
    if let Ok(limit) = rate_limit(&api, &holder.caller, at).await {
        response.extensions_mut().insert(limit);
    }
    response.extensions_mut().insert(holder.caller.account.id);
    Ok(response)
}

/// Reads the whole body before the request goes on, so that one that arrives slowly or is too large ends here.
async fn read_body(State(api): State<ApiState>, request: Request, next: Next) -> Response {
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
