//! The headers of answers.

use serde_json::{Value, json};

use crate::openapi::parameters::object;

/// The headers that every answer carries.
const EVERYWHERE: [&str; 4] = [
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
];
/// The headers of an answer to an account that is known.
const ACCOUNT: [&str; 2] = ["RateLimit", "RateLimit-Policy"];

/// Every header, described once.
pub fn all() -> Value {
    let integer = json!({ "type": "integer", "minimum": 0 });
    let text = json!({ "type": "string" });
    object([
        header(
            "X-Request-Id",
            "Names the request; error bodies repeat it as `requestId`.",
            &text,
        ),
        header(
            "X-RateLimit-Limit",
            "Requests a month; 0 where no account is known.",
            &integer,
        ),
        header(
            "X-RateLimit-Remaining",
            "Requests left this month, after this one; 0 where no account is known.",
            &integer,
        ),
        header(
            "X-RateLimit-Reset",
            "When the quota renews, in Unix seconds.",
            &integer,
        ),
        header(
            "RateLimit",
            "The quota's state after the IETF draft: `\"month\";r=<remaining>;t=<seconds to the renewal>`.",
            &text,
        ),
        header(
            "RateLimit-Policy",
            "The quota after the IETF draft: `\"month\";q=<requests>;w=<seconds of the month>`.",
            &text,
        ),
        header(
            "Retry-After",
            "Seconds: on 429 until the quota renews; on 401, where too many requests without a valid token came from \
             the address, until the next one; on 500, where the service had more to do than it can, until it is worth \
             trying again.",
            &integer,
        ),
        header(
            "ETag",
            "Names the bytes of the body; a strong entity tag.",
            &text,
        ),
        header(
            "Cache-Control",
            "`private, no-cache`; `no-store` where the token came in the query, and on errors of public endpoints.",
            &text,
        ),
        header(
            "X-Token-Advice",
            "Present where the token came in the query: rotate it.",
            &text,
        ),
        header(
            "WWW-Authenticate",
            "`Bearer realm=\"jeden\"`, with `error=\"invalid_token\"` for a wrong token.",
            &text,
        ),
    ])
}

/// References to the headers of an answer: those of every answer, those of a known account, and `more`.
pub fn of_account(more: &[&'static str]) -> Value {
    references(EVERYWHERE.iter().chain(&ACCOUNT).chain(more))
}

/// References to the headers of an answer without an account, and `more`.
pub fn of_anyone(more: &[&'static str]) -> Value {
    references(EVERYWHERE.iter().chain(more))
}

fn references<'a>(names: impl Iterator<Item = &'a &'static str>) -> Value {
    object(names.map(|name| {
        (
            *name,
            json!({ "$ref": format!("#/components/headers/{name}") }),
        )
    }))
}

fn header(name: &'static str, description: &str, schema: &Value) -> (&'static str, Value) {
    (
        name,
        json!({ "description": description, "schema": schema }),
    )
}
