//! `explain_offer`: why adverts are one property, in words.

use api::beside::Refusal;
use dedup::explanation::ExplainedPair;
use dedup::worker::Listings;
use futures::future::BoxFuture;
use operations::explained::{self, ExplainedRecord};
use operations::words;
use rmcp::model::JsonObject;
use schema::{ListingKey, OfferDetail, Verdict};
use serde_json::{Value, json};

use super::Definition;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Refused};
use crate::json_schema::{members, object};

/// The largest numbers of pairs that are explained, and of reasons for and against each.
const MOST_PAIRS: usize = 12;
const MOST_REASONS: usize = 6;

/// The tool.
pub(super) const TOOL: Definition = Definition {
    name: "explain_offer",
    title: "Explain an offer",
    description: "Explain why the adverts of an offer are the same property: how sure that is, what agrees and what speaks \
        against it, for each advert and the one that it was joined to. Counts as one request of the quota.",
    input,
    output,
    run,
};

fn input() -> JsonObject {
    let properties = members(json!({
        "id": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The id of an offer, from search_offers."}
    }));
    object(properties, &["id"])
}

fn output() -> JsonObject {
    let reasons = |meaning: &str| {
        json!({
            "type": "array",
            "description": meaning,
            "items": {
                "type": "object",
                "properties": {
                    "what": {"type": "string", "description": "What was compared."},
                    "how": {"type": "string", "description": "How well it agrees."},
                    "weight": {"type": "number", "description": "In powers of two: +3 makes it eight times as likely."}
                },
                "required": ["what", "how", "weight"]
            }
        })
    };
    let properties = members(json!({
        "id": {"type": "string"},
        "adverts": {"type": "array", "items": {"type": "string"}, "description": "Portal and number of each advert."},
        "summary": {"type": "string"},
        "probability": {"type": ["number", "null"], "description": "That they are one property, by the weakest tie; null for a single advert or a person's decision."},
        "links": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "one": {"type": "string", "description": "An advert."},
                    "other": {"type": "string", "description": "The advert that it was compared with."},
                    "weight": {"type": "number"},
                    "decidedByAPerson": {"type": "boolean"},
                    "for": reasons("What speaks for one property, the strongest first."),
                    "against": reasons("What speaks against it, the strongest first.")
                },
                "required": ["one", "other", "weight", "decidedByAPerson", "for", "against"]
            }
        },
        "leftOut": {"type": "integer", "description": "Links that are not listed."}
    }));
    object(
        properties,
        &[
            "id",
            "adverts",
            "summary",
            "probability",
            "links",
            "leftOut",
        ],
    )
}

fn run(call: Call<'_>) -> BoxFuture<'_, Answer> {
    Box::pin(async move {
        let mut arguments = Arguments::new(call.arguments);
        let id = arguments.required_text("id", "the id of an offer, from search_offers");
        arguments.finish()?;
        call.counted(Box::new(move |counted| {
            Box::pin(async move {
                let found = call.records.api.offer_as(&counted, &id).await?;
                let addresses = (call.records.addresses)().await;
                let addresses =
                    addresses.map_err(|cause| Refused::from(Refusal::failure(cause)))?;
                let source = Listings {
                    db: &call.records.db,
                    addresses: &addresses,
                };
                let record = explained::record(source, &found.detail.offer.id).await;
                let record = record.map_err(|error| Refused::from(Refusal::failure(error)))?;
                Ok(described(&found.detail, &record))
            })
        }))
        .await
    })
}

fn described(detail: &OfferDetail, record: &ExplainedRecord) -> Value {
    let adverts: Vec<String> = record
        .members
        .iter()
        .map(|one| one.key.to_string())
        .collect();
    let links = &record.explained.links;
    let confidence = record.confidence.as_ref();
    let mut summary = vec![match adverts.len() {
        1 => "One advert; nothing had to be joined.".to_owned(),
        count => format!("{count} adverts are one property."),
    }];
    summary.extend(confidence.iter().flat_map(|it| words::confidence(it)));
    json!({
        "id": detail.offer.id,
        "adverts": adverts.iter().take(2 * MOST_PAIRS).collect::<Vec<_>>(),
        "summary": summary.join(" "),
        "probability": confidence.and_then(|it| it.probability).map(told),
        "links": links.iter().take(MOST_PAIRS).map(link).collect::<Vec<Value>>(),
        "leftOut": links.len().saturating_sub(MOST_PAIRS),
    })
}

/// A probability as it is told: only a person's decision is certain.
fn told(probability: f64) -> f64 {
    ((probability * 1000.0).round() / 1000.0).clamp(0.001, 0.999)
}

fn link(pair: &ExplainedPair) -> Value {
    let decision = pair.decision.as_ref();
    let [supporting, opposing] = pair.heaviest(MOST_REASONS).map(|bars| {
        let reasons = bars.into_iter().map(|bar| {
            json!({
                "what": bar.comparison,
                "how": bar.level,
                "weight": (bar.weight * 10.0).round() / 10.0,
            })
        });
        reasons.collect::<Vec<Value>>()
    });
    let named = |key: &ListingKey| key.to_string();
    json!({
        "one": named(&pair.left),
        "other": named(&pair.right),
        "weight": (pair.evidence.weight * 10.0).round() / 10.0,
        "decidedByAPerson": decision.is_some_and(|review| review.verdict == Verdict::Same),
        "for": supporting,
        "against": opposing,
    })
}
