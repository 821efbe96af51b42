//! What is stored about one advert: its reading beside the content that it was read from.

use askama::Template;
use axum::extract::{Path, State};
use ingest::intake;
use schema::ListingKey;
use schema::store::value_rejects::{self, ValueReject};
use serde_json::Value;

use super::reading::listings_named;
use super::record::{in_words, web_url};
use super::{Page, facts, page};
use crate::format;
use crate::state::Console;
use crate::visit::{Frame, Visit};

/// How many characters of a content are shown: a page stays below 100 KB.
const RAW: usize = 40_000;

#[derive(Template)]
#[template(path = "listing.html")]
struct ListingPage {
    frame: Frame,
    key: String,
    title: String,
    record: String,
    url: String,
    life: Vec<String>,
    changes: Vec<Changed>,
    left_out: Vec<ValueReject>,
    fields: Vec<Known>,
    contents: String,
    raw: String,
    is_cut: bool,
}

struct Changed {
    at: String,
    field: String,
    before: String,
    after: String,
}

struct Known {
    field: String,
    value: String,
    since: String,
}

/// GET /listings/{site}/{number}
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Path((site, number)): Path<(String, String)>,
) -> Page {
    let l = visit.l;
    let [stored] = listings_named(console.db(), [&ListingKey::new(site, number)]).await?;
    let record = intake::listing_record(console.db(), &stored).await?;
    let life = intake::life(console.db(), &stored).await?;
    let last = record.contents.iter().max_by_key(|one| one.last_seen_at);
    let raw = last
        .map(|content| readable(&content.raw.body))
        .unwrap_or_default();
    let cut = raw.char_indices().nth(RAW).map(|(end, _)| end);
    let value = |field: &str, value: &Option<Value>| {
        value
            .as_ref()
            .map_or_else(|| "–".to_owned(), |value| facts::shown(field, value))
    };
    page(&ListingPage {
        frame: visit.frame("records"),
        title: stored
            .state
            .listing
            .attributes
            .title
            .clone()
            .unwrap_or_default(),
        record: stored
            .offer_id
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        url: web_url(&stored),
        life: life
            .iter()
            .map(|event| format!("{} {}", format::time(event.at), in_words(event, l)))
            .collect(),
        changes: record
            .changes
            .iter()
            .map(|one| Changed {
                at: format::time(one.at),
                field: one.field.clone(),
                before: value(&one.field, &one.before),
                after: value(&one.field, &one.after),
            })
            .collect(),
        left_out: value_rejects::of_listing(console.db(), stored.id).await?,
        fields: record
            .fields
            .iter()
            .map(|one| Known {
                field: one.field.clone(),
                value: facts::shown(&one.field, &one.value),
                since: format::date(one.since),
            })
            .collect(),
        contents: l.counted(
            record.contents.len() as u64,
            ["content was seen", "contents were seen"],
            [
                "obsah byl viděn",
                "obsahy byly viděny",
                "obsahů bylo viděno",
            ],
        ),
        is_cut: cut.is_some(),
        raw: cut
            .and_then(|end| raw.get(..end))
            .unwrap_or(&raw)
            .to_owned(),
        key: stored.key.to_string(),
    })
}

/// A content with line breaks, if it is JSON.
fn readable(body: &str) -> String {
    let parsed = serde_json::from_str::<Value>(body);
    let pretty = parsed.and_then(|value| serde_json::to_string_pretty(&value));
    pretty.unwrap_or_else(|_| body.to_owned())
}
