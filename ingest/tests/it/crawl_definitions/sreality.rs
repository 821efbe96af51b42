//! The crawl definition of sreality: lists that end early, unknown districts that are not refused, a real page.

use ingest::crawl_definition::{Answer, Section};
use serde_json::Value;
use support::simulator::{Advert, Kind};

use super::simulated_site::site;
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
    let sections = (site("sreality").crawl.sections)();
    sections
        .into_iter()
        .find(|section| section.name == name)
        .unwrap()
}

#[test]
fn a_list_that_the_portal_ends_early_is_walked_by_district() {
    let site = site("sreality");
    let adverts = flats(10_001);
    let found = site.walk(&adverts);
    assert_eq!(found.entries.len(), adverts.len());
    let answer = site.answer(&(site.crawl.page)(&section("prodej-byt"), 20), &adverts);
    assert_eq!(answer.status, 422);
    assert!((site.crawl.read_page)(&section("prodej-byt"), 20, &answer).is_err());
}

#[test]
fn lists_are_split_no_further_than_they_need_and_can_be() {
    let crawl = site("sreality").crawl;
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

/// For a district that it does not know, the portal shows the whole country.
#[test]
fn the_whole_country_instead_of_a_district_is_unexpected() {
    let site = site("sreality");
    let adverts = flats(40);
    let whole = section("prodej-byt");
    let request = (site.crawl.page)(&whole, 0);
    let answer = site.answer(&request, &adverts);
    let districts = (site.crawl.split)(&whole, 10_001);
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
            (site.crawl.read_page)(district, 0, &answer).is_err(),
            "{district:?}"
        );
        let right = site.answer(&(site.crawl.page)(district, 0), &adverts);
        assert!(
            (site.crawl.read_page)(district, 0, &right).is_ok(),
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
    let crawl = site("sreality").crawl;
    let mut list: Value = serde_json::from_str(&text).unwrap();
    let answer = |list: &Value| Answer {
        status: 200,
        url: String::new(),
        body: list.to_string(),
    };
    let flats = section("prodej-byt");
    assert!(
        (crawl.read_page)(&flats, 0, &answer(&list)).is_err(),
        "three adverts are not in the requested list"
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
        "a list of flats is not a list of houses"
    );
}
