//! Observations are a set.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use schema::store::observations::{self, Sighting};
use schema::store::raw_listings::RawId;
use schema::store::{Db, Tx};
use schema::{ListingId, Timestamp};

use crate::samples::{a_raw, day, insert_raw, key, stored};

#[tokio::test]
async fn an_observation_is_new_once() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let raw = insert_raw(&mut tx, listing, &a_raw("a")).await.unwrap().0;
        for raw in [Some(raw), None] {
            assert!(
                observations::record(&mut tx, listing, day(1), raw)
                    .await
                    .unwrap()
            );
            assert!(
                !observations::record(&mut tx, listing, day(1), raw)
                    .await
                    .unwrap()
            );
        }
        let seen = Sighting {
            at: day(1),
            raw: Some(raw),
        };
        let gone = Sighting {
            at: day(1),
            raw: None,
        };
        assert_eq!(
            observations::of_listing(&mut tx, listing).await.unwrap(),
            [seen, gone]
        );
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn many_at_once_tell_the_new_from_the_known() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let raw = insert_raw(&mut tx, listing, &a_raw("a")).await.unwrap().0;
        observations::record(&mut tx, listing, day(1), Some(raw))
            .await
            .unwrap();
        let seen = |at| (listing, Sighting { at, raw: Some(raw) });
        let gone = |at| (listing, Sighting { at, raw: None });
        let observed = [seen(day(1)), gone(day(2)), seen(day(3)), gone(day(2))];
        let new = observations::record_all(&mut tx, &observed).await.unwrap();
        assert_eq!(new, [false, true, true, false]);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_latest_end_is_found() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let (ended, live) = (stored(&mut tx, "1").await, stored(&mut tx, "2").await);
        for at in [day(3), day(7), day(5)] {
            observations::record(&mut tx, ended, at, None)
                .await
                .unwrap();
        }
        let latest = observations::latest_disappearances(&mut tx, &[live, ended])
            .await
            .unwrap();
        assert_eq!(latest.into_iter().collect::<Vec<_>>(), [(ended, day(7))]);
        tx.commit().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_end_before_the_first_sight_is_remembered_by_its_key() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        for (at, new) in [(day(7), true), (day(3), true), (day(7), false)] {
            assert_eq!(
                observations::record_early_disappearance(&mut tx, &key("1"), at)
                    .await
                    .unwrap(),
                new
            );
        }
        let early = observations::early_disappearances(&mut tx, &[key("1"), key("2")])
            .await
            .unwrap();
        assert_eq!(early.len(), 1);
        assert_eq!(early[&key("1")], [day(3), day(7)]);
        tx.commit().await.unwrap();
    })
    .await;
}

/// What was observed: at which of a few instants, and which of a few contents; `None` is "gone".
type Observed = (i64, Option<u8>);

/// The observations of a listing with contents instead of rows, after recording them in this order.
async fn recorded(
    tx: &mut Tx,
    listing: ListingId,
    order: &[Observed],
) -> Vec<(Timestamp, Option<u8>)> {
    let mut contents: BTreeMap<RawId, u8> = BTreeMap::new();
    for (at, content) in order {
        let raw = match content {
            Some(content) => {
                let raw = a_raw(&content.to_string());
                let (id, _) = insert_raw(tx, listing, &raw).await.unwrap();
                contents.insert(id, *content);
                Some(id)
            }
            None => None,
        };
        observations::record(tx, listing, day(*at), raw)
            .await
            .unwrap();
    }
    let sightings = observations::of_listing(tx, listing).await.unwrap();
    sightings
        .into_iter()
        .map(|sighting| (sighting.at, sighting.raw.map(|raw| contents[&raw])))
        .collect()
}

async fn both_orders(
    db: &Db,
    one: &[Observed],
    other: &[Observed],
) -> [Vec<(Timestamp, Option<u8>)>; 2] {
    let mut tx = db.begin().await.unwrap();
    let (left, right) = (
        stored(&mut tx, "left").await,
        stored(&mut tx, "right").await,
    );
    let read = [
        recorded(&mut tx, left, one).await,
        recorded(&mut tx, right, other).await,
    ];
    tx.rollback().await.unwrap();
    read
}

#[test]
fn the_order_of_recording_leaves_no_trace() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let observed = prop::collection::vec((0_i64..4, prop::option::weighted(0.7, 0_u8..4)), 0..12);
    let orders = observed.prop_flat_map(|order| (Just(order.clone()), Just(order).prop_shuffle()));
    for database in runtime.block_on(support::databases()) {
        let config = Config {
            cases: 64,
            failure_persistence: None,
            ..Config::default()
        };
        let checked = TestRunner::new(config).run(&orders, |(one, other)| {
            let [one, other] = runtime.block_on(both_orders(&database.db, &one, &other));
            prop_assert!(one.is_sorted_by_key(|(at, content)| (*at, content.is_none())));
            prop_assert_eq!(one, other);
            Ok(())
        });
        assert!(checked.is_ok(), "{}: {checked:?}", database.name);
        runtime.block_on(database.db.close());
    }
}
