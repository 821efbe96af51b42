//! A brief form of an advert, such as a list item, takes nothing away from what its full form said.

use schema::{Attributes, Evidence, ListingKey, ListingState};
use serde_json::{Value, json};
use support::on_each_database;

use super::{hour, replay_lines, states};

fn line(at: i64, payload: &Value) -> String {
    json!({"siteId": "sreality", "offerId": "7", "observedAt": hour(at).to_string(), "payload": payload})
        .to_string()
}

fn detail() -> Value {
    json!({
        "hash_id": 7, "advert_name": "Prodej bytu 2+kk 50 m²", "advert_description": "Byt s výhledem.",
        "category_main_cb": {"value": 1, "name": ""}, "category_type_cb": {"value": 1, "name": ""},
        "price_summary_czk": 5_000_000, "price_czk": 5_000_000, "usable_area": 46, "floor_number": 3,
        "locality": {
            "city": "Olomouc", "street": "Polní", "zip": 77900,
            "gps_lat": 49.59, "gps_lon": 17.25, "inaccuracy_type": "gps",
        },
    })
}

fn item(price: u64, city: &str) -> Value {
    json!({
        "hash_id": 7, "advert_name": "Prodej bytu 2+kk 50 m²",
        "category_main_cb": {"value": 1, "name": ""}, "category_type_cb": {"value": 1, "name": ""},
        "price_summary_czk": price, "price_czk": price,
        "locality": {"city": city, "gps_lat": 49.6, "gps_lon": 17.26},
    })
}

async fn state(db: &schema::store::Db) -> ListingState {
    let key = ListingKey::new("sreality", "7");
    states(db).await.remove(&key).unwrap()
}

#[tokio::test]
async fn a_list_item_changes_what_it_states_and_keeps_the_rest() {
    on_each_database(async |db| {
        replay_lines(&db, &[line(1, &detail())]).await;
        let full = state(&db).await;
        replay_lines(&db, &[line(2, &item(5_000_000, "Olomouc"))]).await;
        let same = state(&db).await;
        assert_eq!(same.listing, full.listing);
        assert_eq!(
            (same.last_seen_at, same.last_changed_at),
            (hour(2), full.last_changed_at)
        );
        replay_lines(&db, &[line(3, &item(4_800_000, "Olomouc"))]).await;
        let cheaper = state(&db).await;
        let expected = Attributes {
            price_total: Some(4_800_000.0),
            ..full.listing.attributes.clone()
        };
        assert_eq!(cheaper.listing.attributes, expected);
        assert_eq!(cheaper.prices.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_list_item_that_names_another_place_takes_the_old_place_away() {
    on_each_database(async |db| {
        replay_lines(
            &db,
            &[line(1, &detail()), line(2, &item(5_000_000, "Brno"))],
        )
        .await;
        let listing = state(&db).await.listing;
        let Attributes {
            city,
            street,
            postal_code,
            description,
            living_area,
            ..
        } = listing.attributes;
        assert_eq!(
            (city.as_deref(), street, postal_code),
            (Some("Brno"), None, None)
        );
        assert_eq!(
            (description.as_deref(), living_area),
            (Some("Byt s výhledem."), Some(46.0))
        );
        assert_eq!(listing.evidence, Evidence::default());
    })
    .await;
}

#[tokio::test]
async fn the_order_of_arrival_does_not_matter() {
    on_each_database(async |db| {
        let lines = [
            line(1, &item(5_100_000, "Olomouc")),
            line(2, &detail()),
            line(3, &item(4_800_000, "Olomouc")),
        ];
        for number in [2, 0, 1] {
            replay_lines(&db, &lines[number..=number]).await;
        }
        let late = state(&db).await;
        let fresh = support::sqlite().await;
        replay_lines(&fresh.db, &lines).await;
        assert_eq!(late, state(&fresh.db).await);
        assert_eq!(late.listing.attributes.living_area, Some(46.0));
    })
    .await;
}
