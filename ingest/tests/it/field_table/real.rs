//! The table of real adverts, on machines that have them. They are not part of the project.

use std::collections::BTreeMap;

use ingest::portals::{Portal, portal};
use serde_json::{Map, Value, json};

use super::{Column, assert_documented, counted, filled, table};
use crate::payloads::{fixture, real};

/// Real adverts of a portal.
enum Adverts {
    /// Whole payloads.
    Payloads(&'static [&'static str]),
    /// How often each value of each field occurs.
    Census {
        path: &'static str,
        /// The fields that state the kind of property. Each is tried alone, because several may state the same.
        kinds: &'static [&'static str],
    },
}

use Adverts::{Census, Payloads};

/// The adverts, with their portal and time.
const REAL: &[(&str, &str, Adverts)] = &[
    (
        "sreality",
        "2026-05",
        Payloads(&["sreality/v1_detail_3292504140_2026-05.json"]),
    ),
    (
        "sreality",
        "2022-11",
        Payloads(&["sreality/v2_detail_2022-11.json.gz"]),
    ),
    (
        "bezrealitky",
        "2026-02",
        Census {
            path: "bezrealitky/graphql_field_census_1599_2026-02-27.json",
            kinds: &["offerType", "estateType", "disposition"],
        },
    ),
    (
        "idnes",
        "2026",
        Payloads(&["idnes/detail_a1.html", "idnes/detail_portal_html.html"]),
    ),
    (
        "bazos",
        "2026-02",
        Census {
            path: "bazos/api_field_census_200_2026-02-27.json",
            kinds: &["category", "type"],
        },
    ),
    (
        "realitymix",
        "2026",
        Payloads(&[
            "realitymix/detail_a1.html",
            "realitymix/detail_portal_html.html",
        ]),
    ),
    (
        "ceskereality",
        "2026",
        Payloads(&["ceskereality/detail_a1.html"]),
    ),
    (
        "remax",
        "2026",
        Payloads(&["remax/detail_a1.html", "remax/detail_portal_html.html"]),
    ),
    (
        "mmreality",
        "2026",
        Payloads(&[
            "mmreality/detail_a1.html",
            "mmreality/detail_portal_html.html",
        ]),
    ),
    (
        "ulovdomov",
        "2026-02",
        Census {
            path: "ulovdomov/api_field_census_800_2026-02-27.json",
            kinds: &["offerType", "propertyType", "disposition", "houseType"],
        },
    ),
    (
        "realingo",
        "2026-02",
        Census {
            path: "realingo/graphql_field_census_3960_2026-02-27.json",
            kinds: &["purpose", "property", "category"],
        },
    ),
];

#[test]
fn the_document_says_what_real_adverts_fill() {
    let mut columns = Vec::new();
    for (site_id, month, adverts) in REAL {
        let Some(portal) = portal(site_id) else {
            continue;
        };
        let counts = match adverts {
            Payloads(paths) => counts_of_payloads(paths, portal),
            Census { path, kinds } => {
                counts_of_census(path, kinds, &fixture(site_id, "minimal"), portal)
            }
        };
        let Some((count, counts)) = counts else {
            return;
        };
        let cells = counts
            .into_iter()
            .map(|(field, filled)| (field, percent(filled, count)));
        columns.push(Column {
            head: format!("{site_id} {month} ({count})"),
            cells: cells.collect(),
        });
    }
    assert_documented("fields of real adverts", &table(&columns));
}

fn percent(filled: f64, of: u64) -> String {
    match filled.min(of as f64) * 100.0 / of as f64 {
        percent if percent < 0.5 => "<1".to_owned(),
        percent => format!("{percent:.0}"),
    }
}

/// The number of adverts, and how many of them fill each field. `None` if the adverts are not on this machine.
type Counts = Option<(u64, BTreeMap<String, f64>)>;

fn counts_of_payloads(paths: &[&str], portal: &Portal) -> Counts {
    let mut readings = Vec::new();
    for path in paths {
        let text = real(path)?;
        let payload = if path.contains(".json") {
            serde_json::from_str(&text).unwrap()
        } else {
            json!(text)
        };
        readings.push(portal.read_payload(&payload).unwrap());
    }
    let counts = counted(&readings)
        .into_iter()
        .map(|(field, count)| (field, count as f64));
    Some((readings.len() as u64, counts.collect()))
}

/// Tries the values of a census one by one on a small advert. A field of the interface is filled as often as the values
/// that fill it occur. If several of the portal's fields fill it, the most frequent one counts.
fn counts_of_census(path: &str, kinds: &[&str], smallest: &Value, portal: &Portal) -> Counts {
    let read = |advert: &Value| portal.read_payload(advert);
    let census: Value = serde_json::from_str(&real(path)?).unwrap();
    let of_details = census["detail_fields"]
        .as_object()
        .filter(|fields| !fields.is_empty());
    let fields = of_details
        .or_else(|| census["listing_fields"].as_object())
        .unwrap();
    let usual = usual(smallest, fields);
    let mut most: BTreeMap<String, f64> = BTreeMap::new();
    for (path, field) in fields {
        let mut base = usual.clone();
        if kinds
            .iter()
            .any(|kind| path.split('.').next() == Some(kind))
        {
            for kind in kinds {
                base[*kind] = Value::Null;
            }
        }
        let without =
            read(&set(&base, path, None)).or_else(|_| read(&set(&base, path, Some(json!("")))));
        let Ok(without) = without.as_ref().map(filled) else {
            continue;
        };
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        for (value, count) in values(field) {
            let Ok(with) = read(&set(&base, path, Some(value))) else {
                continue;
            };
            for filled in filled(&with).difference(&without) {
                *counts.entry(filled.clone()).or_default() += count;
            }
        }
        for (filled, count) in counts {
            let so_far = most.entry(filled).or_default();
            *so_far = so_far.max(count);
        }
    }
    Some((census["meta"]["listings_fetched"].as_u64().unwrap(), most))
}

/// Adds to the smallest advert a value in every nested object, and a position, because a latitude alone says nothing.
fn usual(smallest: &Value, fields: &Map<String, Value>) -> Value {
    let mut usual = smallest.clone();
    for (path, field) in fields {
        let is_position = ["latitude", "longitude"].contains(&path.as_str());
        if let Some((value, _)) = values(field)
            .into_iter()
            .next()
            .filter(|_| is_position || path.contains('.'))
        {
            usual = set(&usual, path, Some(value));
        }
    }
    usual
}

/// Sets or removes the value of the field with this path: `area`, `gps.lat`, `convenience[]`.
fn set(advert: &Value, path: &str, value: Option<Value>) -> Value {
    let mut advert = advert.clone();
    let value = match (value, path.ends_with("[]")) {
        (Some(value), true) => json!([value]),
        (value, _) => value.unwrap_or_default(),
    };
    let path = path.trim_end_matches("[]");
    if !path.contains("[]") {
        match path.split_once('.') {
            None => advert[path] = value,
            Some((outer, inner)) if advert[outer].is_object() => advert[outer][inner] = value,
            Some((outer, inner)) => advert[outer] = json!({ inner: value }),
        }
    }
    advert
}

/// Returns the values of a field and how often each occurs. If a field has too many different values, samples stand for
/// all of them.
fn values(field: &Value) -> Vec<(Value, f64)> {
    if let Some(counts) = field["value_counts"].as_object() {
        let typed = |text: &String| match field["types"]
            .as_object()
            .and_then(|types| types.keys().next())
        {
            Some(kind) if kind != "string" => serde_json::from_str(text).unwrap_or_default(),
            _ => json!(text),
        };
        return counts
            .iter()
            .map(|(value, count)| (typed(value), count.as_f64().unwrap()))
            .collect();
    }
    let samples = field["sample_values"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let each = field["non_null_count"].as_f64().unwrap() / samples.len().max(1) as f64;
    samples.iter().map(|value| (value.clone(), each)).collect()
}
