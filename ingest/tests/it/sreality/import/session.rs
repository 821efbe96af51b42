//! A session of calls, as an agency's software sends it.

use ingest::portals::{Delivery, FeedContent, read_feed, read_payload};
use schema::{Observation, RawListing, Timestamp};
use serde_json::Value;

use super::FORMAT;
use crate::payloads::xml_fixture;

fn delivery(complete: bool) -> Delivery {
    Delivery {
        site_id: "rk-vzor".to_owned(),
        at: Timestamp(1_773_662_400_000),
        complete,
    }
}

fn session(text: &str, complete: bool) -> FeedContent {
    read_feed(text.as_bytes(), &delivery(complete)).unwrap()
}

/// Returns the adverts that were seen, with their numbers.
fn seen(content: &FeedContent) -> Vec<(&str, &RawListing)> {
    let observations = content.observations.iter();
    let seen = observations.filter_map(|observation| match observation {
        Observation::Seen { key, raw, .. } => Some((key.offer_id.as_str(), raw)),
        _ => None,
    });
    seen.collect()
}

fn body(content: &FeedContent, number: &str) -> Value {
    let (_, raw) = seen(content)
        .into_iter()
        .find(|(seen, _)| *seen == number)
        .unwrap();
    serde_json::from_str(&raw.body).unwrap()
}

#[test]
fn each_advert_of_a_session_is_one_observation() {
    let content = session(&xml_fixture(FORMAT, "session"), true);
    let told: Vec<String> = content
        .observations
        .iter()
        .map(|observation| match observation {
            Observation::Seen { key, .. } => format!("{key} seen"),
            Observation::Gone { key, .. } => format!("{key} gone"),
            Observation::Crawled(crawl) => format!("{} complete", crawl.site_id),
        })
        .collect();
    let expected = [
        "rk-vzor/S-1 seen",
        "rk-vzor/S-2 seen",
        "rk-vzor/S-3 gone",
        "rk-vzor/S-4 seen",
        "rk-vzor complete",
    ];
    assert_eq!(told, expected);
    assert_eq!(content.rejected, Vec::<String>::new());
    let partial = session(&xml_fixture(FORMAT, "session"), false);
    assert_eq!(partial.observations, content.observations[..4]);
}

#[test]
fn calls_for_one_advert_are_merged() {
    let content = session(&xml_fixture(FORMAT, "session"), false);
    let changed = body(&content, "S-1");
    assert_eq!(
        (&changed["advert_price"], &changed["usable_area"]),
        (&5_990_000.into(), &81.into())
    );
}

#[test]
fn a_response_that_names_a_page_is_evidence_of_its_listing() {
    let content = session(&xml_fixture(FORMAT, "session"), false);
    let advert = body(&content, "S-1");
    let reading = read_payload("rk-vzor", &advert).unwrap().unwrap();
    assert_eq!(
        reading.listing.evidence.same_as.unwrap().to_string(),
        "sreality/990000101"
    );
    assert!(reading.url.unwrap().ends_with("/990000101"));
    let unpublished = body(&content, "S-2");
    assert_eq!(
        read_payload("rk-vzor", &unpublished).unwrap().unwrap().url,
        None
    );
}

#[test]
fn sellers_and_files_are_left_out() {
    let content = session(&xml_fixture(FORMAT, "session"), true);
    for (_, raw) in seen(&content) {
        for word in [
            "makler",
            "seller",
            "+420",
            "example.cz",
            "/9j/",
            "2026031613125586",
        ] {
            assert!(!raw.body.contains(word), "{word}: {}", raw.body);
        }
    }
}

#[test]
fn an_advert_without_a_number_is_rejected_and_the_rest_is_read() {
    let nameless =
        "<struct><member><name>advert_function</name><value><int>1</int></value></member></struct>";
    let content = session(
        &format!("{nameless}{}", xml_fixture(FORMAT, "minimal")),
        false,
    );
    assert_eq!(
        content.rejected,
        ["addAdvert 1 has neither advert_rkid nor advert_id: nothing tells which advert it is"]
    );
    assert_eq!(seen(&content).len(), 1);
}

#[test]
fn a_dump_of_structs_reads_like_the_calls() {
    let structs: String = ["flat-sale", "garage"]
        .map(|case| {
            let call = xml_fixture(FORMAT, case);
            let start = call.find("<value><struct>").unwrap();
            let end = call.find("</struct></value>").unwrap() + "</struct></value>".len();
            call.get(start..end).unwrap().to_owned()
        })
        .concat();
    let calls = ["flat-sale", "garage"]
        .map(|case| xml_fixture(FORMAT, case))
        .concat();
    let expected = session(&calls, true);
    assert_eq!(
        session(&format!("<array><data>{structs}</data></array>"), true),
        expected
    );
    assert_eq!(session(&structs, true), expected);
}

#[test]
fn an_advert_that_is_added_again_after_its_deletion_starts_empty() {
    let deleted = "<methodCall><methodName>delAdvert</methodName><params><param><value>x</value></param>\
        <param><value><int>0</int></value></param><param><value>VZ-0001</value></param></params></methodCall>";
    let sale = xml_fixture(FORMAT, "flat-sale");
    let again = xml_fixture(FORMAT, "minimal").replace("VZ-0014", "VZ-0001");
    let content = session(&format!("{sale}{deleted}{again}"), false);
    assert_eq!(content.observations.len(), 1);
    assert!(body(&content, "VZ-0001").get("usable_area").is_none());
    let ended = session(&format!("{sale}{deleted}"), false);
    assert!(matches!(
        ended.observations.as_slice(),
        [Observation::Gone { .. }]
    ));
}

#[test]
fn half_a_session_is_refused() {
    let whole = xml_fixture(FORMAT, "session");
    let half = whole.get(..whole.len() / 2).unwrap();
    assert!(read_feed(half.as_bytes(), &delivery(true)).is_err());
}
