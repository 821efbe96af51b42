//! `compare_offers`: two to five properties side by side.

use futures::future::BoxFuture;
use rmcp::model::JsonObject;
use schema::store::offers::FoundOffer;
use serde_json::{Map, Value, json};

use super::Definition;
use super::get_offer::days_on_market;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, NOT_FOUND, Refused};
use crate::json_schema::{members, object, offer};
use crate::offer_card::{Style, card};

/// How many offers may be compared.
const FEWEST: usize = 2;
const MOST: usize = 5;

/// The tool.
pub(super) const TOOL: Definition = Definition {
    name: "compare_offers",
    title: "Compare offers",
    description: "Put 2 to 5 offers side by side: which fields they have in common, which differ and how, with the price of \
        a square metre, the days on the market and the number of portals. Counts as one request of the quota.",
    input,
    output,
    run,
};

fn input() -> JsonObject {
    let properties = members(json!({
        "ids": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 64},
            "minItems": FEWEST,
            "maxItems": MOST,
            "uniqueItems": true,
            "description": "Ids of different offers, from search_offers."
        }
    }));
    object(properties, &["ids"])
}

fn output() -> JsonObject {
    let mut compared = offer();
    compared["description"] =
        "An offer with daysOnMarket and portals, the number of portals that advertise it.".into();
    let properties = members(json!({
        "offers": {"type": "array", "items": compared, "description": "In the order asked for."},
        "same": {"type": "object", "description": "The fields that all offers have with the same value."},
        "differences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "field": {"type": "string"},
                    "values": {"type": "object", "description": "By id; null if the offer does not state it."}
                },
                "required": ["field", "values"]
            }
        },
        "notFound": {"type": "array", "items": {"type": "string"}, "description": "Ids of no offer that the plan shows."}
    }));
    object(properties, &["offers", "same", "differences", "notFound"])
}

fn run(call: Call<'_>) -> BoxFuture<'_, Answer> {
    Box::pin(async move {
        let mut arguments = Arguments::new(call.arguments);
        let ids = arguments.texts("ids", (FEWEST, MOST), "ids of offers, from search_offers");
        arguments.finish()?;
        call.counted(Box::new(move |counted| {
            Box::pin(async move {
                let (mut found, mut missing) = (Vec::new(), Vec::new());
                for id in ids {
                    match call.records.api.offer_as(&counted, &id).await {
                        Ok(offer) => found.push(described(&offer, &counted)),
                        Err(refusal) if refusal.code() == NOT_FOUND => missing.push(id),
                        Err(other) => return Err(Refused::from(other)),
                    }
                }
                let (same, differences) = compared(&found);
                Ok(json!({
                    "offers": found,
                    "same": same,
                    "differences": differences,
                    "notFound": missing,
                }))
            })
        }))
        .await
    })
}

fn described(found: &FoundOffer, counted: &api::beside::Counted) -> Map<String, Value> {
    let style = Style {
        detailed: true,
        texts: false,
        in_list: true,
    };
    let mut card = card(&found.detail.offer, style);
    let live = found.detail.portal_links.iter().filter(|link| link.is_live);
    card.insert("portals".to_owned(), live.count().into());
    let days = days_on_market(found, counted.holder().at());
    card.insert("daysOnMarket".to_owned(), days.into());
    card
}

/// The fields that all have with the same value, and those that differ.
fn compared(offers: &[Map<String, Value>]) -> (Map<String, Value>, Vec<Value>) {
    const NO_FACTS: [&str; 4] = ["id", "firstSeenAt", "lastChangedAt", "location"];
    let mut names: Vec<&String> = Vec::new();
    for name in offers.iter().flat_map(Map::keys) {
        if !names.contains(&name) && !NO_FACTS.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let (mut same, mut differences) = (Map::new(), Vec::new());
    for name in names {
        let values: Vec<Option<&Value>> = offers.iter().map(|offer| offer.get(name)).collect();
        match values.split_first() {
            Some((Some(first), rest)) if rest.iter().all(|value| *value == Some(first)) => {
                same.insert(name.clone(), (*first).clone());
            }
            _ => {
                let by_id: Map<String, Value> = offers
                    .iter()
                    .filter_map(|offer| {
                        let id = offer.get("id")?.as_str()?.to_owned();
                        Some((id, offer.get(name).cloned().unwrap_or(Value::Null)))
                    })
                    .collect();
                differences.push(json!({"field": name, "values": by_id}));
            }
        }
    }
    (same, differences)
}
