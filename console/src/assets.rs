//! The files that pages load: style and scripts, in the program itself.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::error::ConsoleError;

/// The name, type and content of each file.
const FILES: [(&str, &str, &str); 3] = [
    (
        "console.css",
        "text/css; charset=utf-8",
        include_str!("../assets/console.css"),
    ),
    (
        "console.js",
        "text/javascript; charset=utf-8",
        include_str!("../assets/console.js"),
    ),
    (
        "icon.svg",
        "image/svg+xml",
        include_str!("../assets/icon.svg"),
    ),
];

/// GET /assets/{name}
pub(crate) async fn asset(Path(name): Path<String>) -> Result<Response, ConsoleError> {
    let file = FILES.iter().find(|(known, ..)| *known == name);
    let (_, kind, content) = file.ok_or(ConsoleError::NotFound)?;
    let headers = [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "max-age=600")];
    Ok((headers, *content).into_response())
}
