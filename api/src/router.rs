//! Every route, on one page.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;

use crate::error::ApiError;
use crate::middleware::{
    access_log, cors, encoding, envelope, head, limits, metrics, request_id, turns, v1_headers,
};
use crate::state::ApiState;
use crate::{access, health, me, offers, openapi};

/// The service: the endpoints of the spec and no others.
///
/// A layer wraps those above it: the last one sees a request first.
pub fn router(api: ApiState) -> Router {
    let counted = Router::new()
        .route("/v1/offers", get(offers::search))
        .route("/v1/offers/{offerId}", get(offers::detail))
        .route_layer(from_fn_with_state(api.clone(), access::counted));
    let free = Router::new()
        .route("/v1/me", get(me::me))
        .route_layer(from_fn_with_state(api.clone(), access::free));
    let v1 = counted
        .merge(free)
        .route_layer(from_fn_with_state(api.clone(), turns::wait));
    let v1 = v1.method_not_allowed_fallback(access::method_not_allowed);
    Router::new()
        .route("/health", get(health::health))
        .route("/openapi.json", get(openapi::serve))
        .method_not_allowed_fallback(access::method_not_allowed)
        .merge(v1)
        .fallback(async || ApiError::UnknownPath)
        .layer(from_fn(limits::refuse_oversized))
        .layer(from_fn(envelope::catch_panic))
        .layer(from_fn(v1_headers::guard_caches))
        .layer(from_fn(envelope::write_envelope))
        .layer(encoding::compression())
        .layer(from_fn(encoding::negotiate))
        .layer(from_fn_with_state(api.clone(), cors::allow_origins))
        .layer(from_fn(head::answer_as_get))
        .layer(from_fn(metrics::measure))
        .layer(from_fn(access_log::log))
        .layer(from_fn_with_state(api.clone(), request_id::identify))
        .with_state(api)
}
