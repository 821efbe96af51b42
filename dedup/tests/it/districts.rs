//! The district of a municipality, learned from its listings when no portal states it.

use serde_json::json;
use support::on_each_database;

use super::feeding::{deduplicate, detail, record_of, seen, shuffled, take_in};

/// An advert in a village whose name is common, with or without a district.
fn advert(number: u32, at: i64, district: Option<&str>) -> String {
    let mut facts = json!({
        "offerType": "sale", "type": "house", "title": format!("Dům číslo {number}"), "city": "Lhota",
        "landArea": 300 + 211 * number, "livingArea": 60 + 37 * number, "priceTotal": 1_000_000 * (number + 1),
    });
    if let Some(district) = district {
        facts["district"] = json!(district);
    }
    seen("sreality", &number.to_string(), at, &facts)
}

#[tokio::test]
async fn a_village_is_in_the_district_that_its_listings_state_in_any_order() {
    // Four of five votes agree after the last of them changed.
    let lines = vec![
        advert(0, 1, None),
        advert(1, 1, Some("Trutnov")),
        advert(2, 1, Some("Trutnov")),
        advert(3, 1, Some("Trutnov")),
        advert(4, 1, Some("Náchod")),
        advert(5, 1, Some("Náchod")),
        advert(5, 2, Some("Trutnov")),
    ];
    for seed in 0..6 {
        let lines = shuffled(&lines, seed);
        on_each_database(async |db| {
            for batch in lines.chunks(1 + seed as usize % 3) {
                take_in(&db, batch).await;
                deduplicate(&db).await;
            }
            let record = detail(&db, &record_of(&db, "sreality", "0").await).await;
            assert_eq!(
                record.detail.offer.attributes.district.as_deref(),
                Some("Trutnov"),
                "order {seed}"
            );
            assert_eq!(
                record.detail.offer.attributes.region.as_deref(),
                Some("Královéhradecký kraj")
            );
        })
        .await;
    }
}

#[tokio::test]
async fn a_record_gets_the_district_of_its_town_or_the_region_of_its_position() {
    on_each_database(async |db| {
        let house = |facts: serde_json::Value| {
            let mut house = json!({"offerType": "sale", "type": "house", "priceTotal": 2_000_000});
            house
                .as_object_mut()
                .unwrap()
                .extend(facts.as_object().unwrap().clone());
            house
        };
        let by_name = house(json!({"city": "Brno venkov"}));
        let between_districts = house(json!({"location": {"lat": 50.06, "lng": 14.95}}));
        take_in(
            &db,
            &[
                seen("sreality", "1", 1, &by_name),
                seen("sreality", "2", 1, &between_districts),
            ],
        )
        .await;
        deduplicate(&db).await;
        let area = async |number: &str| {
            let record = detail(&db, &record_of(&db, "sreality", number).await).await;
            let facts = record.detail.offer.attributes;
            (facts.district, facts.region)
        };
        let named = |district: Option<&str>, region: &str| {
            (district.map(str::to_owned), Some(region.to_owned()))
        };
        assert_eq!(
            area("1").await,
            named(Some("Brno-venkov"), "Jihomoravský kraj")
        );
        assert_eq!(area("2").await, named(None, "Středočeský kraj"));
    })
    .await;
}

#[tokio::test]
async fn a_listing_that_no_longer_names_its_municipality_has_no_vote() {
    on_each_database(async |db| {
        take_in(
            &db,
            &[
                advert(0, 1, None),
                advert(1, 1, Some("Náchod")),
                advert(2, 1, Some("Trutnov")),
            ],
        )
        .await;
        deduplicate(&db).await;
        let district = async || {
            let record = detail(&db, &record_of(&db, "sreality", "0").await).await;
            record.detail.offer.attributes.district
        };
        assert_eq!(district().await, None, "the votes are divided");
        let nowhere = json!({"offerType": "sale", "type": "house", "priceTotal": 2_000_000});
        take_in(&db, &[seen("sreality", "1", 2, &nowhere)]).await;
        deduplicate(&db).await;
        assert_eq!(district().await.as_deref(), Some("Trutnov"));
    })
    .await;
}
