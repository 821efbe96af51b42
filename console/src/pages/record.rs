//! One record with its evidence.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use dedup::merging::RULES;
use dedup::worker::Listings;
use ingest::intake::{self, LifeChange, LifeEvent};
use operations::explained::{self, ExplainedRecord};
use schema::store::{Db, offers};
use schema::{ListingKey, OfferId, StoredListing};

use super::matrix::{MatrixRow, matrix};
use super::{facts, page};
use crate::drawing::{Series, Span, SpanMark, price_chart, timeline};
use crate::error::ConsoleError;
use crate::format;
use crate::language::Language;
use crate::state::Console;
use crate::visit::{Frame, Visit};
use crate::words;

#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage {
    frame: Frame,
    id: String,
    title: String,
    facts: String,
    is_live: bool,
    confidence: Vec<String>,
    adverts: Vec<AdvertRow>,
    prices: String,
    life: String,
    matrix: Vec<MatrixRow>,
    values: Vec<ValueRow>,
    apart: Vec<String>,
}

struct AdvertRow {
    key: String,
    colour: usize,
    title: String,
    price: String,
    first_seen: String,
    last_seen: String,
    is_live: bool,
    url: String,
}

struct ValueRow {
    field: &'static str,
    value: String,
    from: String,
    rule: String,
}

/// GET /records/{id}
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Path(id): Path<String>,
) -> Result<Response, ConsoleError> {
    let wanted = OfferId::parse(&id).ok().ok_or(ConsoleError::NotFound)?;
    let current = offers::resolve(console.db(), &wanted).await?;
    let current = current.ok_or(ConsoleError::NotFound)?;
    if current != wanted {
        return Ok(Redirect::to(&format!("/records/{current}")).into_response());
    }
    let addresses = console.addresses().await?;
    let source = Listings {
        db: console.db(),
        addresses: &addresses,
    };
    let mut record = explained::record(source, &current).await?;
    record.members.sort_by(|one, other| one.key.cmp(&other.key));
    let members = &record.members;
    let l = visit.l;
    let merged = &record.merged.attributes;
    let spans = life_spans(console.db(), members, l).await?;
    Ok(page(&RecordPage {
        frame: visit.frame("records"),
        title: merged.title.clone().unwrap_or_else(|| current.to_string()),
        id: current.to_string(),
        facts: format!("{} · {}", facts::summary(merged), facts::place(merged)),
        is_live: record.merged.is_live,
        confidence: record
            .confidence
            .iter()
            .flat_map(|confidence| words::confidence(confidence, l))
            .collect(),
        adverts: advert_rows(members),
        prices: price_chart(&series(members), l.t("Asking prices", "Ceny")),
        life: timeline(&spans, l.t("Life of the adverts", "Život inzerátů")),
        matrix: matrix(&record),
        values: value_rows(&record, l),
        apart: apart(&record, l),
    })?
    .into_response())
}

fn advert_rows(members: &[StoredListing]) -> Vec<AdvertRow> {
    let row = |(colour, member): (usize, &StoredListing)| {
        let state = &member.state;
        let stated = &state.listing.attributes;
        AdvertRow {
            key: member.key.to_string(),
            colour: colour % 8,
            title: stated.title.clone().unwrap_or_default(),
            price: stated.price_total.map(format::price).unwrap_or_default(),
            first_seen: format::date(state.first_seen_at),
            last_seen: format::date(state.last_seen_at),
            is_live: state.is_live(),
            url: web_url(member),
        }
    };
    members.iter().enumerate().map(row).collect()
}

/// The page of a listing on its portal, if it is a web page.
pub(super) fn web_url(listing: &StoredListing) -> String {
    let url = listing.state.url.clone();
    url.filter(|url| schema::offer::is_web_url(url))
        .unwrap_or_default()
}

/// The prices of listings for a chart.
pub(super) fn series(listings: &[StoredListing]) -> Vec<Series> {
    let series = listings.iter().map(|listing| Series {
        name: listing.key.to_string(),
        points: listing
            .state
            .prices
            .iter()
            .map(|point| (point.at, point.price_total))
            .collect(),
        until: listing.state.gone_at.unwrap_or(listing.state.last_seen_at),
    });
    series.collect()
}

/// When each listing was on its portal, and what happened to it.
pub(super) async fn life_spans(
    db: &Db,
    listings: &[StoredListing],
    l: Language,
) -> Result<Vec<Span>, ConsoleError> {
    let mut spans = Vec::new();
    for listing in listings {
        let events = intake::life(db, listing).await?;
        let mut live = Vec::new();
        let mut since = None;
        for event in &events {
            match event.change {
                LifeChange::Appeared | LifeChange::Returned => since = Some(event.at),
                LifeChange::Gone { .. } | LifeChange::Missed { .. } => {
                    live.extend(since.take().map(|since| (since, event.at)));
                }
            }
        }
        live.extend(since.map(|since| (since, listing.state.last_seen_at)));
        let prices = listing.state.prices.iter().skip(1);
        let mut marks: Vec<SpanMark> = prices
            .map(|point| SpanMark {
                at: point.at,
                class: "changed",
                what: format::price(point.price_total),
            })
            .collect();
        marks.extend(events.iter().map(|event| SpanMark {
            at: event.at,
            class: match event.change {
                LifeChange::Appeared => "seen",
                LifeChange::Returned => "back",
                LifeChange::Gone { .. } | LifeChange::Missed { .. } => "gone",
            },
            what: in_words(event, l),
        }));
        spans.push(Span {
            name: listing.key.to_string(),
            live,
            marks,
        });
    }
    Ok(spans)
}

/// What happened to a listing.
pub(super) fn in_words(event: &LifeEvent, l: Language) -> String {
    match &event.change {
        LifeChange::Appeared => l.t("first seen", "poprvé viděn").to_owned(),
        LifeChange::Returned => l.t("back on the portal", "zpět na portálu").to_owned(),
        LifeChange::Gone {
            reason: Some(reason),
        } => format!(
            "{} {reason}",
            l.t("gone: the portal answered", "zmizel: portál odpověděl")
        ),
        LifeChange::Gone { reason: None } => l
            .t("gone: the portal said so", "zmizel: řekl to portál")
            .to_owned(),
        LifeChange::Missed { crawl_started_at } => format!(
            "{} {}",
            l.t(
                "gone: missing in the crawl of",
                "zmizel: chyběl ve stahování z"
            ),
            format::time(*crawl_started_at)
        ),
    }
}

fn value_rows(record: &ExplainedRecord, l: Language) -> Vec<ValueRow> {
    let explained = &record.explained;
    let stated = facts::stated(&record.merged.attributes).into_iter();
    let left_out = explained
        .applied_rules
        .keys()
        .filter(|field| !explained.provenance.contains_key(*field))
        .map(|field| (*field, String::new()));
    let mut seen = std::collections::BTreeSet::new();
    let rows = stated
        .chain(left_out)
        .filter(|(field, _)| seen.insert(*field))
        .map(|(field, value)| {
            let rule = RULES.iter().find(|(known, _)| *known == field);
            let rule = rule.map_or_else(String::new, |(_, rule)| words::merge_rule(rule, l));
            let applied = explained.applied_rules.get(field);
            let applied = applied.map(|applied| words::applied_rule(applied, l));
            let is_filled = explained.filled_by_gazetteer.contains(&field);
            ValueRow {
                field,
                value,
                from: explained
                    .provenance
                    .get(field)
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                rule: match applied {
                    Some(applied) => format!("{rule}: {applied}"),
                    None if is_filled => l
                        .t("filled in by the gazetteer", "doplněno z adres")
                        .to_owned(),
                    None => rule,
                },
            }
        });
    rows.collect()
}

/// The decisions between the record and listings of other records.
fn apart(record: &ExplainedRecord, l: Language) -> Vec<String> {
    let mine = |key: &ListingKey| record.members.iter().any(|member| member.key == *key);
    let apart = record.in_force.iter();
    let apart = apart.filter(|review| mine(&review.pair.left) != mine(&review.pair.right));
    apart
        .map(|review| format!("{}: {}", review.pair, words::decision(review, l)))
        .collect()
}
