//! Every route of the console, on one page.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::csrf::CsrfLayer;

use crate::error::ConsoleError;
use crate::state::Console;
use crate::{assets, layers, pages};

/// The largest form, in bytes.
const FORM: usize = 32 * 1024;

/// The pages and what can be done on them. Whether a person is logged in, and may do it, is decided by the parameters of
/// each handler.
///
/// A layer wraps the layers above it, so a request passes through the last layer first.
pub(crate) fn router(console: Console) -> Router {
    Router::new()
        .route("/", get(pages::overview::show))
        .route("/portals/{site}", get(pages::portal::show))
        .route("/portals/{site}/crawls/{id}", get(pages::crawl::show))
        .route("/portals/{site}/left-out", get(pages::left_out::show))
        .route("/portals/{site}/{action}", post(pages::portal::act))
        .route("/records", get(pages::records::show))
        .route("/records/{id}", get(pages::record::show))
        .route("/listings/{site}/{number}", get(pages::listing::show))
        .route("/pairs", get(pages::pair::show))
        .route("/changes", get(pages::changes::show))
        .route("/addresses", get(pages::addresses::show))
        .route("/country.svg", get(pages::country::show))
        .route("/street-map.svg", get(pages::street_map::show))
        .route(
            "/review",
            get(pages::review::show).post(pages::review::answer),
        )
        .route("/review/undo", post(pages::review::undo))
        .route("/review/log", get(pages::review_log::show))
        .route("/weights", get(pages::weights::show))
        .route("/audit", get(pages::audit::show))
        .route("/login", get(pages::login::show).post(pages::login::log_in))
        .route("/logout", post(pages::login::log_out))
        .route("/language/{code}", get(pages::login::choose_language))
        .route("/assets/{name}", get(assets::asset))
        .fallback(async || ConsoleError::NotFound)
        .layer(DefaultBodyLimit::max(FORM))
        .layer(CsrfLayer::new())
        .layer(from_fn_with_state(console.clone(), layers::check_host))
        .layer(CatchPanicLayer::new())
        .layer(from_fn(layers::render_errors))
        .layer(from_fn(layers::set_headers))
        .layer(CompressionLayer::new())
        .with_state(console)
}
