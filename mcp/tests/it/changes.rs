//! `recent_changes`: what the log of changes tells.

use ::support::retire;
use schema::store::{offers, record_events};
use schema::{Plan, PricePoint};
use serde_json::{Value, json};

use crate::support::{Account, TestServer, at, flat, on_each, row, save, save_expired, store};

impl TestServer {
    async fn changes(&self, account: &Account, arguments: Value) -> Value {
        self.content(account, "recent_changes", arguments).await
    }
}

/// What was told: the kind and the offer of each change.
fn told(found: &Value) -> Vec<(&str, &str)> {
    let changes = found["changes"].as_array().unwrap().iter();
    let texts = changes.map(|change| (change["kind"].as_str(), change["id"].as_str()));
    texts
        .map(|(kind, id)| (kind.unwrap(), id.unwrap()))
        .collect()
}

#[tokio::test]
async fn changes_are_told_once_and_the_handle_goes_on() {
    on_each(async |server| {
        save(&server.db, flat("a")).await;
        let account = server.account(Plan::Pro).await;
        let first = server.changes(&account, json!({})).await;
        assert_eq!(told(&first), [("new", "a")]);
        assert_eq!(first["changes"][0]["offer"]["id"], "a");
        assert_eq!(first["hasMore"], false);
        let nothing = server
            .changes(&account, json!({"after": first["handle"]}))
            .await;
        assert_eq!(nothing["changes"], json!([]));
        assert_eq!(nothing["handle"], first["handle"]);
        // Another price of the same offer, in another district and of another kind than is asked for.
        let mut cheaper = row(flat("a"), None);
        cheaper.price_history[1].points.push(PricePoint {
            at: at("2026-07-02T06:00:00Z"),
            price_total: 4_680_000.0,
        });
        let last = store(&server.db, &cheaper).await;
        let after = |more: Value| {
            let mut arguments = json!({"after": first["handle"]});
            let more = more.as_object().unwrap().clone();
            arguments.as_object_mut().unwrap().extend(more);
            arguments
        };
        for other in [
            json!({"district": "Kladno"}),
            json!({"kinds": ["gone", "price_rise"]}),
            json!({"offerType": "rent"}),
        ] {
            let found = server.changes(&account, after(other)).await;
            assert_eq!(found["changes"], json!([]));
            assert_eq!(found["handle"], last);
        }
        let drop = server
            .changes(&account, after(json!({"district": "Praha"})))
            .await;
        assert_eq!(told(&drop), [("price_drop", "a")]);
        let change = &drop["changes"][0];
        assert_eq!(
            (
                &change["from"],
                &change["to"],
                &change["percent"],
                &change["at"]
            ),
            (
                &json!(5_200_000),
                &json!(4_680_000),
                &json!(-10.0),
                &json!("2026-07-02T06:00:00Z")
            )
        );
    })
    .await;
}

#[tokio::test]
async fn the_handle_is_the_number_of_the_feed() {
    on_each(async |server| {
        let account = server.account(Plan::Pro).await;
        for id in ["a", "b", "c"] {
            save(&server.db, flat(id)).await;
        }
        let found = server.changes(&account, json!({})).await;
        assert_eq!(
            found["handle"],
            offers::last_change(&server.db).await.unwrap()
        );
        let (mut handle, mut ids) = (json!(0), Vec::new());
        loop {
            let page = json!({"after": handle, "limit": 1});
            let page = server.changes(&account, page).await;
            ids.extend(told(&page).into_iter().map(|(_, id)| id.to_owned()));
            handle = page["handle"].clone();
            if page["hasMore"] == false {
                break;
            }
        }
        assert_eq!(ids, ["a", "b", "c"]);
    })
    .await;
}

#[tokio::test]
async fn what_is_gone_back_merged_or_removed_is_told() {
    on_each(async |server| {
        let account = server.account(Plan::Pro).await;
        save(&server.db, flat("a")).await;
        save(&server.db, flat("b")).await;
        let begin = server.changes(&account, json!({})).await["handle"].clone();
        save_expired(&server.db, flat("a"), Some("2026-07-10T06:00:00Z")).await;
        let gone = server.changes(&account, json!({"after": begin})).await;
        assert_eq!(told(&gone), [("gone", "a")]);
        assert_eq!(gone["changes"][0]["offer"]["isLive"], false);
        save(&server.db, flat("a")).await;
        retire(&server.db, "b", "a").await;
        let rest = json!({"after": gone["handle"]});
        let rest = server.changes(&account, rest).await;
        assert_eq!(told(&rest), [("back", "a"), ("merged", "b")]);
        let merged = &rest["changes"][1];
        assert_eq!((&merged["into"], merged.get("offer")), (&json!("a"), None));
    })
    .await;
}

#[tokio::test]
async fn of_an_offer_that_the_plan_does_not_show_only_its_end_is_told() {
    on_each(async |server| {
        let free = server.account(Plan::Free).await;
        save(&server.db, flat("a")).await;
        save_expired(&server.db, flat("a"), Some("2026-07-01T06:00:00Z")).await;
        let found = server.changes(&free, json!({"after": 0})).await;
        assert_eq!(told(&found), [("gone", "a")]);
        assert_eq!(found["changes"][0].get("offer"), None);
        let elsewhere = json!({"after": 0, "district": "Kladno"});
        let found = server.changes(&free, elsewhere).await;
        assert_eq!(found["changes"], json!([]), "it does not match");
    })
    .await;
}

#[tokio::test]
async fn a_handle_that_cannot_be_followed_is_refused_with_the_way_to_start_over() {
    on_each(async |server| {
        let account = server.account(Plan::Pro).await;
        save(&server.db, flat("a")).await;
        for (today, kept_since) in [(1, 0), (3, 2)] {
            let day = |number: i64| schema::Timestamp(number * 86_400_000);
            record_events::delete_old(&server.db, day(today), day(kept_since))
                .await
                .unwrap();
        }
        save(&server.db, flat("b")).await;
        for (handle, said) in [
            (json!(0), "are no longer kept"),
            (json!(99), "the last change is 2"),
            (json!("yesterday"), "must be the handle"),
            (json!(-1), "must be the handle"),
        ] {
            let text = server
                .refused(&account, "recent_changes", json!({"after": handle}))
                .await;
            assert!(
                text.contains("after: ") && text.contains(said) && text.contains("leave it out"),
                "{handle}: {text}"
            );
        }
        // Without a handle, it begins with what is kept.
        let found = server.changes(&account, json!({})).await;
        assert_eq!(told(&found), [("new", "b")]);
    })
    .await;
}
