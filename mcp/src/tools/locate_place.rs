//! `locate_place`: what an address leads to, or the places it may mean.

use futures::future::BoxFuture;
use gazetteer::places::{Match, Reason};
use gazetteer::{District, Located, NotLocated, Region};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::Definition;
use crate::arguments::Arguments;
use crate::call::{Answer, Call};
use crate::json_schema::{members, object};

/// The tool.
pub(super) const TOOL: Definition = Definition {
    name: "locate_place",
    title: "Locate a place",
    description: "Find a Czech address, street, quarter, municipality or district by name, as the address filter of \
        search_offers does: its position, level, district and region, and other places of that name. If found is false, \
        the answer says why and lists candidates. Counts as one request of the quota.",
    input,
    output,
    run,
};

fn input() -> JsonObject {
    let properties = members(json!({
        "text": {"type": "string", "minLength": 1, "maxLength": 300, "description": "An address or the name of a place, in Czech, in any usual form: Korunní 12, Praha; v Brně; Ústí n. L."}
    }));
    object(properties, &["text"])
}

fn output() -> JsonObject {
    let properties = members(json!({
        "found": {"type": "boolean"},
        "place": {
            "type": ["object", "null"],
            "properties": {
                "name": {"type": "string"},
                "level": {"type": "string", "enum": ["region", "district", "municipality", "quarter", "street", "address"]},
                "lat": {"type": "number"},
                "lng": {"type": "number"},
                "fit": {"type": "number", "description": "The share of the words that the place explains, 0 to 1."},
                "isAmbiguous": {"type": "boolean", "description": "Whether a place elsewhere fits as well."},
                "street": {"type": ["string", "null"]},
                "quarter": {"type": ["string", "null"]},
                "municipality": {"type": ["string", "null"]},
                "district": {"type": ["string", "null"], "description": "For the district filter."},
                "region": {"type": ["string", "null"]},
                "postalCode": {"type": ["string", "null"]}
            },
            "required": ["name", "level", "lat", "lng", "fit", "isAmbiguous"]
        },
        "candidates": {"type": "array", "items": {"type": "string"}, "description": "Other places that may be meant, the likeliest first."},
        "understood": {"type": "array", "items": {"type": "string"}, "description": "Which words name what."},
        "notUnderstood": {"type": "array", "items": {"type": "string"}},
        "reason": {
            "type": ["string", "null"],
            "description": "Why nothing was found.",
            "enum": ["empty", "abroad", "unknown", "number", "misspelt", "contradictory", "ambiguous", null]
        }
    }));
    object(
        properties,
        &[
            "found",
            "place",
            "candidates",
            "understood",
            "notUnderstood",
            "reason",
        ],
    )
}

fn run(call: Call<'_>) -> BoxFuture<'_, Answer> {
    Box::pin(async move {
        let mut arguments = Arguments::new(call.arguments);
        let text = arguments.required_text("text", "an address or the name of a place");
        arguments.finish()?;
        call.counted(Box::new(move |counted| {
            Box::pin(async move {
                let located = call.records.api.locate_as(&counted, &text).await?;
                Ok(located.map_or_else(|unknown| not_found(&unknown), |place| found(&place)))
            })
        }))
        .await
    })
}

fn found(place: &Located) -> Value {
    let names = &place.names;
    json!({
        "found": true,
        "place": {
            "name": place.name(),
            "level": place.level.name(),
            "lat": place.location.lat,
            "lng": place.location.lng,
            "fit": (place.fit * 100.0).round() / 100.0,
            "isAmbiguous": place.is_ambiguous(),
            "street": names.street,
            "quarter": names.quarter,
            "municipality": names.municipality,
            "district": names.district.map(District::name),
            "region": names.region.map(Region::name),
            "postalCode": place.postal_code.map(|code| code.to_string()),
        },
        "candidates": place.alternatives,
        "understood": understood(&place.matched),
        "notUnderstood": place.not_understood,
        "reason": null,
    })
}

fn not_found(unknown: &NotLocated) -> Value {
    let reason = match unknown.reason {
        Reason::Empty => "empty",
        Reason::Abroad => "abroad",
        Reason::Unknown => "unknown",
        Reason::Number => "number",
        Reason::Misspelt => "misspelt",
        Reason::Contradictory => "contradictory",
        Reason::Ambiguous => "ambiguous",
    };
    json!({
        "found": false,
        "place": null,
        "candidates": unknown.candidates,
        "understood": understood(&unknown.understood),
        "notUnderstood": unknown.not_understood,
        "reason": reason,
    })
}

fn understood(parts: &[Match]) -> Vec<String> {
    parts.iter().map(operations::words::place_match).collect()
}
