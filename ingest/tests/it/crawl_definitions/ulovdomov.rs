//! What is ulovdomov's own: lists that carry everything, pages that are asked for whether an advert lives.

use ingest::crawl_definition::Detail;
use serde_json::{Value, json};

use super::pages::{answered, section};
use super::stand::{market, stand};

#[test]
fn a_list_carries_the_whole_advert() {
    let stand = stand("ulovdomov");
    let found = stand.walk(&market(12));
    for entry in found.entries.values() {
        let payload = entry.payload.as_ref().unwrap();
        assert_eq!(payload["id"].to_string(), entry.offer_id);
        assert_eq!(payload["absoluteUrl"], Value::from(entry.url.clone()));
    }
}

#[test]
fn another_page_than_was_asked_for_is_unexpected() {
    let stand = stand("ulovdomov");
    let sales = section(&stand, "sale");
    let answer = stand.answer(&(stand.crawl.page)(&sales, 0), &market(12));
    assert!((stand.crawl.read_page)(&sales, 0, &answer).is_ok());
    assert!(
        (stand.crawl.read_page)(&sales, 1, &answer).is_err(),
        "the first page in place of the second"
    );
    let shorter = answered(
        200,
        &answer.url,
        &answer.body.replace("\"perPage\":100", "\"perPage\":20"),
    );
    assert!((stand.crawl.read_page)(&sales, 0, &shorter).is_err());
}

#[test]
fn a_search_that_failed_is_no_empty_list() {
    let stand = stand("ulovdomov");
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
            (stand.crawl.read_page)(&section(&stand, "rent"), 0, &answer).is_err(),
            "{body}"
        );
    }
}

#[test]
fn a_page_is_read_to_what_the_list_sends_unless_only_it_says_that_the_advert_is_taken() {
    let stand = stand("ulovdomov");
    let adverts = market(3);
    let entries: Vec<_> = stand.walk(&adverts).entries.into_values().collect();
    let asked = &entries[..1];
    let answer = stand.answer(&(stand.crawl.details)(asked).unwrap(), &adverts);
    let read = (stand.crawl.read_details)(asked, &answer).unwrap();
    assert_eq!(read, [Detail::Payload(asked[0].payload.clone().unwrap())]);

    let taken = answered(
        200,
        &answer.url,
        &answer.body.replace(">Nabídka<", ">Inzerát už má zájemce<"),
    );
    let read = (stand.crawl.read_details)(asked, &taken).unwrap();
    let [Detail::Payload(payload)] = read.as_slice() else {
        panic!("{read:?}")
    };
    let reading = stand.portal.read_payload(payload).unwrap();
    assert_eq!(
        reading.listing.evidence.taken,
        Some(schema::Taken::Reserved)
    );
}
