//! realingo: a GraphQL interface.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::simulator::advert_page::on_page;
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal, fixture, sentence};

/// realingo.cz.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "realingo",
    hosts: &["www.realingo.cz"],
    robots: "User-agent: *\nDisallow: /graphql\n",
    offer_id,
    answer,
};

/// The portal's numbers begin after this one.
const FIRST: u64 = 24_700_000;

/// The largest number of offers on a page and in one request.
const LONGEST: usize = 300;
const MOST_AT_ONCE: usize = 50;

/// The offers of the fixtures with their details, without the surrounding page or answer.
static OFFERS: LazyLock<BTreeMap<Kind, Value>> = LazyLock::new(|| {
    let fixtures = fixture::payloads("realingo").into_iter();
    fixtures
        .map(|(kind, payload)| (kind, detailed(&payload).expect("an offer in every fixture")))
        .collect()
});

/// The only offer that has a detail. The detail is inside the offer, or beside it as on pages.
fn detailed(value: &Value) -> Option<Value> {
    match value {
        Value::Object(fields) => match fields.get("detail") {
            Some(detail) => {
                let mut offer = fields.get("offer").unwrap_or(value).clone();
                offer["detail"] = detail.clone();
                Some(offer)
            }
            None => fields.values().find_map(detailed),
        },
        Value::Array(entries) => entries.iter().find_map(detailed),
        _ => None,
    }
}

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    if (ask.method.as_str(), ask.path.as_str()) != ("POST", "/graphql") {
        return Reply::status(404);
    }
    let asked: Value = serde_json::from_str(&ask.body).unwrap_or_default();
    let query = asked["query"].as_str().unwrap_or_default();
    let data = if query.contains("searchOffer(") {
        search(&asked["variables"], adverts)
    } else {
        match offers(query, adverts) {
            Some(offers) => offers,
            None => return failed("Syntax Error"),
        }
    };
    Reply::json(json!({"data": data}).to_string())
}

fn failed(message: &str) -> Reply {
    Reply {
        status: 400,
        ..Reply::json(json!({"errors": [{"message": message}]}).to_string())
    }
}

fn search(variables: &Value, adverts: &[Advert]) -> Value {
    let number = |name: &str| variables[name].as_u64().map(|number| number as usize);
    let (length, skip) = (
        number("first").unwrap_or(20).clamp(1, LONGEST),
        number("skip").unwrap_or(0),
    );
    let is_of = |advert: &&Advert| {
        let offer = &OFFERS[&advert.kind];
        ["purpose", "property"]
            .into_iter()
            .all(|name| variables[name].is_null() || offer[name] == variables[name])
    };
    let found: Vec<&Advert> = adverts.iter().filter(is_of).collect();
    let items: Vec<Value> = on_page(&found, skip / length, length)
        .into_iter()
        .map(item)
        .collect();
    json!({"searchOffer": {"total": found.len(), "items": items}})
}

/// The offers that a query asks for as `name: offer(id: "24700001")`, by name.
fn offers(query: &str, adverts: &[Advert]) -> Option<Value> {
    let mut offers = Map::new();
    for line in query.lines().filter(|line| line.contains(": offer(id: \"")) {
        let (name, rest) = line.trim().split_once(": offer(id: \"")?;
        let (id, _) = rest.split_once('"')?;
        offers.insert(name.to_owned(), detail(id, adverts));
    }
    (1..=MOST_AT_ONCE)
        .contains(&offers.len())
        .then_some(Value::Object(offers))
}

fn item(advert: &Advert) -> Value {
    let mut item = offer(advert);
    if let Some(fields) = item.as_object_mut() {
        fields.remove("detail");
        fields.remove("deleted");
        fields.remove("deletedAt");
    }
    item
}

fn offer(advert: &Advert) -> Value {
    let mut offer = OFFERS[&advert.kind].clone();
    let id = offer_id(advert.number);
    let path = offer["url"]
        .as_str()
        .and_then(|path| path.rsplit_once('/'))
        .map_or("", |(path, _)| path)
        .to_owned();
    offer["url"] = json!(format!("{path}/{id}"));
    offer["id"] = json!(id);
    offer["adId"] = json!(format!("S{:06}", advert.number));
    offer["price"]["total"] = json!(advert.price);
    offer["price"]["canonical"] = json!(advert.price);
    let text = offer["detail"]["description"].as_str().unwrap_or_default();
    offer["detail"]["description"] = json!(format!("{text}\n\n{}", sentence(advert)));
    // No other advert was copied from this page.
    offer["detail"]["externalUrl"] =
        json!(format!("https://www.vzorovareality.example/nabidka/{id}"));
    offer["detail"]["contact"] = Value::Null;
    offer
}

/// Answers for a removed offer: null, or an offer marked as deleted.
fn detail(id: &str, adverts: &[Advert]) -> Value {
    let number = id.parse::<u64>().ok().and_then(|id| id.checked_sub(FIRST));
    match adverts.iter().find(|advert| Some(advert.number) == number) {
        Some(advert) => offer(advert),
        None if number.is_some_and(|number| number % 3 == 0) => {
            let number = number.unwrap_or_default();
            let mut deleted = offer(&Advert {
                number,
                kind: Kind::FlatSale,
                price: 1_000,
                revision: 0,
            });
            deleted["deletedAt"] = json!("2026-11-01T10:00:00.000Z");
            deleted
        }
        None => Value::Null,
    }
}
