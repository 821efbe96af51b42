//! `recent_changes`: what happened to records since an earlier call.

use api::beside::{Counted, Refusal};
use futures::future::BoxFuture;
use gazetteer::filter_names::district_filter_key;
use operations::record_life::{self, RecordChange, RecordEvent};
use rmcp::model::JsonObject;
use schema::store::offers::{self, FoundOffer, IndexRow};
use schema::store::{Db, StoreError};
use schema::{OfferType, PropertyType, SpecEnum, Timestamp};
use serde_json::{Map, Value, json};

use super::Definition;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Refused};
use crate::json_schema::{members, object, offer};
use crate::offer_card::{Style, card, rounded};
use statistics::percent_between;

/// What can happen to a record, in the words of the answer.
const KINDS: [&str; 5] = ["new", "price_drop", "price_rise", "gone", "back"];
/// The largest number of changed records that a call looks at. If more have changed, hasMore says so.
const MOST_RECORDS: u32 = 200;
const LARGEST_PAGE: u64 = 50;
const USUAL_PAGE: u64 = 20;

/// The tool.
pub(super) const TOOL: Definition = Definition {
    name: "recent_changes",
    title: "Recent changes",
    description: "Tell what happened to offers since an earlier call: new ones, price drops, price rises, offers that are \
        gone, and offers that are back. Pass the handle of the previous answer as after; without it, the answer begins a \
        little in the past and gives a handle. If hasMore is true, call it again with the new handle. Counts as one request \
        of the quota.",
    input,
    output,
    run,
};

fn input() -> JsonObject {
    let properties = members(json!({
        "after": {"type": "string", "maxLength": 60, "description": "The handle of an earlier answer, unchanged."},
        "kinds": {
            "type": "array",
            "items": {"type": "string", "enum": KINDS},
            "minItems": 1,
            "maxItems": KINDS.len(),
            "uniqueItems": true,
            "description": "What to tell; everything by default."
        },
        "offerType": {"type": "string", "enum": OfferType::TEXTS, "description": "Only offers of this kind."},
        "type": {"type": "string", "enum": PropertyType::TEXTS, "description": "Only properties of this type."},
        "district": {"type": "string", "maxLength": 200, "description": "Only offers in this district (okres), by its exact name or a usual form of it."},
        "limit": {"type": "integer", "minimum": 1, "maximum": LARGEST_PAGE, "default": USUAL_PAGE, "description": "Changes to tell at most; those of one offer stay together, so it may be a few more."}
    }));
    object(properties, &[])
}

fn output() -> JsonObject {
    let properties = members(json!({
        "changes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "kind": {"type": "string", "enum": KINDS},
                    "at": {"type": "string", "format": "date-time"},
                    "siteId": {"type": "string", "description": "The portal that changed its price."},
                    "from": {"type": "integer", "description": "Its former price, CZK."},
                    "to": {"type": "integer", "description": "Its new price, CZK."},
                    "percent": {"type": "number"},
                    "offer": offer()
                },
                "required": ["kind", "at", "offer"]
            }
        },
        "handle": {"type": "string", "description": "Where the next call goes on."},
        "hasMore": {"type": "boolean"}
    }));
    object(properties, &["changes", "handle", "hasMore"])
}

/// Where a reader is: the number of the last change that it knows, and the latest time of an event up to then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Handle {
    change: i64,
    time: Timestamp,
}

impl Handle {
    fn parse(text: &str) -> Option<Self> {
        let (change, time) = text.strip_prefix('c')?.split_once('t')?;
        let change = change.parse().ok().filter(|change| *change >= 0)?;
        Some(Self {
            change,
            time: Timestamp(time.parse().ok()?),
        })
    }
}

impl std::fmt::Display for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "c{}t{}", self.change, self.time.millis())
    }
}

/// Which changes are wanted.
struct Wanted {
    kinds: Vec<&'static str>,
    offer_type: Option<OfferType>,
    property_type: Option<PropertyType>,
    district: Option<String>,
    limit: usize,
}

fn run(call: Call<'_>) -> BoxFuture<'_, Answer> {
    Box::pin(async move {
        let mut arguments = Arguments::of(call.arguments);
        let (after, wanted) = read(&mut arguments);
        arguments.finish()?;
        call.counted(Box::new(move |counted| {
            Box::pin(async move { answered(call, &counted, after, &wanted).await })
        }))
        .await
    })
}

fn read(arguments: &mut Arguments<'_>) -> (Option<Handle>, Wanted) {
    let meaning = "the handle of an earlier answer, unchanged";
    let sent = arguments.text("after", meaning);
    let after = sent.as_deref().and_then(Handle::parse);
    if sent.as_ref().is_some_and(|text| !text.is_empty()) && after.is_none() {
        arguments.add_fault(
            "after",
            format!("must be {meaning}; leave it out to begin anew"),
        );
    }
    let kinds = if arguments.value("kinds").is_some() {
        let named = arguments.texts("kinds", (1, KINDS.len()), &KINDS.join(", "));
        if let Some(unknown) = named.iter().find(|name| !KINDS.contains(&name.as_str())) {
            let unknown: String = unknown.chars().take(40).collect();
            let message = format!("has {unknown:?}, which is none of {}", KINDS.join(", "));
            arguments.add_fault("kinds", message);
        }
        let is_named = |kind: &&str| named.iter().any(|name| name == kind);
        KINDS.into_iter().filter(is_named).collect()
    } else {
        KINDS.to_vec()
    };
    let offer_type = arguments.one_of("offerType", OfferType::TEXTS);
    let property_type = arguments.one_of("type", PropertyType::TEXTS);
    let district = arguments.text("district", "the name of a district");
    let limit = arguments.number("limit", (1, LARGEST_PAGE), USUAL_PAGE) as usize;
    let wanted = Wanted {
        kinds,
        offer_type: offer_type.and_then(|index| OfferType::from_code(index as u8)),
        property_type: property_type.and_then(|index| PropertyType::from_code(index as u8)),
        district: district.map(|name| district_filter_key(&name)),
        limit,
    };
    (after, wanted)
}

async fn answered(
    call: Call<'_>,
    counted: &Counted,
    after: Option<Handle>,
    wanted: &Wanted,
) -> Answer {
    let db = &call.records.db;
    // Read before the rows, and where they are read: a read replica may be behind the count.
    let newest = offers::last_change(db).await;
    let newest = newest.map_err(|error| failed(&error))?;
    let begin = after.map_or(newest - i64::from(MOST_RECORDS), |handle| handle.change);
    let begin = begin.max(0);
    let rows = offers::changes_since(db, begin, MOST_RECORDS).await;
    let rows = rows.map_err(|error| failed(&error))?;
    let (looked_at, mut changes) = (rows.len(), Vec::new());
    let mut handle = Handle {
        // Without changes of records, the newest number is where the reader is.
        change: if rows.is_empty() {
            begin.max(newest)
        } else {
            begin
        },
        time: after.map_or(Timestamp(0), |handle| handle.time),
    };
    let mut is_cut = false;
    for row in rows {
        if changes.len() >= wanted.limit {
            is_cut = true;
            break;
        }
        if wanted.fits(&row) {
            changes.extend(changes_of(call, counted, &row, (after, wanted)).await?);
        }
        handle.change = row.change;
        handle.time = handle.time.max(row.last_changed_at);
    }
    Ok(json!({
        "changes": changes,
        "handle": handle.to_string(),
        "hasMore": is_cut || looked_at == MOST_RECORDS as usize,
    }))
}

/// What is told about a record that changed: everything after the time of the handle. If all of it is earlier, because its
/// portal was read late, or without a handle, what happened to it last.
async fn changes_of(
    call: Call<'_>,
    counted: &Counted,
    row: &IndexRow,
    (after, wanted): (Option<Handle>, &Wanted),
) -> Result<Vec<Value>, Refused> {
    // An offer that the plan does not show has no changes either.
    let found = match call.records.api.offer_as(counted, &row.id).await {
        Ok(found) => found,
        Err(Refusal {
            code: "not-found", ..
        }) => return Ok(Vec::new()),
        Err(other) => return Err(other.into()),
    };
    let events = record_events(&call.records.db, &found)
        .await
        .map_err(|error| failed(&error))?;
    let since = |time: Timestamp| events.iter().filter(move |event| event.at > time);
    let mut told: Vec<&RecordEvent> =
        after.map_or_else(Vec::new, |handle| since(handle.time).collect());
    if told.is_empty() {
        let latest = found.detail.offer.last_changed_at;
        told = events.iter().filter(|event| event.at == latest).collect();
    }
    let style = Style {
        detailed: false,
        texts: false,
        in_list: true,
    };
    let offer = Value::Object(card(&found.detail.offer, style));
    let told = told.into_iter().filter_map(|event| {
        let mut change = described(event);
        let kind = change.get("kind").and_then(Value::as_str)?;
        wanted.kinds.contains(&kind).then(|| {
            change.insert("offer".to_owned(), offer.clone());
            Value::Object(change)
        })
    });
    Ok(told.take(wanted.limit).collect())
}

/// What happened to a record. This is where a log of changes would be read instead.
async fn record_events(db: &Db, found: &FoundOffer) -> Result<Vec<RecordEvent>, StoreError> {
    record_life::events(db, &found.detail.offer.id).await
}

fn described(event: &RecordEvent) -> Map<String, Value> {
    let at = event.at;
    members(match &event.change {
        RecordChange::New => json!({"kind": "new", "at": at}),
        RecordChange::Gone => json!({"kind": "gone", "at": at}),
        RecordChange::Back => json!({"kind": "back", "at": at}),
        RecordChange::Price { site_id, from, to } => json!({
            "kind": if to < from { "price_drop" } else { "price_rise" },
            "at": at,
            "siteId": site_id,
            "from": rounded(*from),
            "to": rounded(*to),
            "percent": percent_between(*from, *to),
        }),
    })
}

impl Wanted {
    fn fits(&self, row: &IndexRow) -> bool {
        let district = || row.district.as_deref().map(district_filter_key);
        self.offer_type
            .is_none_or(|wanted| row.offer_type == Some(wanted))
            && self
                .property_type
                .is_none_or(|wanted| row.property_type == Some(wanted))
            && self
                .district
                .as_ref()
                .is_none_or(|wanted| district().as_ref() == Some(wanted))
    }
}

fn failed(error: &StoreError) -> Refused {
    Refusal::failure(error.to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_read_as_it_was_written() {
        let handle = Handle {
            change: 17,
            time: Timestamp(1_780_000_000_000),
        };
        assert_eq!(Handle::parse(&handle.to_string()), Some(handle));
        for wrong in ["", "c1", "t1", "c-1t1", "c1t", "ct", "17", "c1t1x"] {
            assert_eq!(Handle::parse(wrong), None, "{wrong}");
        }
    }
}
