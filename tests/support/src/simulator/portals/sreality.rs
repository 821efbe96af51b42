//! sreality: API v1.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal, fixture, sentence};

/// The simulated portal.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "sreality",
    hosts: &["www.sreality.cz"],
    robots: "User-agent: Googlebot\nUser-agent: bingbot\nUser-agent: SeznamBot\nAllow: /\n\n\
             User-agent: *\nDisallow: /\n",
    offer_id,
    answer,
};

/// The portal's numbers begin after this one.
const FIRST: u64 = 2_800_000_000;

/// The largest number of adverts that a list shows.
const WINDOW: u64 = 10_000;

/// The largest number of adverts on a page.
const LONGEST: u64 = 500;

/// The number and name of a district, the number and name of its region, and a municipality.
type Place = (
    u64,
    &'static str,
    u64,
    &'static str,
    &'static str,
    &'static str,
);

/// The places of some adverts. The others have the place of their fixture.
const PLACES: [Place; 3] = [
    (72, "Brno-město", 14, "Jihomoravský kraj", "Brno", "brno"),
    (5008, "Praha 8", 10, "Hlavní město Praha", "Praha", "praha"),
    (12, "Plzeň-město", 2, "Plzeňský kraj", "Plzeň", "plzen"),
];

/// The details of the fixtures, without their envelopes.
static ESTATES: LazyLock<BTreeMap<Kind, Value>> = LazyLock::new(|| {
    let unwrapped = |payload: Value| payload.get("result").cloned().unwrap_or(payload);
    fixture::payloads("sreality")
        .into_iter()
        .map(|(kind, payload)| (kind, unwrapped(payload)))
        .collect()
});

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    match ask.path.strip_prefix("/api/v1/estates/") {
        Some("search") if ask.method == "GET" => search(ask, adverts),
        Some(id) if ask.method == "GET" => detail(id, adverts),
        _ => Reply::status(404),
    }
}

fn search(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let number = |name: &str| {
        ask.parameter(name)
            .and_then(|value| value.parse::<u64>().ok())
    };
    let (offset, limit) = (
        number("offset").unwrap_or(0),
        number("limit").unwrap_or(20).min(LONGEST),
    );
    if offset + limit > WINDOW {
        return Reply {
            status: 422,
            ..Reply::json(json!({"detail": "offset"}).to_string())
        };
    }
    let found: Vec<&Advert> = adverts
        .iter()
        .filter(|advert| matches(ask, advert))
        .collect();
    let shown = found.iter().skip(offset as usize).take(limit as usize);
    let results: Vec<Value> = shown.map(|advert| list_item(advert)).collect();
    let list = json!({
        "meta_description": format!("{} inzerátů v aktuální nabídce", found.len()),
        "meta_title": "Sreality.cz",
        "pagination": {"limit": limit, "offset": offset, "total": found.len()},
        "results": results,
    });
    Reply::json(list.to_string())
}

/// Whether an advert is in the requested list. For an unknown district the list shows the whole country.
fn matches(ask: &PortalRequest, advert: &Advert) -> bool {
    let estate = &ESTATES[&advert.kind];
    let is_of = |name: &str| {
        ask.parameter(name)
            .is_none_or(|code| estate[name]["value"].as_u64() == code.parse().ok())
    };
    let (district_id, region_id) = match place(advert) {
        Some((district_id, _, region_id, ..)) => (Some(*district_id), Some(*region_id)),
        None => (
            estate["locality"]["district_id"].as_u64(),
            estate["locality"]["region_id"].as_u64(),
        ),
    };
    let in_district = match ask
        .parameter("locality_district_id")
        .and_then(|id| id.parse().ok())
    {
        Some(47) => region_id == Some(10),
        district @ Some(1..=77_u64) => district_id == district,
        _ => true,
    };
    in_district
        && ["category_main_cb", "category_type_cb", "category_sub_cb"]
            .into_iter()
            .all(is_of)
}

/// The place of the advert. `None` if it has the place of its fixture.
fn place(advert: &Advert) -> Option<&'static Place> {
    PLACES.get((advert.number % 4) as usize)
}

fn locality(advert: &Advert) -> Value {
    let mut locality = ESTATES[&advert.kind]["locality"].clone();
    if let Some((district_id, district, region_id, region, city, city_seo_name)) = place(advert) {
        locality["district_id"] = json!(district_id);
        locality["district"] = json!(district);
        locality["region_id"] = json!(region_id);
        locality["region"] = json!(region);
        locality["city"] = json!(city);
        locality["city_seo_name"] = json!(city_seo_name);
    }
    locality
}

/// The fields in which an advert differs from its fixture: number, price, place and text.
fn own(advert: &Advert) -> Map<String, Value> {
    let fixture = &ESTATES[&advert.kind];
    // The plain price of land is per square metre.
    let whole = fixture["price_unit_cb"]["value"] == fixture["price_summary_unit_cb"]["value"];
    let plain: &[&str] = if whole { &["price", "price_czk"] } else { &[] };
    let prices = plain.iter().chain(&["price_summary", "price_summary_czk"]);
    let mut own: Map<String, Value> = prices
        .map(|name| ((*name).to_owned(), json!(advert.price as f64)))
        .collect();
    let text = fixture["advert_description"].as_str().unwrap_or_default();
    let text = format!("{text}\r\n\r\n{}", sentence(advert));
    own.insert("advert_description".to_owned(), json!(text));
    own.insert(
        "advert_code".to_owned(),
        json!(format!("S{:06}", advert.number)),
    );
    own.insert("hash_id".to_owned(), json!(FIRST + advert.number));
    own.insert("locality".to_owned(), locality(advert));
    own
}

/// The advert's detail: its fixture with the fields in which the advert differs.
fn estate(advert: &Advert) -> Value {
    let mut estate = ESTATES[&advert.kind].clone();
    for (name, value) in own(advert) {
        estate[name] = value;
    }
    estate
}

/// The part of a detail that a list shows.
const LISTED: [&str; 16] = [
    "advert_name",
    "category_main_cb",
    "category_sub_cb",
    "category_type_cb",
    "discount_show",
    "hash_id",
    "price",
    "price_currency_cb",
    "price_czk",
    "price_czk_m2",
    "price_summary",
    "price_summary_czk",
    "price_summary_unit_cb",
    "price_unit_cb",
    "locality",
    "premise_id",
];

fn list_item(advert: &Advert) -> Value {
    let (fixture, own) = (&ESTATES[&advert.kind], own(advert));
    let value = |name: &str| own.get(name).unwrap_or(&fixture[name]).clone();
    let mut item: Map<String, Value> = LISTED
        .iter()
        .map(|name| ((*name).to_owned(), value(name)))
        .collect();
    if let Some(Value::Object(locality)) = item.get_mut("locality") {
        locality.remove("geometry");
        locality.remove("zip");
        locality.insert("geohash".to_owned(), json!("u2ugxrj13m"));
    }
    item.insert(
        "advert_images".to_owned(),
        json!(["//d18-a.sdn.cz/d_18/c_img_qB_D/vzor/bda2.jpeg"]),
    );
    item.insert("has_video".to_owned(), json!(false));
    item.insert("premise_id".to_owned(), json!(90417));
    item.insert("poi_metro_distance".to_owned(), json!(100_000));
    Value::Object(item)
}

/// Answers for a removed advert in one of three ways.
fn detail(id: &str, adverts: &[Advert]) -> Reply {
    let number = id.parse::<u64>().ok().and_then(|id| id.checked_sub(FIRST));
    if let Some(advert) = adverts.iter().find(|advert| Some(advert.number) == number) {
        let detail = json!({"result": estate(advert), "status_code": 200, "status_message": "OK"});
        return Reply::json(detail.to_string());
    }
    match id.bytes().last() {
        Some(b'0'..=b'3') => Reply::status(404),
        Some(b'4'..=b'7') => Reply::status(410),
        _ => Reply::page(
            "<!DOCTYPE html><html><body><h1>Tato stránka neexistuje</h1></body></html>".to_owned(),
        ),
    }
}
