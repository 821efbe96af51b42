//! What is stored about one listing, for a person who asks.

use std::collections::BTreeMap;

use schema::store::{Db, Result, observations, raw_listings};
use schema::{ListingState, RawListing, StoredListing, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};

use super::history::History;
use super::read::read_raw_listing;
use crate::timeline::{self, Event};

/// What is stored about a listing besides its state.
#[derive(Debug, Clone, PartialEq)]
pub struct ListingRecord {
    /// The fields of the listing, in the order of their names.
    pub fields: Vec<KnownField>,
    /// When values changed, oldest first. The first sighting is not among them.
    pub changes: Vec<FieldChange>,
    /// The contents that were seen, in the order of their first sighting.
    pub contents: Vec<SeenContent>,
    /// How many further contents were deleted, because the advert had been gone for as long as contents are kept. Then the
    /// fields are those of the state, and not all changes are known.
    pub deleted_contents: u64,
}

/// A field, and the content that it was read from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownField {
    /// The name in JSON; of facts that are not served, with `evidence.` before it.
    pub field: String,
    /// The value.
    pub value: Value,
    /// When the content that stated the value first was seen.
    pub since: Timestamp,
}

/// A changed value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// When.
    pub at: Timestamp,
    /// The name, as in [`KnownField::field`].
    pub field: String,
    /// The value before; `None` if it was unknown.
    pub before: Option<Value>,
    /// The value since; `None` if it became unknown.
    pub after: Option<Value>,
}

/// A content of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenContent {
    /// The content, as it came.
    pub raw: RawListing,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// How often it was seen.
    pub sightings: u64,
    /// Why it cannot be read, if it cannot.
    pub unread: Option<String>,
}

/// Everything that is stored about a listing.
///
/// # Errors
/// [`schema::store::StoreError`] if the database fails.
pub async fn listing_record(db: &Db, listing: &StoredListing) -> Result<ListingRecord> {
    let mut tx = db.begin_read().await?;
    let history = History::load(&mut tx, listing.id, &listing.key).await?;
    let stored = raw_listings::of_listing(&mut tx, listing.id).await?;
    let sightings = observations::of_listing(&mut tx, listing.id).await?;
    tx.rollback().await?;
    let mut contents: Vec<SeenContent> = stored
        .into_iter()
        .filter_map(|(id, raw)| {
            let times = sightings.iter().filter(|one| one.raw == Some(id));
            let times: Vec<Timestamp> = times.map(|one| one.at).collect();
            let unread = read_raw_listing(&listing.key.site_id, &raw).err();
            Some(SeenContent {
                raw,
                first_seen_at: *times.first()?,
                last_seen_at: *times.last()?,
                sightings: times.len() as u64,
                unread: unread.map(|error| error.to_string()),
            })
        })
        .collect();
    contents.sort_by_key(|content| content.first_seen_at);
    let (is_incomplete, all) = (history.is_incomplete, history.contents.len());
    let deleted_contents = all.saturating_sub(contents.len()) as u64;
    let (fields, changes) = fields_over_time(history.into_events());
    let fields = if is_incomplete {
        fields_of_state(&listing.state, &fields)
    } else {
        fields
    };
    Ok(ListingRecord {
        fields,
        changes,
        contents,
        deleted_contents: if is_incomplete { deleted_contents } else { 0 },
    })
}

/// The fields of a state. If none of the contents that are left states a value, it is at most as old as the last change.
fn fields_of_state(state: &ListingState, known: &[KnownField]) -> Vec<KnownField> {
    let fields = stated_fields(state).into_iter();
    let with_since = fields.map(|(field, value)| {
        let stated = known
            .iter()
            .find(|one| one.field == field && one.value == value);
        let since = stated.map_or(state.last_changed_at, |one| one.since);
        KnownField {
            field,
            value,
            since,
        }
    });
    with_since.collect()
}

/// The fields after all events, and how they changed.
fn fields_over_time(mut events: Vec<Event>) -> (Vec<KnownField>, Vec<FieldChange>) {
    events.sort_by(Event::chronological);
    let mut state = None;
    let mut known: BTreeMap<String, (Value, Timestamp)> = BTreeMap::new();
    let mut changes = Vec::new();
    for event in events {
        let (at, is_first) = (event.at(), state.is_none());
        timeline::apply(&mut state, event);
        let now = state.as_ref().map(stated_fields).unwrap_or_default();
        let mut of_event = changes_between(&known, &now, at);
        for change in &of_event {
            match &change.after {
                Some(value) => known.insert(change.field.clone(), (value.clone(), at)),
                None => known.remove(&change.field),
            };
        }
        if !is_first {
            changes.append(&mut of_event);
        }
    }
    let fields = known.into_iter().map(|(field, (value, since))| KnownField {
        field,
        value,
        since,
    });
    (fields.collect(), changes)
}

fn changes_between(
    known: &BTreeMap<String, (Value, Timestamp)>,
    now: &BTreeMap<String, Value>,
    at: Timestamp,
) -> Vec<FieldChange> {
    let set = now.iter().filter_map(|(field, value)| {
        let before = known.get(field).map(|(before, _)| before.clone());
        (before.as_ref() != Some(value)).then(|| FieldChange {
            at,
            field: field.clone(),
            before,
            after: Some(value.clone()),
        })
    });
    let lost = known
        .iter()
        .filter(|(field, _)| !now.contains_key(*field))
        .map(|(field, (before, _))| FieldChange {
            at,
            field: field.clone(),
            before: Some(before.clone()),
            after: None,
        });
    set.chain(lost).collect()
}

/// The fields that a listing states, by name.
fn stated_fields(state: &ListingState) -> BTreeMap<String, Value> {
    let attributes = members(&state.listing.attributes).into_iter();
    let evidence = members(&state.listing.evidence)
        .into_iter()
        .map(|(name, value)| (format!("evidence.{name}"), value));
    let url = state
        .url
        .clone()
        .map(|url| ("url".to_owned(), Value::from(url)));
    attributes
        .chain(evidence)
        .chain(url)
        .filter(|(_, value)| !value.is_null())
        .collect()
}

fn members(facts: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(facts) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}
