//! `get_usage`: the quota.

use futures::future::BoxFuture;
use rmcp::model::JsonObject;
use serde_json::{Map, json};

use super::Definition;
use crate::arguments::Arguments;
use crate::call::{Answer, Call};
use crate::json_schema::{members, object};

/// The tool.
pub(super) const TOOL: Definition = Definition {
    name: "get_usage",
    title: "Get usage",
    description: "Tell the plan of the token, its history in months, and how many requests of this month are used and left. \
        Free: it does not count as a request.",
    input,
    output,
    run,
};

fn input() -> JsonObject {
    object(Map::new(), &[])
}

fn output() -> JsonObject {
    let properties = members(json!({
        "token": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "prefix": {"type": "string"}},
            "required": ["id", "prefix"]
        },
        "plan": {
            "type": "object",
            "properties": {
                "id": {"type": "string"},
                "name": {"type": "string"},
                "requestsPerMonth": {"type": "integer"},
                "historyMonths": {"type": "integer", "description": "0: live offers only."}
            },
            "required": ["id", "name", "requestsPerMonth", "historyMonths"]
        },
        "usage": {
            "type": "object",
            "properties": {
                "month": {"type": "string"},
                "requestsUsed": {"type": "integer"},
                "requestsRemaining": {"type": "integer"},
                "resetsAt": {"type": "string", "format": "date-time"}
            },
            "required": ["month", "requestsUsed", "requestsRemaining", "resetsAt"]
        }
    }));
    object(properties, &["token", "plan", "usage"])
}

fn run(call: Call<'_>) -> BoxFuture<'_, Answer> {
    Box::pin(async move {
        Arguments::new(call.arguments).finish()?;
        Ok(call.records.api.usage_of(call.holder).await?)
    })
}
