//! The streets beneath a map, from the operator's PMTiles file.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use schema::Location;
use serde::Deserialize;

use crate::access::Person;
use crate::drawing::View;
use crate::error::ConsoleError;
use crate::state::Console;
use crate::street_map;

/// The view that is asked for: its centre, and how far it reaches in metres.
#[derive(Debug, Deserialize)]
pub(crate) struct Wanted {
    lat: f64,
    lng: f64,
    reach: f64,
}

/// GET /street-map.svg
pub(crate) async fn show(
    State(console): State<Console>,
    _: Person,
    Query(wanted): Query<Wanted>,
) -> Result<Response, ConsoleError> {
    let map = console.config().street_map.as_ref();
    let map = Arc::clone(map.ok_or(ConsoleError::NotFound)?);
    let Wanted { lat, lng, reach } = wanted;
    let is_near = (40.0..60.0).contains(&lat) && (5.0..30.0).contains(&lng);
    if !is_near || !(50.0..=100_000.0).contains(&reach) {
        return Err(ConsoleError::NotFound);
    }
    let view = View {
        centre: Location { lat, lng },
        reach,
    };
    let drawing = tokio::task::spawn_blocking(move || street_map::drawn(&map, &view)).await;
    let drawn = drawing.map_err(|error| ConsoleError::Failed(error.to_string()))?;
    let svg = drawn.map_err(|error| ConsoleError::Failed(error.to_string()))?;
    let headers = [
        (CONTENT_TYPE, "image/svg+xml"),
        (CACHE_CONTROL, "private, max-age=86400"),
    ];
    Ok((headers, svg).into_response())
}
