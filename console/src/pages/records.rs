//! The search: the engine of the API, as a list and on a map.

use api::SearchRefused;
use std::fmt::Write as _;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use schema::{Arrangement, Offer, OfferType, PropertyType, SpecEnum};

use super::selects::Select;
use super::{facts, page};
use crate::drawing::{CountryMap, Marker, country_map};
use crate::error::ConsoleError;
use crate::format;
use crate::language::Language;
use crate::state::Console;
use crate::visit::{Frame, Visit};

/// How many records a page shows.
const LIMIT: &str = "25";

#[derive(Template)]
#[template(path = "records.html")]
struct RecordsPage {
    frame: Frame,
    form: Fields,
    selects: Vec<Select>,
    problems: Vec<String>,
    located: String,
    hits: Vec<Hit>,
    next: String,
    map: String,
}

/// The values of the form that are repeated in it.
struct Fields {
    address: String,
    radius: String,
    district: String,
    price_min: String,
    price_max: String,
    area_min: String,
    area_max: String,
    inactive: bool,
}

struct Hit {
    id: String,
    title: String,
    facts: String,
    place: String,
    changed: String,
    is_live: bool,
}

/// The parameters that were sent with a value, decoded.
fn given(query: &str) -> Vec<(String, String)> {
    let pairs: Vec<(String, String)> =
        axum::extract::Query::try_from_uri(&format!("/?{query}").parse().unwrap_or_default())
            .map(|axum::extract::Query(pairs)| pairs)
            .unwrap_or_default();
    let sent = pairs
        .into_iter()
        .filter(|(name, value)| name != "done" && !value.trim().is_empty());
    sent.map(|(name, value)| (name, value.trim().to_owned()))
        .collect()
}

/// A query with these parameters.
fn query_of(pairs: &[(String, String)]) -> String {
    let parts = pairs
        .iter()
        .map(|(name, value)| format!("{name}={}", escaped(value)));
    parts.collect::<Vec<_>>().join("&")
}

/// A text as part of a URL.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    safe
}

/// GET /records
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    RawQuery(query): RawQuery,
) -> Result<Response, ConsoleError> {
    let mut sent = given(query.as_deref().unwrap_or_default());
    let id = sent.iter().position(|(name, _)| name == "id");
    if let Some((_, id)) = id.map(|place| sent.remove(place)) {
        let path = if id.contains('/') {
            format!("/listings/{}", escaped(&id).replace("%2F", "/"))
        } else {
            format!("/records/{}", escaped(&id))
        };
        return Ok(Redirect::to(&path).into_response());
    }
    let value = |name: &str| {
        let found = sent.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let form = Fields {
        address: value("address"),
        radius: value("radiusMeters"),
        district: value("district"),
        price_min: value("priceMin"),
        price_max: value("priceMax"),
        area_min: value("livingAreaMin"),
        area_max: value("livingAreaMax"),
        inactive: value("includeInactive") == "true",
    };
    let selects = selects(&value, visit.l);
    let mut asked = sent.clone();
    if !form.address.is_empty() && form.radius.is_empty() {
        asked.push(("radiusMeters".to_owned(), "3000".to_owned()));
    }
    asked.push(("limit".to_owned(), LIMIT.to_owned()));
    let mut shown = RecordsPage {
        frame: visit.frame("records"),
        form,
        selects,
        problems: Vec::new(),
        located: String::new(),
        hits: Vec::new(),
        next: String::new(),
        map: String::new(),
    };
    match console
        .search()
        .await?
        .search_from_inside(&query_of(&asked))
        .await
    {
        Ok(found) => {
            shown.located = found
                .located
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default();
            shown.map = map(&found.offers, visit.l);
            shown.hits = found.offers.iter().map(hit).collect();
            if let Some(cursor) = found.next_cursor {
                sent.retain(|(name, _)| name != "cursor");
                sent.push(("cursor".to_owned(), cursor));
                shown.next = query_of(&sent);
            }
        }
        Err(SearchRefused::Parameters(problems)) => {
            let lines = problems
                .into_iter()
                .map(|(name, what)| format!("{name} {what}"));
            shown.problems = lines.collect();
        }
        Err(SearchRefused::Failed(why)) => shown.problems.push(why),
    }
    Ok(page(&shown)?.into_response())
}

fn selects(value: &impl Fn(&str) -> String, l: Language) -> Vec<Select> {
    let list = |name: &'static str, label: &'static str, texts: &[&str]| {
        let texts = texts.iter().map(|text| (*text).to_owned());
        Select::new((name, label), texts, &value(name))
    };
    vec![
        list("offerType", l.t("Offer", "Nabídka"), OfferType::TEXTS),
        list("type", l.t("Type", "Druh"), PropertyType::TEXTS),
        list(
            "arrangement",
            l.t("Layout", "Dispozice"),
            Arrangement::TEXTS,
        ),
    ]
}

fn hit(offer: &Offer) -> Hit {
    Hit {
        id: offer.id.to_string(),
        title: title(offer),
        facts: facts::summary(&offer.attributes),
        place: facts::place(&offer.attributes),
        changed: format::time(offer.last_changed_at),
        is_live: offer.is_live,
    }
}

/// The title of a record, or else its id.
pub(super) fn title(offer: &Offer) -> String {
    offer
        .attributes
        .title
        .clone()
        .unwrap_or_else(|| offer.id.to_string())
}

fn map(offers: &[Offer], l: Language) -> String {
    let markers = offers.iter().filter_map(|offer| {
        Some(Marker {
            place: offer.attributes.location?,
            name: title(offer),
            link: format!("/records/{}", offer.id),
        })
    });
    let markers: Vec<Marker> = markers.collect();
    country_map(&CountryMap {
        markers: &markers,
        circle: None,
        name: l.t("Where the records are", "Kde záznamy leží"),
    })
}
