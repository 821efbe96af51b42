//! What holds for every request: the list of hosts, the origin of forms, the headers of answers, and errors as pages.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use tower_http::csrf::ProtectionError;

use crate::error::ConsoleError;
use crate::language::Language;
use crate::state::Console;

/// No script, style, image or form from anywhere else, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Refuses a request that names a host outside the list: a page elsewhere could otherwise reach the console under a name
/// that it controls.
pub(crate) async fn check_host(
    State(console): State<Console>,
    request: Request,
    next: Next,
) -> Response {
    let header = request.headers().get(header::HOST);
    let header = header.and_then(|host| host.to_str().ok());
    let host = request
        .uri()
        .authority()
        .map(axum::http::uri::Authority::as_str)
        .or(header)
        .unwrap_or_default();
    let hosts = &console.config().hosts;
    if hosts.iter().any(|known| known.eq_ignore_ascii_case(host)) {
        next.run(request).await
    } else {
        ConsoleError::WrongHost(host.to_owned()).into_response()
    }
}

/// Sets the headers that protect a page. Only assets may be cached.
pub(crate) async fn set_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    l: Language,
    status: u16,
    explanation: String,
}

/// Renders errors as pages in the language of the request.
pub(crate) async fn render_errors(l: Language, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let of_form = response.extensions().get::<ProtectionError>().is_some();
    let error = response.extensions_mut().remove::<ConsoleError>();
    let Some(error) = error.or(of_form.then_some(ConsoleError::CrossOrigin)) else {
        return response;
    };
    let page = ErrorPage {
        l,
        status: response.status().as_u16(),
        explanation: error.explain(l),
    };
    let text = page.render().unwrap_or_else(|_| error.to_string());
    (response.status(), Html(text)).into_response()
}
