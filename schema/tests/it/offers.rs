//! Storing and retiring records.

use futures::TryStreamExt;
use schema::store::offers::{self, AddressRow, OfferRow};
use schema::store::{Db, StoreError, Tx};
use schema::{Attributes, Location};

use crate::samples::{an_offer, day, offer_id};

async fn save(tx: &mut Tx, offer: &OfferRow) -> i64 {
    let change = offers::next_change(tx, 1).await.unwrap();
    offers::save(tx, offer, change).await.unwrap();
    change
}

async fn saved(db: &Db, ids: &[&str]) {
    let mut tx = db.begin().await.unwrap();
    for id in ids {
        save(&mut tx, &an_offer(id)).await;
    }
    tx.commit().await.unwrap();
}

async fn retire(db: &Db, retired: &str, into: &str) -> i64 {
    let mut tx = db.begin().await.unwrap();
    let change = offers::next_change(&mut tx, 1).await.unwrap();
    offers::retire(&mut tx, &offer_id(retired), &offer_id(into), change)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    change
}

async fn retired_since(db: &Db, change: i64) -> Vec<(i64, i64)> {
    let mut tx = db.begin_replica().await.unwrap();
    let retired = offers::retired_in(&mut tx, change, 10).await.unwrap();
    tx.rollback().await.unwrap();
    retired
}

#[tokio::test]
async fn every_column_comes_back() {
    support::on_each_database(async |db| {
        let mut gone = an_offer("gone");
        gone.offer.is_live = false;
        gone.expired_at = Some(day(19));
        let mut bare = an_offer("bare");
        bare.offer.attributes = Attributes::default();
        bare.municipality = None;
        let mut tx = db.begin().await.unwrap();
        let stored = [an_offer("full"), gone, bare];
        for offer in &stored {
            save(&mut tx, offer).await;
        }
        tx.commit().await.unwrap();
        let rows = offers::changes_between(&db, (0, i64::MAX), 10)
            .await
            .unwrap();
        assert_eq!(rows.len(), 3);
        for ((row, offer), change) in rows.iter().zip(&stored).zip(1..) {
            let facts = &offer.offer.attributes;
            assert_eq!(
                (row.change, row.id.as_str()),
                (change, offer.offer.id.as_str())
            );
            assert_eq!(
                (row.last_changed_at, row.is_live),
                (day(20), offer.offer.is_live)
            );
            assert_eq!(
                (row.expired_at, row.location),
                (offer.expired_at, facts.location)
            );
            assert_eq!(
                (&row.district, &row.neighborhood),
                (&facts.district, &facts.neighborhood)
            );
            assert_eq!(
                (row.price_total, row.living_area),
                (facts.price_total, facts.living_area)
            );
            assert_eq!(
                (row.land_area, row.floor, row.floor_count),
                (facts.land_area, facts.floor, facts.floor_count)
            );
        }
    })
    .await;
}

/// Numbers with 17 digits, between a millionth and a thousand billion: what a bounded value can be. The same in each run.
fn numbers() -> impl Iterator<Item = f64> {
    let plain = [0.0, 0.1, 50.080_123_456_789_12, -0.5, 3_999_999.99, 1e15];
    let any = (1u64..).map(|step| {
        let random = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let exponent = 1003 + random % 60;
        f64::from_bits(random >> 63 << 63 | exponent << 52 | random >> 12)
    });
    plain.into_iter().chain(any)
}

#[tokio::test]
async fn every_plausible_number_and_every_name_comes_back_as_it_was() {
    support::on_each_database(async |db| {
        let names = [
            "",
            "-",
            "\\-",
            "a\u{1f}b\u{1e}",
            "\\u\\r\\\\",
            "Ústí nad Labem",
        ];
        let mut numbers = numbers();
        let stored: Vec<OfferRow> = (0..4_000)
            .map(|place: usize| {
                let mut one = an_offer(&format!("offer-{place}"));
                let facts = &mut one.offer.attributes;
                facts.district = Some(names[place % names.len()].to_owned());
                facts.neighborhood = Some(names[place / names.len() % names.len()].to_owned());
                facts.price_total = numbers.next();
                facts.living_area = numbers.next();
                facts.land_area = numbers.next();
                facts.location = numbers
                    .next()
                    .zip(numbers.next())
                    .map(|(lat, lng)| Location { lat, lng });
                one
            })
            .collect();
        let mut tx = db.begin().await.unwrap();
        let numbered: Vec<(&OfferRow, i64)> = stored.iter().zip(1..).collect();
        offers::next_change(&mut tx, 4_000).await.unwrap();
        offers::save_all(&mut tx, &numbered).await.unwrap();
        tx.commit().await.unwrap();
        let rows = offers::changes_between(&db, (0, i64::MAX), 5_000)
            .await
            .unwrap();
        assert_eq!(rows.len(), stored.len());
        for (row, one) in rows.iter().zip(&stored) {
            let facts = &one.offer.attributes;
            assert_eq!(
                (&row.district, &row.neighborhood, row.location),
                (&facts.district, &facts.neighborhood, facts.location)
            );
            assert_eq!(
                (row.price_total, row.living_area, row.land_area),
                (facts.price_total, facts.living_area, facts.land_area)
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_saved_record_keeps_its_row() {
    support::on_each_database(async |db| {
        saved(&db, &["a", "b"]).await;
        let before = offers::changes_between(&db, (0, i64::MAX), 10)
            .await
            .unwrap();
        saved(&db, &["a"]).await;
        let after = offers::changes_between(&db, (2, i64::MAX), 10)
            .await
            .unwrap();
        assert_eq!(after.len(), 1);
        assert_eq!((after[0].row, after[0].change), (before[0].row, 3));
        let counts = offers::count(&db).await.unwrap();
        assert_eq!((counts.offers, counts.live), (2, 2));
    })
    .await;
}

#[tokio::test]
async fn a_number_stands_for_one_change() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let change = save(&mut tx, &an_offer("a")).await;
        assert!(offers::save(&mut tx, &an_offer("b"), change).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_record_may_be_in_a_batch_once() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let offer = an_offer("a");
        let twice = offers::save_all(&mut tx, &[(&offer, 1), (&offer, 2)]).await;
        assert!(matches!(twice, Err(StoreError::Unstorable { .. })));
    })
    .await;
}

#[tokio::test]
async fn headers_and_municipality_find_live_ids_only() {
    support::on_each_database(async |db| {
        saved(&db, &["c", "a", "b"]).await;
        retire(&db, "b", "a").await;
        let mut tx = db.begin().await.unwrap();
        let ids = ["b", "c", "a", "unknown"].map(offer_id);
        let headers = offers::headers(&mut tx, &ids).await.unwrap();
        let names: Vec<&str> = headers.iter().map(|header| header.id.as_str()).collect();
        assert_eq!(names, ["a", "c"]);
        assert_eq!(
            (headers[0].issued_at, headers[0].first_seen_at),
            (day(11), day(10))
        );
        let near = offers::in_municipality(&mut tx, "cesky krumlov")
            .await
            .unwrap();
        assert_eq!(near, ["a", "c"].map(offer_id));
        assert_eq!(
            offers::in_municipality(&mut tx, "Český Krumlov")
                .await
                .unwrap(),
            []
        );
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_retired_id_answers_with_the_survivor() {
    support::on_each_database(async |db| {
        saved(&db, &["a", "b"]).await;
        let retired_row = offers::changes_between(&db, (0, i64::MAX), 10)
            .await
            .unwrap()[1]
            .row;
        let change = retire(&db, "b", "a").await;
        assert_eq!(
            offers::resolve(&db, &offer_id("b")).await.unwrap(),
            Some(offer_id("a"))
        );
        assert_eq!(
            offers::resolve(&db, &offer_id("a")).await.unwrap(),
            Some(offer_id("a"))
        );
        assert_eq!(offers::resolve(&db, &offer_id("c")).await.unwrap(), None);
        assert_eq!(retired_since(&db, 0).await, [(change, retired_row)]);
        assert_eq!(retired_since(&db, change).await, []);
        assert_eq!(offers::documents(&db, &[retired_row]).await.unwrap(), []);
        assert_eq!(offers::count(&db).await.unwrap().offers, 1);
    })
    .await;
}

#[tokio::test]
async fn aliases_follow_a_survivor_that_is_retired_itself() {
    support::on_each_database(async |db| {
        saved(&db, &["a", "b", "c", "d"]).await;
        retire(&db, "d", "c").await;
        retire(&db, "c", "b").await;
        retire(&db, "b", "a").await;
        for id in ["a", "b", "c", "d"] {
            assert_eq!(
                offers::resolve(&db, &offer_id(id)).await.unwrap(),
                Some(offer_id("a")),
                "{id}"
            );
        }
        assert_eq!(retired_since(&db, 0).await.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_retired_id_can_come_back_and_go_again() {
    support::on_each_database(async |db| {
        saved(&db, &["a", "b", "c"]).await;
        retire(&db, "b", "a").await;
        saved(&db, &["b"]).await;
        assert_eq!(
            offers::resolve(&db, &offer_id("b")).await.unwrap(),
            Some(offer_id("b"))
        );
        retire(&db, "b", "c").await;
        assert_eq!(
            offers::resolve(&db, &offer_id("b")).await.unwrap(),
            Some(offer_id("c"))
        );
        let rows = offers::changes_between(&db, (0, i64::MAX), 10)
            .await
            .unwrap();
        assert_eq!(rows.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_row_number_is_never_given_twice() {
    support::on_each_database(async |db| {
        saved(&db, &["a", "b"]).await;
        let last = offers::changes_between(&db, (0, i64::MAX), 10)
            .await
            .unwrap()[1]
            .row;
        retire(&db, "b", "a").await;
        saved(&db, &["c"]).await;
        let fresh = offers::changes_between(&db, (3, i64::MAX), 10)
            .await
            .unwrap();
        assert_eq!(fresh.len(), 1);
        assert!(fresh[0].row > last);
    })
    .await;
}

#[tokio::test]
async fn nothing_is_retired_into_nothing() {
    support::on_each_database(async |db| {
        saved(&db, &["a"]).await;
        let mut tx = db.begin().await.unwrap();
        let unknown = offers::retire(&mut tx, &offer_id("x"), &offer_id("a"), 9).await;
        assert!(matches!(unknown, Err(StoreError::NoOffer { id }) if id == "x"));
        let itself = offers::retire(&mut tx, &offer_id("a"), &offer_id("a"), 9).await;
        assert!(matches!(itself, Err(StoreError::RetiredIntoItself { id }) if id == "a"));
        offers::retire(&mut tx, &offer_id("a"), &offer_id("x"), 9)
            .await
            .unwrap();
        assert!(
            tx.commit().await.is_err(),
            "the survivor has to be there in the end"
        );
        assert_eq!(
            offers::resolve(&db, &offer_id("a")).await.unwrap(),
            Some(offer_id("a"))
        );
    })
    .await;
}

#[tokio::test]
async fn addresses_are_grouped_by_their_texts() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for (id, lat) in [("a", Some(50.0)), ("b", Some(50.5)), ("c", None)] {
            let mut offer = an_offer(id);
            offer.offer.attributes.location = lat.map(|lat| Location { lat, lng: 14.25 });
            save(&mut tx, &offer).await;
        }
        let mut bare = an_offer("d");
        bare.offer.attributes = Attributes {
            city: Some("Praha".to_owned()),
            ..Attributes::default()
        };
        save(&mut tx, &bare).await;
        tx.commit().await.unwrap();
        let all = offers::municipalities(&db).await.unwrap();
        let krumlov = Some("cesky krumlov".to_owned());
        assert_eq!(all, std::slice::from_ref(&krumlov));
        let mut nowhere = an_offer("e");
        nowhere.municipality = None;
        let mut tx = db.begin().await.unwrap();
        save(&mut tx, &nowhere).await;
        tx.commit().await.unwrap();
        assert_eq!(offers::municipalities(&db).await.unwrap(), [None, krumlov]);
        let rows: Vec<AddressRow> = offers::addresses(&db, &[None]).try_collect().await.unwrap();
        assert_eq!((rows.len(), rows[0].count), (1, 1));
        let rows: Vec<AddressRow> = offers::addresses(&db, &all).try_collect().await.unwrap();
        assert_eq!(rows.len(), 2);
        let (praha, krumlov) = (&rows[0], &rows[1]);
        assert_eq!(
            (praha.city.as_deref(), praha.street.as_deref()),
            (Some("Praha"), None)
        );
        assert_eq!((praha.lat, praha.lng, praha.count), (None, None, 1));
        assert_eq!(krumlov.street.as_deref(), Some("Za Nádražím"));
        assert_eq!(
            (krumlov.lat, krumlov.lng, krumlov.count),
            (Some(50.25), Some(14.25), 3)
        );
    })
    .await;
}
