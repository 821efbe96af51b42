//! Every route, on one page.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;

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
        .route_layer(from_fn_with_state(api.clone(), admit_and_count));
    let uncounted = Router::new()
        .route("/v1/me", get(endpoints::me))
        .route_layer(from_fn_with_state(api.clone(), admit));
    let v1 = counted
        .merge(uncounted)
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
    let counted = counted.route_layer(from_fn_with_state(api.clone(), count));
    let routes = public
        .route("/health", get(endpoints::health))
        .merge(counted)
        .method_not_allowed_fallback(admission::method_not_allowed)
        .fallback(async move || ApiError::UnknownPathBeside(paths));
    with_layers(routes, api)
}

/// The routes within the layers that every request passes through.
///
/// A layer is a function that is given what comes next. As layers of the router, each would put the others into a box and
/// copy them for every request.
fn with_layers(routes: Router<ApiState>, api: ApiState) -> Router {
    let layers = from_fn_with_state(api.clone(), through_layers);
    routes.layer(layers).with_state(api)
}

/// What happens to a request before and after its route, from the first layer to the last.
async fn through_layers(State(api): State<ApiState>, request: Request, next: Next) -> Response {
    let api = &api;
    let refuse_faulty = async |request| {
        let route = async |request| next.run(request).await;
        admission::refuse_faulty(api, request, route).await
    };
    let catch_panic = async |request| envelope::catch_panic(request, refuse_faulty).await;
    let guard_caches = async |request| v1_headers::guard_caches(request, catch_panic).await;
    let write_envelope = async |request| envelope::write_envelope(request, guard_caches).await;
    let compress = async |request| compression::negotiate(api, request, write_envelope).await;
    let allow_origins = async |request| cors::allow_origins(api, request, compress).await;
    let answer_as_get = async |request| head::answer_as_get(request, allow_origins).await;
    let measure = async |request| metrics::measure(request, answer_as_get).await;
    let log = async |request| access_log::log(request, measure).await;
    request_id::identify(api, request, log).await
}

/// Takes one of the places to work, and admits the request without counting it.
async fn admit(
    State(api): State<ApiState>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let api = &api;
    let route = async |request| next.run(request).await;
    let authenticate = async |request| admission::authenticate(api, request, route).await;
    concurrency::limit(api, request, authenticate).await
}

/// Takes one of the places to work, admits the request and counts it.
async fn admit_and_count(
    State(api): State<ApiState>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let api = &api;
    let route = async |request| next.run(request).await;
    let authenticate = async |request| admission::authenticate_and_count(api, request, route).await;
    concurrency::limit(api, request, authenticate).await
}

/// Admits the request and counts it.
async fn count(
    State(api): State<ApiState>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let route = async |request| next.run(request).await;
    admission::authenticate_and_count(&api, request, route).await
}
