//! The served records of all authored dumps are consistent.

use std::collections::BTreeSet;

use serde_json::Value;

use super::dumps;
use super::jeden::Jeden;

pub async fn get(url: &str, token: &str) -> Value {
    let answer = support::http_client()
        .get(url)
        .bearer_auth(token)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200, "{url}");
    answer.json().await.unwrap()
}

/// Every record, live and expired, in the order of a walk through the pages.
pub async fn walk(base: &str, token: &str) -> Vec<Value> {
    let (mut records, mut cursor) = (Vec::new(), String::new());
    loop {
        let url = format!("{base}/v1/offers?includeInactive=true&limit=50{cursor}");
        let mut page = get(&url, token).await;
        records.append(page["data"].as_array_mut().unwrap());
        match page["pagination"]["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return records,
        }
    }
}

fn list<'a>(record: &'a Value, name: &str) -> &'a Vec<Value> {
    record[name].as_array().unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

/// Fails if the links, price series and times of a record contradict each other.
fn agrees_with_itself(record: &Value) {
    let id = text(record, "id");
    let (links, series) = (list(record, "portalLinks"), list(record, "priceHistory"));
    assert!(!links.is_empty(), "{id}");
    assert_eq!(
        record["isLive"],
        links.iter().any(|link| link["isLive"] == true),
        "{id}"
    );
    assert_eq!(
        Some(text(record, "firstSeenAt")),
        links.iter().map(|link| text(link, "firstSeenAt")).min(),
        "{id}"
    );
    let key = |value: &Value| {
        (
            text(value, "siteId").to_owned(),
            text(value, "offerId").to_owned(),
        )
    };
    assert!(links.iter().map(key).eq(series.iter().map(key)), "{id}");
    for one in series {
        let points = list(one, "points");
        for pair in points.windows(2) {
            assert!(text(&pair[0], "at") < text(&pair[1], "at"), "{id}: {one}");
            assert_ne!(pair[0]["priceTotal"], pair[1]["priceTotal"], "{id}: {one}");
        }
        assert!(
            points
                .iter()
                .all(|point| text(point, "at") <= text(record, "lastChangedAt")),
            "{id}: {one}"
        );
    }
    let last_prices = series.iter().filter_map(|one| list(one, "points").last());
    let price = &record["priceTotal"];
    assert!(
        price.is_null()
            || last_prices
                .map(|point| &point["priceTotal"])
                .any(|last| last == price),
        "{id}"
    );
}

/// Spec, Purpose 2: a property advertised on several portals is one record, once in the data.
/// Spec, Offer 1: items of a search and the detail carry the same fields.
/// Spec, Offer 8: firstSeenAt and lastChangedAt are the first sight and the last change on any portal.
/// Spec, Offer 9: searches are sorted by lastChangedAt, newest first.
/// Spec, Offer 16: portalLinks has one entry for each portal listing.
/// Spec, Offer 17: priceHistory has one series for each portal listing, oldest point first, not merged.
/// Spec, States 1: a listing is live while at least one portal advertises it, a link while that portal does.
/// Spec, search 15: sending nextCursor until hasMore is false shows every match once.
#[tokio::test]
async fn every_served_record_agrees_with_itself_and_no_listing_is_behind_two() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        jeden
            .run(&["account", "create", "reader", "--plan", "investor"])
            .done();
        let token = jeden
            .run(&["token", "create", "reader"])
            .done()
            .trim()
            .to_owned();
        let server = jeden.serve(&["serve"]);
        let found = walk(&server.base, &token).await;
        assert!(found.len() >= 60, "on {}: {}", database.name, found.len());
        assert!(found.is_sorted_by(|one, next| text(one, "lastChangedAt") >= text(next, "lastChangedAt")));
        let mut listings = BTreeSet::new();
        for summary in found {
            let mut record = get(
                &format!("{}/v1/offers/{}", server.base, text(&summary, "id")),
                &token,
            )
            .await;
            agrees_with_itself(&record);
            for link in list(&record, "portalLinks") {
                let listing = (
                    text(link, "siteId").to_owned(),
                    text(link, "offerId").to_owned(),
                );
                assert!(
                    listings.insert(listing),
                    "on {}: {link} is behind two records",
                    database.name
                );
            }
            let object = record.as_object_mut().unwrap();
            assert!(
                object.remove("portalLinks").is_some() && object.remove("priceHistory").is_some()
            );
            assert_eq!(record, summary, "on {}", database.name);
        }
    }
}
