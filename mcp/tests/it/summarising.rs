//! Statistics.

use schema::{Arrangement, Plan, PropertyType};
use serde_json::json;

use crate::support::{flat, on_each, save};

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
