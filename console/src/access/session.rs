//! Sessions: a random token in a cookie, of which the database has only the hash.

use axum::http::HeaderValue;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schema::store::operators::{self, Session};
use schema::{OperatorId, Timestamp};

use crate::error::ConsoleError;
use crate::state::Console;

const HOUR: i64 = 3_600_000;
/// How long a session lasts at most.
const LONGEST: i64 = 14 * 24 * HOUR;
/// How long a session lasts without a request.
const IDLE: i64 = 12 * HOUR;
/// How often a used session is noted as used.
const NOTED_EVERY: i64 = 60_000;

/// The name of the cookie.
pub(super) const COOKIE: &str = "console_session";

/// How many wrong passwords a name may have, and within which time.
const FAILURES: u32 = 8;
const FAILURES_WITHIN: i64 = 15 * 60_000;
/// How many names are remembered at most.
const NAMES: usize = 1_000;

fn hash(token: &str) -> [u8; 32] {
    *blake3::hash(token.as_bytes()).as_bytes()
}

/// The `Set-Cookie` header with this token; an empty token deletes the cookie.
fn cookie(console: &Console, token: &str) -> HeaderValue {
    let secure = if console.config().has_tls {
        "; Secure"
    } else {
        ""
    };
    let age = if token.is_empty() { 0 } else { LONGEST / 1000 };
    let text =
        format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    // The token is URL-safe text.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

/// Begins a session and returns its cookie.
pub(crate) async fn begin_session(
    console: &Console,
    operator: OperatorId,
) -> Result<HeaderValue, ConsoleError> {
    let token = URL_SAFE_NO_PAD.encode(console.random::<32>());
    let now = console.now();
    operators::prune_sessions(console.db(), Timestamp(now.millis() - IDLE)).await?;
    operators::begin_session(console.db(), &hash(&token), operator, now).await?;
    Ok(cookie(console, &token))
}

/// Ends the session of this token and returns the cookie that replaces its cookie.
pub(crate) async fn end_session(
    console: &Console,
    token: Option<&str>,
) -> Result<HeaderValue, ConsoleError> {
    if let Some(token) = token {
        operators::end_session(console.db(), &hash(token)).await?;
    }
    Ok(cookie(console, ""))
}

/// The session of this token.
pub(super) async fn find(console: &Console, token: &str) -> Result<Option<Session>, ConsoleError> {
    let (hash, now) = (hash(token), console.now().millis());
    let (begun_after, seen_after) = (Timestamp(now - LONGEST), Timestamp(now - IDLE));
    let found = operators::session(console.db(), &hash, begun_after, seen_after).await?;
    if let Some(session) = &found
        && now - session.seen_at.millis() >= NOTED_EVERY
    {
        operators::touch_session(console.db(), &hash, Timestamp(now)).await?;
    }
    Ok(found)
}

/// Whether this name has had too many wrong passwords lately.
pub(crate) fn is_locked_out(console: &Console, name: &str) -> bool {
    let now = console.now().millis();
    let logins = console.failed_logins();
    let failed = logins.get(name);
    failed
        .is_some_and(|(count, since)| *count >= FAILURES && now - since.millis() < FAILURES_WITHIN)
}

/// Notes a wrong password.
pub(crate) fn note_failure(console: &Console, name: &str) {
    let now = console.now();
    let mut logins = console.failed_logins();
    logins.retain(|_, (_, since)| now.millis() - since.millis() < FAILURES_WITHIN);
    if logins.len() < NAMES || logins.contains_key(name) {
        let failed = logins.entry(name.to_owned()).or_insert((0, now));
        failed.0 += 1;
    }
}
