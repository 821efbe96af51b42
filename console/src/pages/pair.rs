//! Any two adverts: the waterfall, and why they are in different records if they are.

use askama::Template;
use axum::extract::{Query, State};
use dedup::worker::Listings;
use operations::explained;
use schema::ListingPair;
use serde::Deserialize;

use super::pair_view::PairView;
use super::reading::{listings_named, parse_key};
use super::{Page, page};
use crate::error::ConsoleError;
use crate::language::Language;
use crate::state::Console;
use crate::visit::{Frame, Visit};
use crate::words;

#[derive(Template)]
#[template(path = "pair.html")]
struct PairPage {
    frame: Frame,
    l: Language,
    left: String,
    right: String,
    one_record: bool,
    decision: String,
    reasons: Vec<String>,
    view: PairView,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    one: String,
    other: String,
}

/// GET /pairs
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Page {
    let pair = ListingPair::new(parse_key(&wanted.one)?, parse_key(&wanted.other)?);
    let pair = pair.ok_or(ConsoleError::NotFound)?;
    let listings = listings_named(console.db(), [&pair.left, &pair.right]).await?;
    let addresses = console.addresses().await?;
    let source = Listings {
        db: console.db(),
        addresses: &addresses,
    };
    let compared = explained::compare(source, &listings[0], &listings[1]).await?;
    page(&PairPage {
        frame: visit.frame("records"),
        l: visit.l,
        left: pair.left.to_string(),
        right: pair.right.to_string(),
        one_record: compared.one_record,
        decision: compared
            .pair
            .decision
            .as_ref()
            .map(|review| words::decision(review, visit.l))
            .unwrap_or_default(),
        reasons: compared
            .apart_because
            .iter()
            .map(|reason| words::reason(reason, visit.l))
            .collect(),
        view: PairView::load(
            (source, console.config().streets()),
            &listings,
            &compared,
            visit.l,
        )
        .await?,
    })
}
