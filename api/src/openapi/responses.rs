//! Every answer that an operation may give beside its 200.

use serde_json::{Value, json};

use crate::error::code;
use crate::openapi::headers;
use crate::openapi::parameters::object;

/// The shared answers, by name.
pub fn all() -> Value {
    object(
        not_modified()
            .into_iter()
            .chain(refusals())
            .chain(limits())
            .chain(faults()),
    )
}

fn not_modified() -> Vec<(&'static str, Value)> {
    vec![
        (
            "NotModified",
            json!({
                "description": "`If-None-Match` names the body. Counts like the 200 it stands for.",
                "headers": headers::of_account(&["ETag", "Cache-Control", "X-Token-Advice"]),
            }),
        ),
        (
            "DescriptionNotModified",
            json!({
                "description": "`If-None-Match` names the body.",
                "headers": headers::of_anyone(&["ETag", "Cache-Control"]),
            }),
        ),
    ]
}

fn refusals() -> Vec<(&'static str, Value)> {
    vec![
        (
            "InvalidRequest",
            invalid_request(&headers::of_account(&["Cache-Control", "X-Token-Advice"])),
        ),
        (
            "InvalidPublicRequest",
            invalid_request(&headers::of_anyone(&["Cache-Control", "X-Token-Advice"])),
        ),
        (
            "Unauthorized",
            error(
                code::UNAUTHORIZED,
                "Token missing, unknown or revoked. Not counted. With `Retry-After` where too many such requests came \
                 from one address.",
                "The API token is unknown or was revoked.",
                &headers::of_anyone(&[
                    "WWW-Authenticate",
                    "Retry-After",
                    "Cache-Control",
                    "X-Token-Advice",
                ]),
            ),
        ),
        (
            "Forbidden",
            error(
                code::PLAN_LIMIT_EXCEEDED,
                "`plan-limit-exceeded`: the request needs a higher plan (`includeInactive=true` a plan with history). \
                 `forbidden`: the token has no access to this request; no token is barred so at present.",
                "The plan Free covers live listings only.",
                &counted(),
            ),
        ),
        (
            "NotFound",
            error(
                code::NOT_FOUND,
                "No such listing, or it expired outside the plan's history window (for a plan without history: it is no \
                 longer live).",
                "There is no listing with this id, or it expired outside the history that the plan covers.",
                &counted(),
            ),
        ),
    ]
}

fn limits() -> Vec<(&'static str, Value)> {
    vec![
        (
            "PayloadTooLarge",
            error(
                code::PAYLOAD_TOO_LARGE,
                "The request announces a body of more than 16 KiB; requests need none. Not counted.",
                "The request carries a body of more than 16384 bytes; requests to this interface need none.",
                &headers::of_anyone(&["Cache-Control", "X-Token-Advice"]),
            ),
        ),
        (
            "UriTooLong",
            error(
                code::INVALID_REQUEST,
                "Path and query are longer than 8 KiB. Not counted.",
                "The request's path and query are longer than 8192 bytes; shorten the query.",
                &headers::of_anyone(&["Cache-Control", "X-Token-Advice"]),
            ),
        ),
        (
            "HeadTooLarge",
            error(
                code::INVALID_REQUEST,
                "More than 64 headers, or more than 32 KiB of them. Not counted. Beyond 100 headers or 64 KiB the \
                 connection is closed after a 431 without a body.",
                "The request's headers are more than 64, or together longer than 32768 bytes.",
                &headers::of_anyone(&["Cache-Control", "X-Token-Advice"]),
            ),
        ),
        (
            "QuotaExceeded",
            error(
                code::QUOTA_EXCEEDED,
                "The account's monthly quota is exhausted. Not counted.",
                "The monthly quota of 10 requests is exhausted. It renews on 2026-12-01T00:00:00Z.",
                &headers::of_account(&["Retry-After", "Cache-Control", "X-Token-Advice"]),
            ),
        ),
    ]
}

fn faults() -> Vec<(&'static str, Value)> {
    vec![
        (
            "InternalError",
            internal_error(&headers::of_account(&[
                "Retry-After",
                "Cache-Control",
                "X-Token-Advice",
            ])),
        ),
        (
            "PublicInternalError",
            internal_error(&headers::of_anyone(&["Cache-Control", "X-Token-Advice"])),
        ),
        (
            "Unavailable",
            error(
                code::INTERNAL_ERROR,
                "The database cannot be reached.",
                "The database cannot be reached.",
                &headers::of_anyone(&["Cache-Control"]),
            ),
        ),
        (
            "QueryTimeout",
            error(
                code::QUERY_TIMEOUT,
                "The search ran longer than 10 seconds and was stopped. Not counted.",
                "The search ran longer than 10 seconds and was stopped; it was not counted. Narrow it.",
                &counted(),
            ),
        ),
    ]
}

/// A reference to a shared answer.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{name}") })
}

/// The 200 of an operation.
pub fn success(description: &str, schema: &str, headers: &Value, example: &Value) -> Value {
    json!({
        "description": description,
        "headers": headers,
        "content": { "application/json": {
            "schema": { "$ref": format!("#/components/schemas/{schema}") },
            "example": example,
        } },
    })
}

fn counted() -> Value {
    headers::of_account(&["Cache-Control", "X-Token-Advice"])
}

fn internal_error(headers: &Value) -> Value {
    error(
        code::INTERNAL_ERROR,
        "A fault of the service, or more requests than it takes on (then with `Retry-After`). Not counted.",
        "Something went wrong on the side of the service. The request was not counted; try it again.",
        headers,
    )
}

fn invalid_request(headers: &Value) -> Value {
    let example = json!({
        "error": {
            "code": code::INVALID_REQUEST,
            "message": "The query is not valid: correct or leave out limit. See details.",
            "details": [{ "path": "limit", "message": "accepts a whole number from 1 to 50, not \"51\"; the nearest is 50" }],
        },
        "requestId": "W5cZJm3VbWvX8qQ1o0aK",
    });
    described(
        "Invalid or unknown query parameters; `details` has one entry for each.",
        headers,
        &example,
    )
}

fn error(code: &str, description: &str, message: &str, headers: &Value) -> Value {
    let example = json!({ "error": { "code": code, "message": message }, "requestId": "W5cZJm3VbWvX8qQ1o0aK" });
    described(description, headers, &example)
}

fn described(description: &str, headers: &Value, example: &Value) -> Value {
    success(description, "Error", headers, example)
}
