//! What is sreality's own: lists that end early, districts that are not refused, a real page.

use ingest::crawl_definition::{Answer, Section};
use serde_json::Value;
use support::simulator::{Advert, Kind};

use super::stand::stand;
use crate::payloads::real;

fn flats(count: u64) -> Vec<Advert> {
    let flat = |number| Advert {
        number,
        kind: Kind::FlatSale,
        price: 4_000_000,
        revision: 0,
    };
    (1..=count).rev().map(flat).collect()
}

fn section(name: &str) -> Section {
    let sections = (stand("sreality").crawl.sections)();
    sections
        .into_iter()
        .find(|section| section.name == name)
        .unwrap()
}

#[test]
fn a_list_that_the_portal_ends_early_is_walked_by_district() {
    let stand = stand("sreality");
    let adverts = flats(10_001);
    let found = stand.walk(&adverts);
    assert_eq!(found.entries.len(), adverts.len());
    let answer = stand.answer(&(stand.crawl.page)(&section("prodej-byt"), 20), &adverts);
    assert_eq!(answer.status, 422);
    assert!((stand.crawl.read_page)(&section("prodej-byt"), 20, &answer).is_err());
}

#[test]
fn lists_are_split_no_further_than_they_need_and_can_be() {
    let crawl = stand("sreality").crawl;
    let country = section("pronajem-komercni");
    assert_eq!((crawl.split)(&country, 10_000), []);
    let districts = (crawl.split)(&country, 10_001);
    assert_eq!(districts.len(), 77);
    assert!(
        districts
            .iter()
            .all(|district| district.scope == country.scope)
    );
    assert_eq!(districts[46].name, "pronajem-komercni/okres-47");
    let parts = (crawl.split)(&districts[46], 10_001);
    assert_eq!(parts.len(), 12);
    assert_eq!((crawl.split)(&parts[0], 10_001), []);
}

/// The portal shows the whole country for a district that it does not know.
#[test]
fn the_whole_country_in_place_of_a_district_is_unexpected() {
    let stand = stand("sreality");
    let adverts = flats(40);
    let whole = section("prodej-byt");
    let request = (stand.crawl.page)(&whole, 0);
    let answer = stand.answer(&request, &adverts);
    let districts = (stand.crawl.split)(&whole, 10_001);
    for district in [
        "prodej-byt/okres-42",
        "prodej-byt/okres-47",
        "prodej-byt/okres-1",
    ] {
        let district = districts
            .iter()
            .find(|section| section.name == district)
            .unwrap();
        assert!(
            (stand.crawl.read_page)(district, 0, &answer).is_err(),
            "{district:?}"
        );
        let right = stand.answer(&(stand.crawl.page)(district, 0), &adverts);
        assert!(
            (stand.crawl.read_page)(district, 0, &right).is_ok(),
            "{district:?}"
        );
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn a_real_page_of_a_list_is_read() {
    let Some(text) = real("sreality/v1_search_byt_prodej_limit3_2026-05.json") else {
        return;
    };
    let crawl = stand("sreality").crawl;
    let mut list: Value = serde_json::from_str(&text).unwrap();
    let answer = |list: &Value| Answer {
        status: 200,
        url: String::new(),
        body: list.to_string(),
    };
    let flats = section("prodej-byt");
    assert!(
        (crawl.read_page)(&flats, 0, &answer(&list)).is_err(),
        "three adverts were not asked for"
    );
    list["pagination"]["limit"] = Value::from(500);
    let page = (crawl.read_page)(&flats, 0, &answer(&list)).unwrap();
    assert_eq!(
        (page.total, page.more, page.entries.len()),
        (Some(17_156), true, 3)
    );
    let entry = &page.entries[1];
    assert_eq!(entry.offer_id, "3853889612");
    assert_eq!(
        entry.url,
        "https://www.sreality.cz/detail/prodej/byt/3+kk/praha-troja-na-sutce/3853889612"
    );
    assert!(
        entry
            .teaser
            .starts_with("Prodej bytu 3+kk 71 m² | 7990000.0 | 1 |"),
        "{}",
        entry.teaser
    );
    assert!(
        (crawl.read_page)(&section("prodej-dum"), 0, &answer(&list)).is_err(),
        "flats are no houses"
    );
}
