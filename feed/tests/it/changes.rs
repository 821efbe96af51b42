//! What an answer contains: order, filters, plans, errors.

use schema::Plan;
use schema::store::record_events;
use schema::{OfferType, Timestamp};

use crate::running::{NOON, at, flat, gone, hidden, on_each, save, shown};

#[tokio::test]
async fn changes_come_in_order_with_the_record_as_it_is_now() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        save(&feed.db, &[flat("a", 5e6), flat("b", 6e6)]).await;
        save(&feed.db, &[flat("a", 4.9e6), flat("b", 6e6)]).await;
        support::retire(&feed.db, "b", "a").await;
        let all = feed.get(&account, "/changes?after=0").await;
        assert_eq!(
            all.changes(),
            [
                shown("a", &["appeared"]),
                hidden("b", &["appeared"]),
                shown("a", &["changed"]),
                hidden("b", &["merged"]),
            ]
        );
        assert_eq!(all.body["data"][0]["offer"]["priceTotal"], 4_900_000);
        assert_eq!(
            all.body["data"][0]["offer"]["portalLinks"],
            serde_json::json!([])
        );
        assert_eq!(all.body["data"][3]["events"][0]["into"], "a");
        let seqs: Vec<i64> = all.body["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|change| change["seq"].as_i64().unwrap())
            .collect();
        assert_eq!(seqs, [1, 2, 3, 5], "the second save of b did nothing");
        let mut after = 0;
        let mut read = Vec::new();
        loop {
            let page = feed
                .get(&account, &format!("/changes?after={after}&limit=1"))
                .await;
            read.extend(page.changes());
            after = page.next_after();
            if page.body["pagination"]["hasMore"] == false {
                break;
            }
        }
        assert_eq!(read, all.changes(), "page by page");
        assert_eq!(all.next_after(), after);
        let now = feed.get(&account, "/changes").await;
        assert_eq!((now.changes(), now.next_after()), (vec![], after));
    })
    .await;
}

#[tokio::test]
async fn a_record_that_leaves_a_filter_comes_without_its_detail() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        let mut rent = flat("rent", 20_000.0);
        rent.offer.attributes.offer_type = Some(OfferType::Rent);
        save(&feed.db, &[flat("a", 5e6), flat("b", 7e6), rent.clone()]).await;
        let path = |after| format!("/changes?after={after}&priceMax=6000000&offerType=sale");
        let first = feed.get(&account, &path(0)).await;
        assert_eq!(first.changes(), [shown("a", &["appeared"])]);
        rent.offer.attributes.elevator = Some(true);
        let mut titled = flat("b", 7e6);
        titled.offer.attributes.title = Some("Byt".to_owned());
        save(&feed.db, &[flat("a", 6.1e6), titled.clone(), rent]).await;
        let second = feed.get(&account, &path(first.next_after())).await;
        assert_eq!(
            second.changes(),
            [hidden("a", &["changed"])],
            "what never matched and cannot have left is not shown"
        );
        titled.offer.attributes.price_total = Some(5.5e6);
        save(&feed.db, &[titled]).await;
        let third = feed.get(&account, &path(second.next_after())).await;
        assert_eq!(third.changes(), [shown("b", &["changed"])]);
        let circle = "/changes?after=0&lat=49&lng=14&radiusMeters=1000";
        assert_eq!(feed.get(&account, circle).await.changes(), []);
        let circle = "/changes?after=0&lat=50.0755&lng=14.4378";
        assert!(feed.get(&account, circle).await.changes().len() > 3);
    })
    .await;
}

#[tokio::test]
async fn a_plan_sees_of_a_record_outside_its_history_only_that_it_is_gone() {
    on_each(async |feed| {
        let (free, pro) = (
            feed.account(Plan::Free).await,
            feed.account(Plan::Pro).await,
        );
        save(&feed.db, &[flat("a", 5e6), flat("b", 5e6)]).await;
        let old = gone(flat("a", 4e6), "2026-01-15T12:00:00Z");
        save(
            &feed.db,
            &[old, gone(flat("b", 4e6), "2026-07-15T11:00:00Z")],
        )
        .await;
        let live = feed.get(&free, "/changes?after=0").await;
        let left = ["gone", "changed"];
        assert_eq!(live.changes(), [hidden("a", &left), hidden("b", &left)]);
        let refused = feed
            .get(&free, "/changes?after=0&includeInactive=true")
            .await;
        assert_eq!(
            (refused.status, refused.code()),
            (403, "plan-limit-exceeded")
        );
        let past = feed
            .get(&pro, "/changes?after=0&includeInactive=true")
            .await;
        assert_eq!(
            past.changes(),
            [
                shown("b", &["appeared"]),
                hidden("a", &left),
                shown("b", &left)
            ]
        );
        save(&feed.db, &[flat("a", 4e6)]).await;
        let back = feed.get(&free, "/changes?after=4").await;
        assert_eq!(back.changes(), [shown("a", &["back"])]);
    })
    .await;
}

#[tokio::test]
async fn a_reader_from_before_the_kept_changes_is_told_to_start_over() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        let last = save(&feed.db, &[flat("a", 5e6)]).await;
        let now = at(NOON);
        for at in [now, Timestamp(now.millis() + 1)] {
            record_events::delete_old(&feed.db, at, at).await.unwrap();
        }
        let expired = feed.get(&account, "/changes?after=0").await;
        assert_eq!((expired.status, expired.code()), (410, "changes-expired"));
        let message = expired.body["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("number {last}")) && message.contains("export"));
        let kept = feed.get(&account, &format!("/changes?after={last}")).await;
        assert_eq!((kept.changes(), kept.next_after()), (vec![], last));
        let ahead = feed.get(&account, "/changes?after=999").await;
        assert_eq!((ahead.status, ahead.code()), (400, "invalid-request"));
        assert_eq!(ahead.body["error"]["details"][0]["path"], "after");
    })
    .await;
}

#[tokio::test]
async fn errors_have_the_form_of_the_api() {
    on_each(async |feed| {
        let account = feed.account(Plan::Custom).await;
        let wrong = "/changes?after=x&limit=501&wait=301&cursor=1&district=";
        let refused = feed.get(&account, wrong).await;
        assert_eq!((refused.status, refused.code()), (400, "invalid-request"));
        let details = refused.body["error"]["details"].as_array().unwrap();
        let paths: Vec<&str> = details
            .iter()
            .map(|one| one["path"].as_str().unwrap())
            .collect();
        assert_eq!(paths, ["after", "limit", "wait", "cursor", "district"]);
        assert!(refused.body["requestId"].is_string());
        let missing = feed.get_public("/changes").await;
        assert_eq!((missing.status, missing.code()), (401, "unauthorized"));
        let elsewhere = feed.get(&account, "/v1/offers").await;
        assert_eq!((elsewhere.status, elsewhere.code()), (404, "not-found"));
        let posted = support::http_client()
            .post(format!("{}/changes", feed.url))
            .bearer_auth(&account.token);
        assert_eq!(posted.send().await.unwrap().status().as_u16(), 405);
        assert_eq!(feed.get_public("/health").await.status, 200);
        let address = feed
            .get(&account, "/changes?after=0&address=Nikde%20123")
            .await;
        assert_eq!(address.body["error"]["details"][0]["path"], "address");
    })
    .await;
}
