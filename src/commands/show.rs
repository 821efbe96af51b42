//! `jeden show`

use anyhow::Context;
use clap::Args;
use ingest::intake::{self, FieldChange, KnownField, LifeEvent, ListingRecord, SeenContent};
use schema::store::value_rejects::{self, ValueReject};
use schema::store::{Db, listings};
use schema::{ListingKey, OfferId, StoredListing, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::explain;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{listing_name, progress};

/// `jeden show`
#[derive(Debug, Args)]
pub struct Show {
    /// The listing
    #[arg(value_name = "PORTAL/NUMBER")]
    listing: String,
    /// Print the last content of the listing as the portal sent it, and nothing else
    #[arg(long, conflicts_with = "json")]
    raw: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &Show, settings: &Settings) -> anyhow::Result<Outcome> {
    let key = listing_name::parse(&options.listing)?;
    let db = settings.open().await?;
    let stored = load(&db, &key).await?;
    let record = intake::listing_record(&db, &stored).await?;
    if options.raw {
        let last = record.contents.iter().max_by_key(|one| one.last_seen_at);
        let last = last.with_context(|| format!("no content of {key} is stored"))?;
        progress::result(&last.raw.body)?;
    } else {
        let shown = ShownListing {
            life: intake::life(&db, &stored).await?,
            left_out: value_rejects::of_listing(&db, stored.id).await?,
            stored,
            record,
        };
        if options.json {
            let json = serde_json::to_string_pretty(&shown.as_json())?;
            progress::result(&json)?;
        } else {
            shown.print()?;
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}

async fn load(db: &Db, key: &ListingKey) -> anyhow::Result<StoredListing> {
    let mut tx = db.begin_read().await?;
    let mut found = listings::load(&mut tx, std::slice::from_ref(key)).await?;
    tx.rollback().await?;
    found
        .remove(key)
        .with_context(|| format!("no listing {key} is stored"))
}

/// Everything that is shown.
struct ShownListing {
    stored: StoredListing,
    record: ListingRecord,
    life: Vec<LifeEvent>,
    left_out: Vec<ValueReject>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListingJson<'a> {
    listing: String,
    offer: Option<&'a OfferId>,
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
    last_changed_at: Timestamp,
    gone_at: Option<Timestamp>,
    fields: &'a [KnownField],
    changes: &'a [FieldChange],
    life: &'a [LifeEvent],
    left_out: Vec<LeftOutJson<'a>>,
    contents: Vec<ContentJson<'a>>,
    deleted_contents: u64,
}

#[derive(Serialize)]
struct LeftOutJson<'a> {
    field: &'a str,
    value: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ContentJson<'a> {
    first_seen_at: Timestamp,
    last_seen_at: Timestamp,
    sightings: u64,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<&'a str>,
}

impl ShownListing {
    fn as_json(&self) -> ListingJson<'_> {
        let state = &self.stored.state;
        ListingJson {
            listing: self.stored.key.to_string(),
            offer: self.stored.offer_id.as_ref(),
            first_seen_at: state.first_seen_at,
            last_seen_at: state.last_seen_at,
            last_changed_at: state.last_changed_at,
            gone_at: state.gone_at,
            fields: &self.record.fields,
            changes: &self.record.changes,
            life: &self.life,
            left_out: self.left_out.iter().map(left_out_json).collect(),
            contents: self.record.contents.iter().map(content_json).collect(),
            deleted_contents: self.record.deleted_contents,
        }
    }

    fn print(&self) -> std::io::Result<()> {
        let key = &self.stored.key;
        progress::result(&match &self.stored.offer_id {
            Some(offer) => format!("{key} is in the record {offer}."),
            None => format!("{key} waits for deduplication."),
        })?;
        progress::result("\nFields, each with the sighting that stated it first:")?;
        for KnownField {
            field,
            value,
            since,
        } in &self.record.fields
        {
            progress::result(&format!("  {field}: {}  (since {since})", short(value)))?;
        }
        explain::life::print(key, &self.life, self.stored.state.last_seen_at)?;
        if !self.record.changes.is_empty() {
            progress::result("\nChanges:")?;
        }
        for change in &self.record.changes {
            let [before, after] = [&change.before, &change.after]
                .map(|value| value.as_ref().map_or_else(|| "unknown".to_owned(), short));
            let FieldChange { at, field, .. } = change;
            progress::result(&format!("  {at}  {field}: {before} → {after}"))?;
        }
        if !self.left_out.is_empty() {
            progress::result("\nValues left out:")?;
        }
        for ValueReject {
            field,
            value,
            reason,
        } in &self.left_out
        {
            progress::result(&format!("  {field}: {value:?}: {reason}"))?;
        }
        progress::result("\nContents (`--raw` prints the last one):")?;
        for content in &self.record.contents {
            progress::result(&format!("  {}", in_words(content)))?;
        }
        if self.record.deleted_contents > 0 {
            progress::result(&format!(
                "  {} were deleted, because the advert had been gone for as long as `keep_contents` says",
                self.record.deleted_contents
            ))?;
        }
        Ok(())
    }
}

fn left_out_json(one: &ValueReject) -> LeftOutJson<'_> {
    LeftOutJson {
        field: &one.field,
        value: &one.value,
        reason: &one.reason,
    }
}

fn content_json(content: &SeenContent) -> ContentJson<'_> {
    ContentJson {
        first_seen_at: content.first_seen_at,
        last_seen_at: content.last_seen_at,
        sightings: content.sightings,
        bytes: content.raw.body.len(),
        unread: content.unread.as_deref(),
    }
}

fn in_words(content: &SeenContent) -> String {
    let unread = content
        .unread
        .as_ref()
        .map(|why| format!("; it cannot be read: {why}"))
        .unwrap_or_default();
    let times = match content.sightings {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    format!(
        "{} to {}: {} bytes, seen {times}{unread}",
        content.first_seen_at,
        content.last_seen_at,
        content.raw.body.len(),
    )
}

/// A value in one line, cut to a readable length.
fn short(value: &Value) -> String {
    const MAX_CHARS: usize = 100;
    let text = value.to_string();
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
