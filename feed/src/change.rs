//! One change, as it is sent.

use schema::store::offers::StoredDocument;
use schema::{OfferId, RecordEvent};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What one change did to a record, and what the record is now.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// Its number. Numbers grow in the order of commit; not every number is one of a change that is sent.
    pub seq: i64,
    /// The record.
    pub id: OfferId,
    /// What happened, in any order.
    #[serde(serialize_with = "events")]
    pub events: Vec<RecordEvent>,
    /// The detail of the record when the page was read, which may be newer than the change. `null` if the record is not,
    /// or no longer, among what was asked for: a copy must drop it.
    pub offer: Option<Box<RawValue>>,
}

fn events<S: serde::Serializer>(events: &[RecordEvent], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(events.iter().map(event))
}

fn event(event: &RecordEvent) -> Value {
    match event {
        RecordEvent::Appeared => json!({ "type": "appeared" }),
        RecordEvent::Changed(fields) => json!({ "type": "changed", "fields": fields }),
        RecordEvent::Price(step) => json!({
            "type": "price",
            "siteId": step.site_id,
            "offerId": step.offer_id,
            "from": step.from.map(number),
            "to": number(step.to),
            "at": step.at,
        }),
        RecordEvent::Gone => json!({ "type": "gone" }),
        RecordEvent::Back => json!({ "type": "back" }),
        RecordEvent::Merged(into) => json!({ "type": "merged", "into": into }),
        RecordEvent::Split(into) => json!({ "type": "split", "into": into }),
        RecordEvent::Removed => json!({ "type": "removed" }),
    }
}

/// A price, without a fraction if it is whole, as the API writes it.
fn number(price: f64) -> Value {
    // Below 2^53 every whole number is exact.
    if price.fract() == 0.0 && price.abs() < 9e15 {
        Value::from(price as i64)
    } else {
        Value::from(price)
    }
}

/// The detail of a record: the summary, and what a detail adds to it, as one object. `None` if either is not an object
/// with a member, which the store does not write.
pub(crate) fn detail(document: &StoredDocument) -> Option<Box<RawValue>> {
    let summary = std::str::from_utf8(&document.summary).ok()?;
    let more = std::str::from_utf8(&document.detail_only).ok()?;
    let joined = format!("{},{}", summary.strip_suffix('}')?, more.strip_prefix('{')?);
    RawValue::from_string(joined).ok()
}
