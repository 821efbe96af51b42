//! ulovdomov: a search by JSON, and pages with the same objects.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::simulator::advert_page::on_page;
use crate::simulator::{Advert, Kind, PortalRequest, Reply, SimulatedPortal, fixture, sentence};

/// ulovdomov.cz.
pub const PORTAL: SimulatedPortal = SimulatedPortal {
    site_id: "ulovdomov",
    hosts: &["ud.api.ulovdomov.cz", "www.ulovdomov.cz"],
    robots: "User-agent: *\nAllow: /\nDisallow: /xadmin/\n",
    offer_id,
    answer,
};

/// The portal's numbers begin after this one.
const FIRST: u64 = 5_800_000;

/// The most adverts on a page.
const LONGEST: usize = 100;

/// The advert objects of the fixtures, without the surrounding page or answer.
static OFFERS: LazyLock<BTreeMap<Kind, Value>> = LazyLock::new(|| {
    let places = ["/data/offers/0", "/props/pageProps/offer/data", ""];
    let offer = |payload: &Value| {
        places
            .iter()
            .find_map(|place| payload.pointer(place))
            .cloned()
    };
    let fixtures = fixture::payloads("ulovdomov").into_iter();
    fixtures
        .map(|(kind, payload)| (kind, offer(&payload).expect("an advert in every fixture")))
        .collect()
});

fn offer_id(number: u64) -> String {
    (FIRST + number).to_string()
}

fn answer(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let path: Vec<&str> = ask.path.split('/').skip(1).collect();
    match (ask.method.as_str(), ask.host.as_str(), path.as_slice()) {
        ("POST", "ud.api.ulovdomov.cz", ["v1", "offer", "find"]) => find(ask, adverts),
        ("GET", "www.ulovdomov.cz", ["inzerat", _seo, id]) => page(id, adverts),
        _ => Reply::status(404),
    }
}

fn find(ask: &PortalRequest, adverts: &[Advert]) -> Reply {
    let asked: Value = serde_json::from_str(&ask.body).unwrap_or_default();
    let number = |name: &str| {
        ask.parameter(name)
            .and_then(|value| value.parse::<usize>().ok())
    };
    let (page, length) = (
        number("page").unwrap_or(1).max(1),
        number("perPage").unwrap_or(20).min(LONGEST),
    );
    if !["/bounds/northEast/lat", "/bounds/southWest/lng"]
        .iter()
        .all(|place| asked.pointer(place).is_some())
    {
        let failed = json!({"success": false, "error": "udBe.internalServerError", "data": null});
        return Reply {
            status: 500,
            ..Reply::json(failed.to_string())
        };
    }
    let is_of = |advert: &&Advert| OFFERS[&advert.kind]["offerType"] == asked["offerType"];
    let found: Vec<&Advert> = adverts.iter().filter(is_of).collect();
    let offers: Vec<Value> = on_page(&found, page - 1, length)
        .into_iter()
        .map(offer)
        .collect();
    let list = json!({
        "success": true,
        "data": {"offers": offers},
        "extraData": {
            "total": found.len(),
            "totalPages": found.len().div_ceil(length),
            "perPage": length,
            "currentPage": page,
        },
    });
    Reply::json(list.to_string())
}

/// The separator between the advert's text and the fields that the portal's form adds below it.
const DASHES: &str = "\n\n - - -";

fn offer(advert: &Advert) -> Value {
    let mut offer = OFFERS[&advert.kind].clone();
    let text = offer["description"].as_str().unwrap_or_default();
    let (text, form) = text.split_once(DASHES).unwrap_or((text, ""));
    offer["description"] = json!(format!("{text}\n{}{DASHES}{form}", sentence(advert)));
    offer["rentalPrice"]["value"] = json!(advert.price);
    let id = offer_id(advert.number);
    offer["id"] = json!(FIRST + advert.number);
    offer["absoluteUrl"] = json!(format!(
        "https://www.ulovdomov.cz/inzerat/{}/{id}",
        offer["seo"].as_str().unwrap_or("x")
    ));
    offer["adminUrl"] = json!(format!("https://www.ulovdomov.cz/xadmin/offer/detail/{id}"));
    offer
}

/// Answers for a removed advert: not found, or a page without an advert.
fn page(id: &str, adverts: &[Advert]) -> Reply {
    let number = id.parse::<u64>().ok().and_then(|id| id.checked_sub(FIRST));
    let advert = adverts.iter().find(|advert| Some(advert.number) == number);
    if advert.is_none() && number.is_none_or(|number| number % 3 == 0) {
        return Reply::status(404);
    }
    let heading = if advert.is_some() {
        "Nabídka"
    } else {
        "Inzerát již není aktivní"
    };
    let data = json!({
        "props": {"pageProps": {"offer": {"success": advert.is_some(), "data": advert.map(offer)}}},
        "page": "/inzerat/[...slug]",
        "buildId": "vzor",
    });
    Reply::page(format!(
        "<!DOCTYPE html><html lang=\"cs\"><head><title>UlovDomov.cz</title></head><body><div id=\"__next\">\
         <h2 class=\"chakra-heading\">{heading}</h2></div>\
         <script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script></body></html>"
    ))
}
