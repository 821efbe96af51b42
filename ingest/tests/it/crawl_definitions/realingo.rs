//! The crawl definition of realingo: many offers in one request, answers that fail in part.

use ingest::crawl_definition::{Access, Detail};
use serde_json::{Value, json};

use super::pages::{answered, section};
use super::simulated_site::{market, site};

#[test]
fn fifty_offers_are_requested_together_without_personal_data() {
    let site = site("realingo");
    let entries: Vec<_> = site.walk(&market(60)).entries.into_values().collect();
    let request = (site.crawl.details)(&entries[..50]).unwrap();
    let query = request.body.unwrap()["query"].as_str().unwrap().to_owned();
    assert_eq!(query.matches(": offer(id: \"").count(), 50);
    assert!(
        !["contact", "phone", "person", "email"]
            .iter()
            .any(|word| query.contains(word))
    );
    assert_eq!(site.crawl.details_per_request, 50);
    assert_eq!(
        site.crawl.access,
        Access::Forbidden {
            by: "robots.txt disallows /graphql"
        }
    );
}

#[test]
fn one_removed_offer_does_not_end_the_others() {
    let site = site("realingo");
    let adverts = market(10);
    let entries: Vec<_> = site.walk(&adverts).entries.into_values().collect();
    let answer = site.answer(&(site.crawl.details)(&entries).unwrap(), &adverts);
    let mut body: Value = serde_json::from_str(&answer.body).unwrap();
    body["data"][format!("offer{}", entries[3].offer_id)] = Value::Null;
    let read = (site.crawl.read_details)(&entries, &answered(200, &answer.url, &body.to_string()))
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
    let site = site("realingo");
    let adverts = market(10);
    let entries: Vec<_> = site.walk(&adverts).entries.into_values().collect();
    let answer = site.answer(&(site.crawl.details)(&entries).unwrap(), &adverts);
    let whole: Value = serde_json::from_str(&answer.body).unwrap();
    let name = format!("offer{}", entries[0].offer_id);
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut body = whole.clone();
        change(&mut body);
        (site.crawl.read_details)(&entries, &answered(200, &answer.url, &body.to_string()))
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
    let site = site("realingo");
    let flats = section(&site, "SELL-FLAT");
    let answer = site.answer(&(site.crawl.page)(&flats, 0), &market(300));
    let page = (site.crawl.read_page)(&flats, 0, &answer).unwrap();
    assert_eq!(
        (page.total, page.more, page.entries.len()),
        (Some(120), true, 100)
    );
    assert!((site.crawl.read_page)(&section(&site, "SELL-HOUSE"), 0, &answer).is_err());
    let mut body: Value = serde_json::from_str(&answer.body).unwrap();
    body["data"]["searchOffer"]["items"]
        .as_array_mut()
        .unwrap()
        .truncate(20);
    let cut = answered(200, &answer.url, &body.to_string());
    assert!((site.crawl.read_page)(&flats, 0, &cut).is_err());
}
