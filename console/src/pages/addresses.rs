//! What a text resolves to, and why.

use askama::Template;
use axum::extract::{Query, State};
use gazetteer::{Located, NotLocated};
use operations::words;
use serde::Deserialize;

use super::{Page, page};
use crate::drawing::{Ground, pin_map};
use crate::error::ConsoleError;
use crate::format;
use crate::language::Language;
use crate::state::Console;
use crate::visit::{Frame, Visit};

#[derive(Template)]
#[template(path = "addresses.html")]
struct AddressesPage {
    frame: Frame,
    text: String,
    refused: String,
    found: String,
    matched: Vec<String>,
    notes: Vec<String>,
    map: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    text: String,
}

/// GET /addresses
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Page {
    let mut shown = AddressesPage {
        frame: visit.frame("addresses"),
        text: wanted.text.trim().to_owned(),
        refused: String::new(),
        found: String::new(),
        matched: Vec::new(),
        notes: Vec::new(),
        map: String::new(),
    };
    if !shown.text.is_empty() {
        let search = console.search().await?;
        let located = search.locate_from_inside(&shown.text).await;
        match located.map_err(|error| ConsoleError::Failed(error.to_string()))? {
            Ok(located) => {
                explain(&mut shown, &located, visit.l);
                let addresses = console.addresses().await?;
                let pins = [(located.location, 30.0, located.name())];
                let ground = Ground {
                    registry: addresses.gazetteer().registry(),
                    streets: console.config().streets(),
                };
                shown.map = pin_map(&pins, ground, visit.l.t("Map", "Mapa"));
            }
            Err(refused) => refuse(&mut shown, &refused, visit.l),
        }
    }
    page(&shown)
}

fn explain(shown: &mut AddressesPage, located: &Located, l: Language) {
    shown.found = located.to_string();
    shown.matched = located.matched.iter().map(words::place_match).collect();
    let mut notes = vec![format!(
        "{:.5} {:.5}",
        located.location.lat, located.location.lng
    )];
    notes.push(format!(
        "{} {}, {} {}, {} {}{}",
        l.t("fit", "shoda"),
        format::number(located.fit, 2),
        l.t("score", "skóre"),
        format::number(located.score, 2),
        l.t("margin", "odstup"),
        format::number(located.margin, 3),
        if located.is_ambiguous() {
            l.t(
                ": another place fits nearly as well",
                ": jiné místo odpovídá téměř stejně",
            )
        } else {
            ""
        }
    ));
    if !located.not_understood.is_empty() {
        let words = located.not_understood.join(" ");
        notes.push(format!("{}: {words}", l.t("not understood", "nepochopeno")));
    }
    if !located.alternatives.is_empty() {
        let next = located.alternatives.join("; ");
        notes.push(format!("{}: {next}", l.t("next best", "další v pořadí")));
    }
    shown.notes = notes;
}

fn refuse(shown: &mut AddressesPage, refused: &NotLocated, l: Language) {
    shown.refused = refused.to_string();
    shown.matched = refused.understood.iter().map(words::place_match).collect();
    if !refused.not_understood.is_empty() {
        let words = refused.not_understood.join(" ");
        shown
            .notes
            .push(format!("{}: {words}", l.t("not understood", "nepochopeno")));
    }
    if !refused.candidates.is_empty() {
        let places = refused.candidates.join("; ");
        shown
            .notes
            .push(format!("{}: {places}", l.t("it may mean", "může znamenat")));
    }
}
