//! The person behind a request.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use schema::Role;
use schema::store::operators;

use super::session;
use crate::error::ConsoleError;
use crate::language;
use crate::state::Console;

/// A person who is logged in.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Whether a reverse proxy named the person, so that there is no session to end.
    pub(crate) is_named_by_proxy: bool,
}

impl Person {
    /// The token of the session in the cookie.
    pub(crate) fn token(headers: &axum::http::HeaderMap) -> Option<&str> {
        language::cookie(headers, session::COOKIE).filter(|token| !token.is_empty())
    }

    async fn find(parts: &Parts, console: &Console) -> Result<Option<Self>, ConsoleError> {
        if let Some(header) = &console.config().person_header {
            let named = parts.headers.get(header);
            let Some(name) = named.and_then(|name| name.to_str().ok()) else {
                return Ok(None);
            };
            let known = operators::by_name(console.db(), name).await?;
            return Ok(known.map(|person| Self {
                name: person.name,
                role: person.role,
                is_named_by_proxy: true,
            }));
        }
        let Some(token) = Self::token(&parts.headers) else {
            return Ok(None);
        };
        let session = session::find(console, token).await?;
        Ok(session.map(|session| Self {
            name: session.operator.name,
            role: session.operator.role,
            is_named_by_proxy: false,
        }))
    }
}

/// The page to log in on, which leads back to where the person wanted to go.
fn login_page(parts: &Parts) -> Response {
    let is_page = parts.method == axum::http::Method::GET;
    let wanted = match parts.uri.path_and_query() {
        Some(path) if is_page => path.as_str(),
        // What was sent is lost, but the question is asked again.
        Some(path) if path.path().starts_with("/review") => "/review",
        _ => "/",
    };
    let escaped: String = wanted
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    Redirect::to(&format!("/login?next={escaped}")).into_response()
}

impl FromRequestParts<Console> for Person {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, Response> {
        match Self::find(parts, console).await {
            Ok(Some(person)) => Ok(person),
            Ok(None) => Err(login_page(parts)),
            Err(error) => Err(error.into_response()),
        }
    }
}

/// A person who is an operator.
#[derive(Debug, Clone)]
pub(crate) struct OperatorOnly(pub(crate) Person);

impl FromRequestParts<Console> for OperatorOnly {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, Response> {
        let person = Person::from_request_parts(parts, console).await?;
        match person.role {
            Role::Operator => Ok(Self(person)),
            Role::Reviewer => Err(ConsoleError::Forbidden.into_response()),
        }
    }
}
