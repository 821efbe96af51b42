//! The shapes of the answers' bodies.

mod enumerations;
mod offer;

use serde_json::{Value, json};

use crate::error::code;
use crate::openapi::parameters::object;
use schema::Plan;

pub use enumerations::of_parameter;
pub use offer::{detail_example, search_example};

/// Every shape, by name.
pub fn all() -> Value {
    let mut schemas = offer::all();
    schemas.extend(enumerations::all());
    schemas.extend([
        ("SearchResponse", search_response()),
        ("Pagination", pagination()),
        ("Me", me()),
        (
            "Health",
            closed([("status", json!({ "type": "string", "const": "ok" }))]),
        ),
        ("Error", error()),
    ]);
    object(schemas)
}

/// An object with these properties, all of them required, and no others.
fn closed<const N: usize>(properties: [(&'static str, Value); N]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "object",
        "required": required,
        "properties": object(properties),
        "additionalProperties": false,
    })
}

fn date_time(description: &str) -> Value {
    json!({
        "type": "string",
        "format": "date-time",
        "description": format!("{description} ISO 8601 in UTC, with the suffix `Z`."),
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

fn search_response() -> Value {
    closed([
        (
            "data",
            json!({ "type": "array", "maxItems": 50, "items": reference("OfferSummary") }),
        ),
        ("pagination", reference("Pagination")),
    ])
}

fn pagination() -> Value {
    closed([
        (
            "limit",
            json!({ "type": "integer", "minimum": 1, "maximum": 50, "description": "Page size in effect." }),
        ),
        (
            "count",
            json!({ "type": "integer", "minimum": 0, "maximum": 50, "description": "Items on this page." }),
        ),
        (
            "hasMore",
            json!({ "type": "boolean", "description": "False on the last page." }),
        ),
        (
            "nextCursor",
            json!({ "type": ["string", "null"], "description": "Opaque; null on the last page." }),
        ),
    ])
}

fn me() -> Value {
    let ids: Vec<&str> = Plan::ALL.into_iter().map(Plan::id).collect();
    let names: Vec<&str> = Plan::ALL.into_iter().map(Plan::name).collect();
    closed([
        (
            "token",
            closed([
                ("id", text("Public id of the token.")),
                (
                    "prefix",
                    text("Leading characters of the token, `jdn_` and six more."),
                ),
            ]),
        ),
        (
            "plan",
            closed([
                (
                    "id",
                    json!({ "type": "string", "enum": ids, "description": "Plan id." }),
                ),
                (
                    "name",
                    json!({ "type": "string", "enum": names, "description": "Display name of the plan." }),
                ),
                ("requestsPerMonth", count("Requests a month.")),
                (
                    "historyMonths",
                    count("Calendar months of history; 0 for live listings only."),
                ),
            ]),
        ),
        (
            "usage",
            closed([
                (
                    "month",
                    json!({
                        "type": "string",
                        "pattern": "^\\d{4}-\\d{2}$",
                        "description": "The calendar month in UTC.",
                    }),
                ),
                (
                    "requestsUsed",
                    count("Requests counted this month, over all tokens of the account."),
                ),
                ("requestsRemaining", count("Requests left this month.")),
                ("resetsAt", date_time("When the quota renews.")),
            ]),
        ),
    ])
}

fn error() -> Value {
    let codes = [
        code::UNAUTHORIZED,
        code::FORBIDDEN,
        code::PLAN_LIMIT_EXCEEDED,
        code::NOT_FOUND,
        code::INVALID_REQUEST,
        code::PAYLOAD_TOO_LARGE,
        code::QUOTA_EXCEEDED,
        code::QUERY_TIMEOUT,
        code::INTERNAL_ERROR,
    ];
    let detail = closed([
        ("path", text("The offending query parameter.")),
        (
            "message",
            text("What it accepts, or that it is unknown and which names are accepted."),
        ),
    ]);
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": { "type": "string", "enum": codes, "description": "What clients branch on." },
                    "message": text("What went wrong and how to fix it, in English."),
                    "details": {
                        "type": "array",
                        "items": detail,
                        "description": "Only on 400: one entry per offending query parameter.",
                    },
                },
                "additionalProperties": false,
            },
            "requestId": text("The request's id, as in `X-Request-Id`."),
        },
        "additionalProperties": false,
    })
}

/// An answer of `/v1/me`.
pub fn me_example() -> Value {
    json!({
        "token": { "id": "tok_8b1f2c9d3e4a5f60", "prefix": "jdn_Qx7Lm2" },
        "plan": { "id": "proV2", "name": "Pro", "requestsPerMonth": 500, "historyMonths": 3 },
        "usage": {
            "month": "2026-11",
            "requestsUsed": 42,
            "requestsRemaining": 458,
            "resetsAt": "2026-12-01T00:00:00Z",
        },
    })
}
