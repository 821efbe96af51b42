//! bezrealitky: pages, drawn from the data in their script.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal, fixture, sentence};

/// The simulated portal.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "bezrealitky",
    hosts: &["www.bezrealitky.cz"],
    robots: "#CS robots.txt\nUser-agent: *\nDisallow: /vyhledat*\nDisallow: /moje-bezrealitky/*\n\
             Disallow: /*callbackUrl=*\nDisallow: /centrum-sluzeb/bezrealitky-hypoteka/form*\n\
             Disallow: /centrum-sluzeb/bezrealitky-hypoteka*price=*\n\
             Disallow: /centrum-sluzeb/bezrealitky-hypoteka?*\nDisallow: /search*\n\
             Sitemap: https://www.bezrealitky.cz/sitemap/sitemap.xml\n",
    offer_id,
    answer,
};

/// The portal's numbers begin after this one.
const FIRST: u64 = 1_030_000;

/// Adverts on a page.
const LENGTH: usize = 15;

/// The advert objects of the fixtures, without the surrounding page or answer.
static ADVERTS: LazyLock<BTreeMap<Kind, Value>> = LazyLock::new(|| {
    let fixtures = fixture::payloads("bezrealitky").into_iter();
    fixtures
        .map(|(kind, payload)| (kind, Value::Object(plain(fullest(&payload)))))
        .collect()
});

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

/// The object with the most members that says what kind of estate it is.
fn fullest(payload: &Value) -> &Map<String, Value> {
    let mut adverts = Vec::new();
    gather(payload, &mut adverts);
    adverts
        .into_iter()
        .max_by_key(|advert| advert.len())
        .expect("an advert in every fixture")
}

fn gather<'a>(value: &'a Value, adverts: &mut Vec<&'a Map<String, Value>>) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("estateType") {
                adverts.push(fields);
            }
            fields.values().for_each(|inner| gather(inner, adverts));
        }
        Value::Array(entries) => entries.iter().for_each(|inner| gather(inner, adverts)),
        _ => {}
    }
}

/// The fields with arguments removed from their names. Of fields in several languages, the Czech one is kept.
fn plain(fields: &Map<String, Value>) -> Map<String, Value> {
    let czech = fields.iter().filter(|(name, _)| !name.contains("\"EN\""));
    czech
        .map(|(name, value)| {
            (
                name.split('(').next().unwrap_or(name).to_owned(),
                value.clone(),
            )
        })
        .collect()
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let path: Vec<&str> = ask.path.split('/').skip(1).collect();
    match path.as_slice() {
        _ if ask.method != "GET" => Reply::status(405),
        ["vypis", offer, estate] => list(ask, offer, estate, adverts),
        ["nemovitosti-byty-domy", uri] => detail(uri, adverts),
        _ => not_found(),
    }
}

/// The values of offer type and estate type that an address names.
fn kinds(offer: &str, estate: &str) -> Option<(&'static str, String)> {
    let offer = match offer {
        "nabidka-prodej" => "PRODEJ",
        "nabidka-pronajem" => "PRONAJEM",
        _ => return None,
    };
    Some((offer, estate.to_uppercase().replace('-', "_")))
}

fn list(ask: &PortalRequest, offer: &str, estate: &str, adverts: &[Advert]) -> Reply {
    let Some((offer, estate)) = kinds(offer, estate) else {
        return not_found();
    };
    let page: usize = ask
        .parameter("page")
        .and_then(|page| page.parse().ok())
        .unwrap_or(1)
        .max(1);
    let is_of = |advert: &&Advert| {
        let fixture = &ADVERTS[&advert.kind];
        fixture["offerType"] == offer && fixture["estateType"] == estate
    };
    let found: Vec<&Advert> = adverts.iter().filter(is_of).collect();
    let offset = (page - 1) * LENGTH;
    let shown: Vec<&&Advert> = found.iter().skip(offset).take(LENGTH).collect();
    let reference =
        |advert: &&Advert| json!({"__ref": format!("Advert:{}", offer_id(advert.number))});
    let references: Vec<Value> = shown.iter().map(|advert| reference(advert)).collect();

    let arguments = |more: &str| {
        format!(
            "listAdverts({{\"estateType\":[\"{estate}\"],\"limit\":{LENGTH},\"offerType\":[\"{offer}\"],\
             \"offset\":{offset},\"order\":\"TIMEORDER_DESC\"{more}}})"
        )
    };
    // The list of discounted adverts is the same on every page.
    let discounted: Vec<&Value> = references.iter().take(2).collect();
    let mut cache = json!({
        "ROOT_QUERY": {
            "__typename": "Query",
            arguments(",\"discountedOnly\":true"): {"__typename": "AdvertList", "list": discounted, "totalCount": 2},
            arguments(""): {"__typename": "AdvertList", "list": references, "totalCount": found.len()},
        },
    });
    for advert in shown {
        cache[format!("Advert:{}", offer_id(advert.number))] = card(advert);
    }
    page_of(&json!({"props": {"pageProps": {"apolloCache": cache}}, "page": "/vypis/[...slugs]"}))
}

/// The last part of the address of an advert's page.
fn uri(advert: &Advert) -> String {
    let kind = match advert.kind {
        Kind::FlatSale => "prodej-bytu",
        Kind::FlatRent => "pronajem-bytu",
        Kind::HouseSale => "prodej-domu",
        Kind::LandSale => "prodej-pozemku",
    };
    format!("{}-nabidka-{kind}-vzorova", offer_id(advert.number))
}

/// The advert as in a list: some of its fields, with arguments in their names.
fn card(advert: &Advert) -> Value {
    let whole = object(advert);
    json!({
        "__typename": "Advert",
        "id": whole["id"],
        "uri": whole["uri"],
        "estateType": whole["estateType"],
        "offerType": whole["offerType"],
        "disposition": whole["disposition"],
        "imageAltText({\"locale\":\"CS\"})": whole["imageAltText"],
        "address({\"locale\":\"CS\"})": whole["address"],
        "price": whole["price"],
        "charges": whole["charges"],
        "currency": whole["currency"],
        "originalPrice": whole["originalPrice"],
        "surface": whole["surface"],
        "surfaceLand": whole["surfaceLand"],
        "reserved": whole["reserved"],
        "gps": whole["gps"],
    })
}

fn object(advert: &Advert) -> Value {
    let mut object = ADVERTS[&advert.kind].clone();
    let text = object["description"].as_str().unwrap_or_default();
    object["description"] = json!(format!("{text}\n\n{}", sentence(advert)));
    object["price"] = json!(advert.price);
    object["originalPrice"] = json!(advert.price);
    object["isDiscounted"] = json!(false);
    object["id"] = json!(offer_id(advert.number));
    object["externalId"] = Value::Null;
    object["code"] = Value::Null;
    object["uri"] = json!(uri(advert));
    object
}

/// Answers for a removed advert: no page, a page without the advert, or a page on which it is inactive.
fn detail(uri: &str, adverts: &[Advert]) -> Reply {
    let number = uri
        .split('-')
        .next()
        .and_then(|id| id.parse::<u64>().ok()?.checked_sub(FIRST));
    let Some(number) = number else {
        return not_found();
    };
    let orig_advert = match adverts.iter().find(|advert| advert.number == number) {
        Some(advert) => object(advert),
        None if number % 3 == 0 => return not_found(),
        None if number % 3 == 1 => Value::Null,
        None => {
            let mut ended = object(&Advert {
                number,
                kind: Kind::FlatSale,
                price: 1_000,
                revision: 0,
            });
            ended["active"] = json!(false);
            ended
        }
    };
    let similar = json!({"id": "989999", "uri": "989999-nabidka-podobna", "offerType": "PRODEJ", "estateType": "BYT"});
    page_of(&json!({
        "props": {"pageProps": {
            "apolloCache": {"ROOT_QUERY": {"__typename": "Query"}, "Advert:989999": similar},
            "origAdvert": orig_advert,
        }},
        "page": "/nemovitosti-byty-domy/[uri]",
    }))
}

fn page_of(data: &Value) -> Reply {
    Reply::page(format!(
        "<!DOCTYPE html><html lang=\"cs\"><head><title>Bezrealitky</title></head><body>\
         <div id=\"__next\"><main class=\"Layout_main\"></main></div>\
         <script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script></body></html>"
    ))
}

fn not_found() -> Reply {
    let data = json!({"props": {"pageProps": {"statusCode": 404}}, "page": "/404"});
    Reply {
        status: 404,
        ..page_of(&data)
    }
}
