//! The outline of the country, which maps lie on.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::access::Person;
use crate::drawing::country_background;
use crate::error::ConsoleError;
use crate::state::Console;

/// GET /country.svg
pub(crate) async fn show(
    State(console): State<Console>,
    _: Person,
) -> Result<Response, ConsoleError> {
    let draw = async || {
        let addresses = console.addresses().await?;
        let drawing = move || country_background(addresses.gazetteer().registry());
        let drawn = tokio::task::spawn_blocking(drawing).await;
        drawn.map_err(|error| ConsoleError::Failed(error.to_string()))
    };
    let svg = console.country().get_or_try_init(draw).await?;
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        (CACHE_CONTROL, "private, max-age=86400"),
    ];
    Ok((headers, svg.clone()).into_response())
}
