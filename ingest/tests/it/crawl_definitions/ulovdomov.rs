//! The crawl definition of ulovdomov: lists that carry whole adverts, pages that only show whether an advert is live.

use ingest::crawl_definition::Detail;
use serde_json::{Value, json};

use super::pages::{answered, section};
use super::simulated_site::{market, site};

#[test]
fn a_list_carries_the_whole_advert() {
    let site = site("ulovdomov");
    let found = site.walk(&market(12));
    for entry in found.entries.values() {
        let payload = entry.payload.as_ref().unwrap();
        assert_eq!(payload["id"].to_string(), entry.offer_id);
        assert_eq!(payload["absoluteUrl"], Value::from(entry.url.clone()));
    }
}

#[test]
fn a_page_other_than_the_requested_one_is_unexpected() {
    let site = site("ulovdomov");
    let sales = section(&site, "sale");
    let answer = site.answer(&(site.crawl.page)(&sales, 0), &market(12));
    assert!((site.crawl.read_page)(&sales, 0, &answer).is_ok());
    assert!(
        (site.crawl.read_page)(&sales, 1, &answer).is_err(),
        "the first page instead of the second"
    );
    let shorter = answered(
        200,
        &answer.url,
        &answer.body.replace("\"perPage\":100", "\"perPage\":20"),
    );
    assert!((site.crawl.read_page)(&sales, 0, &shorter).is_err());
}

#[test]
fn a_failed_search_is_not_an_empty_list() {
    let site = site("ulovdomov");
    for body in [
        json!({"success": false, "error": "udBe.internalServerError", "data": null}),
        json!({"success": true, "data": {"offers": []}}),
        json!({"success": true, "data": {"offers": [{"seo": "x"}]}, "extraData": {"total": 1, "perPage": 100, "currentPage": 1}}),
    ] {
        let answer = answered(
            200,
            "https://ud.api.ulovdomov.cz/v1/offer/find",
            &body.to_string(),
        );
        assert!(
            (site.crawl.read_page)(&section(&site, "rent"), 0, &answer).is_err(),
            "{body}"
        );
    }
}

#[test]
fn a_page_gives_the_payload_of_the_list_unless_it_says_that_the_advert_is_reserved() {
    let site = site("ulovdomov");
    let adverts = market(3);
    let entries: Vec<_> = site.walk(&adverts).entries.into_values().collect();
    let asked = &entries[..1];
    let answer = site.answer(&(site.crawl.details)(asked).unwrap(), &adverts);
    let read = (site.crawl.read_details)(asked, &answer).unwrap();
    assert_eq!(read, [Detail::Payload(asked[0].payload.clone().unwrap())]);

    let taken = answered(
        200,
        &answer.url,
        &answer.body.replace(">Nabídka<", ">Inzerát už má zájemce<"),
    );
    let read = (site.crawl.read_details)(asked, &taken).unwrap();
    let [Detail::Payload(payload)] = read.as_slice() else {
        panic!("{read:?}")
    };
    let reading = site.portal.read_payload(payload).unwrap();
    assert_eq!(
        reading.listing.evidence.taken,
        Some(schema::Taken::Reserved)
    );
}
