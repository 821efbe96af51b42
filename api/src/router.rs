//! Every route, on one page.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;

use crate::error::ApiError;
use crate::middleware::{
    access_log, compression, concurrency, cors, envelope, head, metrics, request_id, v1_headers,
};
use crate::state::ApiState;
use crate::{admission, endpoints};

/// The service: the endpoints of the spec and no others.
///
/// A layer wraps the layers above it, so a request passes through the last layer first.
pub(crate) fn router(api: ApiState) -> Router {
    let counted = Router::new()
        .route("/v1/offers", get(endpoints::search))
        .route("/v1/offers/{offerId}", get(endpoints::detail))
        .route_layer(from_fn_with_state(
            api.clone(),
            admission::authenticate_and_count,
        ));
    let uncounted = Router::new()
        .route("/v1/me", get(endpoints::me))
        .route_layer(from_fn_with_state(api.clone(), admission::authenticate));
    let v1 = counted
        .merge(uncounted)
        .route_layer(from_fn_with_state(api.clone(), concurrency::limit))
        .method_not_allowed_fallback(admission::method_not_allowed);
    let routes = Router::new()
        .route("/health", get(endpoints::health))
        .route("/openapi.json", get(endpoints::openapi))
        .method_not_allowed_fallback(admission::method_not_allowed)
        .merge(v1)
        .fallback(async || ApiError::UnknownPath);
    with_layers(routes, api)
}

/// The service of a listener beside the API: `counted` routes need a token and are counted, `public` ones are neither.
/// The answer to any other path names `paths`, which are all that exist.
pub(crate) fn router_beside(
    api: ApiState,
    (counted, public): (Router<ApiState>, Router<ApiState>),
    paths: &'static str,
) -> Router {
    let counted = counted.route_layer(from_fn_with_state(
        api.clone(),
        admission::authenticate_and_count,
    ));
    let routes = public
        .route("/health", get(endpoints::health))
        .merge(counted)
        .method_not_allowed_fallback(admission::method_not_allowed)
        .fallback(async move || ApiError::UnknownPathBeside(paths));
    with_layers(routes, api)
}

/// The routes within the layers that every request passes through.
fn with_layers(routes: Router<ApiState>, api: ApiState) -> Router {
    routes
        .layer(from_fn_with_state(api.clone(), admission::refuse_faulty))
        .layer(from_fn(envelope::catch_panic))
        .layer(from_fn(v1_headers::guard_caches))
        .layer(from_fn(envelope::write_envelope))
        .layer(compression::layer())
        .layer(from_fn(compression::negotiate))
        .layer(from_fn_with_state(api.clone(), cors::allow_origins))
        .layer(from_fn(head::answer_as_get))
        .layer(from_fn(metrics::measure))
        .layer(from_fn(access_log::log))
        .layer(from_fn_with_state(api.clone(), request_id::identify))
        .with_state(api)
}
