//! `recent_changes`: what happened to records since an earlier call, from the log that the feed of changes serves.

use std::time::Duration;

use api::beside::{Counted, Refusal};
use api::index::{Criteria, Filter, Reach};
use feed::{Change, Page, PageError, read_page};
use futures::future::BoxFuture;
use rmcp::model::JsonObject;
use schema::{OfferDetail, OfferType, PropertyType, RecordEvent, SpecEnum, Timestamp};
use serde_json::{Map, Value, json};
use statistics::percent_between;

use super::Definition;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, NOT_FOUND, Refused};
use crate::json_schema::{members, object, offer};
use crate::offer_card::{Style, card, plain, rounded};

/// What can happen to a record, in the words of the answer.
const KINDS: [&str; 8] = [
    "new",
    "price_drop",
    "price_rise",
    "gone",
    "back",
    "merged",
    "split",
    "removed",
];
/// The number of changes that are read together.
const PAGE: u32 = 100;
/// The number of pages that a call reads. If there are more, hasMore says so.
const MOST_PAGES: usize = 5;
/// How many changes before the last one an answer without a handle begins.
const BACK: i64 = 200;
const LARGEST_ANSWER: u64 = 50;
const USUAL_ANSWER: u64 = 20;
/// How long the database may take for a page.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The tool.
pub(super) const TOOL: Definition = Definition {
    name: "recent_changes",
    title: "Recent changes",
    description: "Tell what happened to offers since an earlier call: new ones, price drops, price rises, offers that are \
        gone or back, that were found to be the same property as another (merged) or two properties (split), or that were \
        removed. Pass the handle of the previous answer as after; without it, the answer begins a little in the past and \
        gives a handle. If hasMore is true, call it again with the new handle. Counts as one request of the quota.",
    input,
    output,
    run,
};

fn input() -> JsonObject {
    let properties = members(json!({
        "after": {"type": "integer", "minimum": 0, "description": "The handle of an earlier answer: the number of a change."},
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
        "limit": {"type": "integer", "minimum": 1, "maximum": LARGEST_ANSWER, "default": USUAL_ANSWER, "description": "Changes to tell at most; those of one offer stay together, so it may be a few more."}
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
                    "id": {"type": "string", "description": "The offer."},
                    "siteId": {"type": "string", "description": "The portal that changed its price."},
                    "from": {"type": "integer", "description": "Its former price, CZK."},
                    "to": {"type": "integer", "description": "Its new price, CZK."},
                    "percent": {"type": "number"},
                    "at": {"type": "string", "format": "date-time", "description": "When the new price was first seen."},
                    "into": {"type": "string", "description": "Of a merge, the offer that it is now; of a split, the offer that took adverts over."},
                    "offer": offer()
                },
                "required": ["kind", "id"]
            }
        },
        "handle": {"type": "integer", "description": "Where the next call goes on."},
        "hasMore": {"type": "boolean"}
    }));
    object(properties, &["changes", "handle", "hasMore"])
}

/// Which changes are wanted.
struct Wanted {
    kinds: Vec<&'static str>,
    filter: Filter,
    limit: usize,
}

fn run(call: Call<'_>) -> BoxFuture<'_, Answer> {
    Box::pin(async move {
        let mut arguments = Arguments::new(call.arguments);
        let (after, wanted) = read_arguments(&mut arguments);
        arguments.finish()?;
        call.counted(Box::new(move |counted| {
            Box::pin(async move { answered(call, &counted, after, &wanted).await })
        }))
        .await
    })
}

fn read_arguments(arguments: &mut Arguments<'_>) -> (Option<i64>, Wanted) {
    let after = arguments.value("after").and_then(|value| {
        let number = match value {
            Value::String(text) => text.parse().ok(),
            value => value.as_i64(),
        };
        let number = number.filter(|number| *number >= 0);
        if number.is_none() {
            let message = "must be the handle of an earlier answer, a whole number; leave it out to start over";
            arguments.add_fault("after", message);
        }
        number
    });
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
    let criteria = Criteria {
        offer_type: offer_type.and_then(|index| OfferType::from_code(index as u8)),
        property_type: property_type.and_then(|index| PropertyType::from_code(index as u8)),
        district: arguments.text("district", "the name of a district"),
        ..Criteria::default()
    };
    let wanted = Wanted {
        kinds,
        filter: Filter {
            criteria,
            circle: None,
            // Whether the plan shows an expired offer is decided where it is shown.
            reach: Reach::ExpiredSince(Timestamp(i64::MIN)),
        },
        limit: arguments.number("limit", (1, LARGEST_ANSWER), USUAL_ANSWER) as usize,
    };
    (after, wanted)
}

async fn answered(
    call: Call<'_>,
    counted: &Counted,
    after: Option<i64>,
    wanted: &Wanted,
) -> Answer {
    let log = Log {
        call,
        counted,
        filter: &wanted.filter,
    };
    let mut page = log.first(after).await?;
    let (mut changes, mut pages) = (Vec::new(), 1);
    let (handle, has_more) = loop {
        let mut rest = page.changes.iter();
        let mut handle = page.next_after;
        while changes.len() < wanted.limit
            && let Some(change) = rest.next()
        {
            changes.extend(log.told(change, wanted).await?);
            handle = change.seq;
        }
        if rest.next().is_some() {
            break (handle, true);
        }
        handle = page.next_after;
        if !page.has_more || changes.len() >= wanted.limit || pages == MOST_PAGES {
            break (handle, page.has_more);
        }
        page = log.after(handle).await?.map_err(refused)?;
        pages += 1;
    };
    Ok(json!({"changes": changes, "handle": handle, "hasMore": has_more}))
}

/// The log of changes, as a call reads it.
struct Log<'a> {
    call: Call<'a>,
    counted: &'a Counted,
    filter: &'a Filter,
}

/// A record as the caller may see it.
enum Seen {
    Shown(Box<OfferDetail>),
    /// It expired before the history that the plan covers.
    Hidden,
    /// It is another record now, or was removed; or it does not match.
    Absent,
}

impl Log<'_> {
    /// The first page: after the handle, or from a little before the last change.
    async fn first(&self, handle: Option<i64>) -> Result<Page, Refused> {
        if let Some(handle) = handle {
            return self.after(handle).await?.map_err(refused);
        }
        let newest = self.changes_after(None).await?.map_err(refused)?.next_after;
        match self.after((newest - BACK).max(0)).await? {
            Err(PageError::Expired { known_after, .. }) => {
                self.after(known_after).await?.map_err(refused)
            }
            page => page.map_err(refused),
        }
    }

    async fn after(&self, number: i64) -> Result<Result<Page, PageError>, Refused> {
        self.changes_after(Some(number)).await
    }

    async fn changes_after(&self, after: Option<i64>) -> Result<Result<Page, PageError>, Refused> {
        let wanted = feed::Wanted {
            after,
            limit: PAGE,
            filter: self.filter,
            heard_of: self.counted.newest_change(),
        };
        let page = tokio::time::timeout(TIMEOUT, read_page(&self.call.records.db, wanted)).await;
        Ok(page.map_err(Refusal::failure)?)
    }

    /// What is told of a change. Of a record that the plan does not show, only its end is.
    async fn told(&self, change: &Change, wanted: &Wanted) -> Result<Vec<Value>, Refused> {
        let record = self.record(change).await?;
        let style = Style {
            detailed: false,
            texts: false,
            in_list: true,
        };
        let offer = match &record {
            Seen::Shown(detail) => Some(card(&detail.offer, style)),
            Seen::Hidden | Seen::Absent => None,
        };
        let is_told = |event: &&RecordEvent| match record {
            Seen::Shown(_) => true,
            Seen::Hidden => matches!(event, RecordEvent::Gone),
            Seen::Absent => matches!(event, RecordEvent::Merged(_) | RecordEvent::Removed),
        };
        let events = change.events.iter().filter(is_told);
        let told = events.filter_map(|event| {
            let (kind, more) = described(event)?;
            let is_wanted = wanted.kinds.contains(&kind);
            is_wanted.then(|| {
                let mut told = members(json!({"kind": kind, "id": change.id}));
                told.extend(more);
                told.extend(
                    offer
                        .clone()
                        .map(|offer| ("offer".to_owned(), offer.into())),
                );
                Value::Object(told)
            })
        });
        Ok(told.take(wanted.limit).collect())
    }

    async fn record(&self, change: &Change) -> Result<Seen, Refused> {
        let Some(text) = &change.offer else {
            return Ok(Seen::Absent);
        };
        let detail: OfferDetail = serde_json::from_str(text.get()).map_err(Refusal::failure)?;
        if detail.offer.is_live {
            return Ok(Seen::Shown(Box::new(detail)));
        }
        match self
            .call
            .records
            .api
            .offer_as(self.counted, change.id.as_str())
            .await
        {
            Ok(_) => Ok(Seen::Shown(Box::new(detail))),
            Err(refusal) if refusal.code() == NOT_FOUND => Ok(Seen::Hidden),
            Err(other) => Err(other.into()),
        }
    }
}

/// The kind of an event and its members; `None` if it is not told.
fn described(event: &RecordEvent) -> Option<(&'static str, Map<String, Value>)> {
    let (kind, more) = match event {
        RecordEvent::Appeared => ("new", json!({})),
        RecordEvent::Gone => ("gone", json!({})),
        RecordEvent::Back => ("back", json!({})),
        RecordEvent::Removed => ("removed", json!({})),
        RecordEvent::Merged(into) => ("merged", json!({"into": into})),
        RecordEvent::Split(into) => ("split", json!({"into": into})),
        RecordEvent::Changed(_) => return None,
        RecordEvent::Price(step) => {
            // A first price is neither a drop nor a rise.
            let from = step.from?;
            let kind = if step.to < from {
                "price_drop"
            } else {
                "price_rise"
            };
            let more = json!({
                "siteId": plain(&step.site_id, 80),
                "from": rounded(from),
                "to": rounded(step.to),
                "percent": percent_between(from, step.to),
                "at": step.at,
            });
            (kind, more)
        }
    };
    Some((kind, members(more)))
}

fn refused(error: PageError) -> Refused {
    let message = match error {
        PageError::Failed(error) => return Refusal::failure(error).into(),
        PageError::Expired { after, known_after } => format!(
            "is {after}, but changes up to number {known_after} are no longer kept. Start over: leave it out to get a new \
             handle, and search for the offers as they are now with search_offers"
        ),
        PageError::Ahead { after, newest } => format!(
            "is {after}, and the last change is {newest}: the handle is of another service, or the database was restored from \
             a backup since. Start over: leave it out to get a new handle"
        ),
    };
    Refusal::parameter("after", message).into()
}
