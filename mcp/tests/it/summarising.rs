//! Statistics and changes.

use schema::store::{Db, listings, offers};
use schema::{
    Arrangement, Listing, ListingKey, ListingState, OfferId, Plan, PricePoint, PropertyType,
};
use serde_json::json;

use crate::support::{TestServer, at, flat, on_each, save, save_expired};

#[tokio::test]
async fn prices_are_told_in_quartiles_and_not_of_fewer_than_eight() {
    on_each(async |server| {
        for number in 0..9_u32 {
            let mut offer = flat(&format!("a{number}"));
            offer.attributes.price_total = Some(f64::from(number + 1) * 1_000_000.0);
            offer.attributes.arrangement = Some(Arrangement::R2Kk);
            save(&server.db, offer).await;
        }
        for number in 0..7 {
            let mut offer = flat(&format!("b{number}"));
            offer.attributes.arrangement = Some(Arrangement::R3Kk);
            save(&server.db, offer).await;
        }
        let mut house = flat("house");
        house.attributes.property_type = Some(PropertyType::House);
        save(&server.db, house).await;
        let account = server.account(Plan::Free).await;
        let arguments = json!({"offerType": "sale", "type": "apartment", "groupBy": "arrangement"});
        let found = server.content(&account, "price_statistics", arguments).await;
        assert_eq!(
            found["groups"],
            json!([{
                "group": "2+kk",
                "price": {"n": 9, "lowerQuartile": 3_000_000, "median": 5_000_000, "upperQuartile": 7_000_000},
                "pricePerSquareMetre": {"n": 9, "lowerQuartile": 60_000, "median": 100_000, "upperQuartile": 140_000}
            }])
        );
        assert_eq!(found["leftOut"], json!({"groups": 1, "offers": 7}));
        let by = |grouping: &str| json!({"offerType": "sale", "type": "apartment", "groupBy": grouping});
        for (grouping, group) in [("month", "2026-05"), ("district", "Praha"), ("none", "all")] {
            let found = server.content(&account, "price_statistics", by(grouping)).await;
            assert_eq!(found["groups"][0]["group"], group);
            assert_eq!(found["groups"][0]["price"]["n"], 16);
        }
        let house = json!({"offerType": "sale", "type": "house"});
        let found = server.content(&account, "price_statistics", house).await;
        assert_eq!(found["groups"], json!([]));
    })
    .await;
}

/// A listing behind an offer, with its observations and a price that dropped.
async fn save_listing(db: &Db, offer: &str, seen: &[&str], gone: Option<&str>) {
    let prices = [
        ("2026-05-01T06:00:00Z", 5_500_000.0),
        ("2026-07-01T06:00:00Z", 5_000_000.0),
    ];
    let state = ListingState {
        listing: Listing::default(),
        url: None,
        first_seen_at: at(seen[0]),
        last_seen_at: at(seen[seen.len() - 1]),
        last_changed_at: at(seen[seen.len() - 1]),
        gone_at: gone.map(at),
        prices: prices
            .iter()
            .map(|(time, price_total)| PricePoint {
                at: at(time),
                price_total: *price_total,
            })
            .collect(),
    };
    let id = OfferId::parse(offer).unwrap();
    let mut tx = db.begin().await.unwrap();
    let key = ListingKey::new("one", offer);
    let listing = listings::save(&mut tx, &key, &state, true).await.unwrap();
    listings::assign(&mut tx, &[(listing, &id)]).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn changes_are_told_once_and_the_handle_goes_on() {
    on_each(async |server: TestServer| {
        save(&server.db, flat("a")).await;
        save_listing(&server.db, "a", &["2026-05-01T06:00:00Z"], None).await;
        let account = server.account(Plan::Pro).await;
        let first = server.content(&account, "recent_changes", json!({})).await;
        let changes = first["changes"].as_array().unwrap();
        assert_eq!(changes.len(), 1, "{first}");
        assert_eq!(
            (
                &changes[0]["kind"],
                &changes[0]["to"],
                &changes[0]["offer"]["id"]
            ),
            (&json!("price_drop"), &json!(5_000_000), &json!("a"))
        );
        assert_eq!(first["hasMore"], false);
        let after = json!({"after": first["handle"]});
        let nothing = server
            .content(&account, "recent_changes", after.clone())
            .await;
        assert_eq!(nothing["changes"], json!([]));
        assert_eq!(nothing["handle"], first["handle"]);
        // Another change of the same record, of another district and kind than is asked for.
        save(&server.db, flat("a")).await;
        let after = |more: serde_json::Value| {
            let mut arguments = json!({"after": first["handle"]});
            for (name, value) in more.as_object().unwrap() {
                arguments[name] = value.clone();
            }
            arguments
        };
        for other in [
            json!({"district": "Kladno"}),
            json!({"kinds": ["gone"]}),
            json!({"offerType": "rent"}),
        ] {
            let found = server
                .content(&account, "recent_changes", after(other))
                .await;
            assert_eq!(found["changes"], json!([]));
            assert_ne!(found["handle"], first["handle"]);
        }
        let text = server
            .refused(&account, "recent_changes", json!({"after": "yesterday"}))
            .await;
        assert!(text.contains("after: must be the handle"), "{text}");
        assert!(offers::last_change(&server.db).await.unwrap() > 1);
    })
    .await;
}

#[tokio::test]
async fn a_plan_without_history_is_not_told_what_is_gone() {
    on_each(async |server| {
        save_expired(&server.db, flat("a"), Some("2026-07-01T06:00:00Z")).await;
        let account = server.account(Plan::Free).await;
        let found = server.content(&account, "recent_changes", json!({})).await;
        assert_eq!(found["changes"], json!([]));
    })
    .await;
}
