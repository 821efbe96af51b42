//! Every route, on one page.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use tower::ServiceBuilder;

use crate::error::ApiError;
use crate::middleware::{
    access_log, compression, concurrency, cors, envelope, head, metrics, request_id, v1_headers,
};
use crate::state::ApiState;
use crate::{admission, endpoints};

/// The service: the endpoints of the spec and no others.
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

/// The routes within the layers that every request passes through, from the first to the last.
///
/// They are one layer of the router: it would put each layer of its own into a box, and copy all the boxes within for
/// every request.
fn with_layers(routes: Router<ApiState>, api: ApiState) -> Router {
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(api.clone(), request_id::identify))
        .layer(from_fn(access_log::log))
        .layer(from_fn(metrics::measure))
        .layer(from_fn(head::answer_as_get))
        .layer(from_fn_with_state(api.clone(), cors::allow_origins))
        .layer(from_fn(compression::negotiate))
        .layer(compression::layer())
        .layer(from_fn(envelope::write_envelope))
        .layer(from_fn(v1_headers::guard_caches))
        .layer(from_fn(envelope::catch_panic))
        .layer(from_fn_with_state(api.clone(), admission::refuse_faulty));
    routes.layer(layers).with_state(api)
}
