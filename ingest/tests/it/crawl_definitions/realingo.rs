//! What is realingo's own: many offers in one request, answers that fail in part.

use ingest::crawl_definition::{Access, Detail};
use serde_json::{Value, json};

use super::pages::{answered, section};
use super::stand::{market, stand};

#[test]
fn fifty_offers_are_asked_for_at_once_and_nobody_s_number() {
    let stand = stand("realingo");
    let entries: Vec<_> = stand.walk(&market(60)).entries.into_values().collect();
    let request = (stand.crawl.details)(&entries[..50]).unwrap();
    let query = request.body.unwrap()["query"].as_str().unwrap().to_owned();
    assert_eq!(query.matches(": offer(id: \"").count(), 50);
    assert!(
        !["contact", "phone", "person", "email"]
            .iter()
            .any(|word| query.contains(word))
    );
    assert_eq!(stand.crawl.details_per_request, 50);
    assert_eq!(
        stand.crawl.access,
        Access::Forbidden {
            by: "robots.txt disallows /graphql"
        }
    );
}

#[test]
fn one_removed_offer_among_others_is_gone_alone() {
    let stand = stand("realingo");
    let adverts = market(10);
    let entries: Vec<_> = stand.walk(&adverts).entries.into_values().collect();
    let answer = stand.answer(&(stand.crawl.details)(&entries).unwrap(), &adverts);
    let mut body: Value = serde_json::from_str(&answer.body).unwrap();
    body["data"][format!("offer{}", entries[3].offer_id)] = Value::Null;
    let read = (stand.crawl.read_details)(&entries, &answered(200, &answer.url, &body.to_string()))
        .unwrap();
    for (place, detail) in read.iter().enumerate() {
        assert_eq!(
            matches!(detail, Detail::Gone { .. }),
            place == 3,
            "{place}: {detail:?}"
        );
    }
}

#[test]
fn an_answer_that_failed_in_part_ends_nothing() {
    let stand = stand("realingo");
    let adverts = market(10);
    let entries: Vec<_> = stand.walk(&adverts).entries.into_values().collect();
    let answer = stand.answer(&(stand.crawl.details)(&entries).unwrap(), &adverts);
    let whole: Value = serde_json::from_str(&answer.body).unwrap();
    let name = format!("offer{}", entries[0].offer_id);
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut body = whole.clone();
        change(&mut body);
        (stand.crawl.read_details)(&entries, &answered(200, &answer.url, &body.to_string()))
    };
    let failed = changed(&|body| {
        body["data"][&name] = Value::Null;
        body["errors"] = json!([{"message": "timeout", "path": [name]}]);
    });
    assert!(failed.unwrap_err().to_string().contains("timeout"));
    let missing = changed(&|body| {
        body["data"].as_object_mut().unwrap().remove(&name);
    });
    assert!(missing.is_err());
    let another = changed(&|body| body["data"][&name]["id"] = json!("7"));
    assert!(another.is_err());
}

#[test]
fn a_list_of_another_kind_or_length_is_unexpected() {
    let stand = stand("realingo");
    let flats = section(&stand, "SELL-FLAT");
    let answer = stand.answer(&(stand.crawl.page)(&flats, 0), &market(300));
    let page = (stand.crawl.read_page)(&flats, 0, &answer).unwrap();
    assert_eq!(
        (page.total, page.more, page.entries.len()),
        (Some(120), true, 100)
    );
    assert!((stand.crawl.read_page)(&section(&stand, "SELL-HOUSE"), 0, &answer).is_err());
    let mut body: Value = serde_json::from_str(&answer.body).unwrap();
    body["data"]["searchOffer"]["items"]
        .as_array_mut()
        .unwrap()
        .truncate(20);
    let cut = answered(200, &answer.url, &body.to_string());
    assert!((stand.crawl.read_page)(&flats, 0, &cut).is_err());
}
