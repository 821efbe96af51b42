//! Logging in and out, and the language.

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use schema::store::audit_log::{self, AuditEntry};
use schema::store::operators;
use serde::Deserialize;

use super::{Page, page};
use crate::access::{
    Person, begin_session, end_session, is_locked_out, note_failure, verify_password,
};
use crate::error::ConsoleError;
use crate::language::{COOKIE, Language};
use crate::state::Console;

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    l: Language,
    is_wrong: bool,
    name: String,
    next: String,
}

/// Where to go afterwards.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Onward {
    next: String,
    back: String,
}

/// A path within the console: a link could otherwise lead to another site.
fn within(path: &str) -> &str {
    let is_within = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.contains(char::is_control);
    if is_within { path } else { "/" }
}

/// GET /login
pub(crate) async fn show(l: Language, Query(onward): Query<Onward>) -> Page {
    page(&LoginPage {
        l,
        is_wrong: false,
        name: String::new(),
        next: within(&onward.next).to_owned(),
    })
}

/// A login.
#[derive(Deserialize)]
pub(crate) struct Login {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// POST /login
pub(crate) async fn log_in(
    State(console): State<Console>,
    l: Language,
    Form(login): Form<Login>,
) -> Result<Response, ConsoleError> {
    if is_locked_out(&console, &login.name) {
        return Err(ConsoleError::TooManyAttempts);
    }
    let operator = operators::by_name(console.db(), &login.name).await?;
    let stored = operator
        .as_ref()
        .map_or_else(String::new, |one| one.password_hash.clone());
    let permit = console.hashing().acquire().await;
    let password = login.password;
    let is_right = tokio::task::spawn_blocking(move || verify_password(&password, &stored)).await;
    drop(permit);
    let Some(operator) = operator.filter(|_| is_right.unwrap_or(false)) else {
        note_failure(&console, &login.name);
        let again = page(&LoginPage {
            l,
            is_wrong: true,
            name: login.name,
            next: within(&login.next).to_owned(),
        })?;
        return Ok(again.into_response());
    };
    let cookie = begin_session(&console, operator.id).await?;
    note_session(&console, &operator.name, "log in").await?;
    Ok(([(SET_COOKIE, cookie)], Redirect::to(within(&login.next))).into_response())
}

async fn note_session(console: &Console, name: &str, action: &str) -> Result<(), ConsoleError> {
    let entry = AuditEntry {
        at: console.now(),
        person: name.to_owned(),
        action: action.to_owned(),
        subject: String::new(),
        detail: None,
    };
    let mut tx = console.db().begin().await?;
    audit_log::add(&mut tx, &entry).await?;
    Ok(tx.commit().await?)
}

/// POST /logout
pub(crate) async fn log_out(
    State(console): State<Console>,
    person: Person,
    headers: HeaderMap,
) -> Result<Response, ConsoleError> {
    let cookie = end_session(&console, Person::token(&headers)).await?;
    note_session(&console, &person.name, "log out").await?;
    Ok(([(SET_COOKIE, cookie)], Redirect::to("/login")).into_response())
}

/// GET /language/{code}
pub(crate) async fn choose_language(
    Path(code): Path<String>,
    Query(onward): Query<Onward>,
) -> Result<Response, ConsoleError> {
    let language = Language::from_code(&code).ok_or(ConsoleError::NotFound)?;
    let cookie = format!(
        "{COOKIE}={}; Path=/; SameSite=Strict; Max-Age=31536000",
        language.code()
    );
    Ok(([(SET_COOKIE, cookie)], Redirect::to(within(&onward.back))).into_response())
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn a_login_leads_nowhere_else() {
        assert_eq!(within("/review?portal=idnes"), "/review?portal=idnes");
        for elsewhere in [
            "//evil.example",
            "https://evil.example",
            "",
            "/\\evil.example",
        ] {
            assert_eq!(within(elsewhere), "/", "{elsewhere}");
        }
    }
}
