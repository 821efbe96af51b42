//! The outline of the country, which maps lie on.

use std::sync::Arc;

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
    let addresses = console.addresses().await?;
    let registry = addresses.gazetteer().registry();
    let edition = registry.map(|registry| registry.edition().id);
    let svg = if let Some(svg) = console.country(edition) {
        svg
    } else {
        let drawing = move || country_background(addresses.gazetteer().registry());
        let drawn = tokio::task::spawn_blocking(drawing).await;
        let drawn = drawn.map_err(|error| ConsoleError::Failed(error.to_string()))?;
        let svg: Arc<str> = drawn.into();
        console.keep_country(edition, Arc::clone(&svg));
        svg
    };
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        (CACHE_CONTROL, "private, max-age=3600"),
    ];
    Ok((headers, svg.to_string()).into_response())
}
