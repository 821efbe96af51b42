//! An operator's own weights are used in every way of running, and can be taken back.

use std::collections::BTreeSet;

use dedup::clustering::Constraints;
use dedup::engine;
use dedup::index::Index;
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use dedup::worker;
use schema::ListingKey;
use schema::store::Db;
use support::{on_each_database, records};

use super::feeding::{assert_same, deduplicate, deduplicate_everything, listings_of, take_in};
use super::market;

/// Weights with which flats of one layout and street are one property sooner.
fn generous() -> WeightTable {
    let mut table = WeightTable::default();
    for (comparison, level) in [
        ("size", "different"),
        ("size", "within 20 %"),
        ("price", "different prices"),
    ] {
        table.set(comparison, level, 0.5).unwrap();
    }
    table
}

async fn apply(db: &Db, table: &WeightTable) {
    let mut tx = db.begin().await.unwrap();
    worker::apply_weights(&mut tx, table).await.unwrap();
    tx.commit().await.unwrap();
}

async fn partition(db: &Db) -> BTreeSet<BTreeSet<ListingKey>> {
    records(db).await.into_keys().collect()
}

fn named<'a>(
    profiles: &[Profile],
    clusters: impl Iterator<Item = &'a [u32]>,
) -> BTreeSet<BTreeSet<ListingKey>> {
    let name = |member: &u32| profiles[*member as usize].key.clone();
    clusters
        .map(|cluster| cluster.iter().map(name).collect())
        .collect()
}

#[tokio::test]
async fn own_weights_match_all_listings_again_and_can_be_taken_back() {
    on_each_database(async |db| {
        take_in(&db, &market::lines(60, 5)).await;
        deduplicate(&db).await;
        let before = records(&db).await;
        apply(&db, &generous()).await;
        assert!(!worker::is_current(listings_of(&db)).await.unwrap());
        let report = deduplicate(&db).await;
        assert_eq!(report.listings, 60, "every listing is matched again");
        let with_own = records(&db).await;
        assert!(
            with_own.len() < before.len(),
            "the weights make a difference"
        );
        assert_eq!(deduplicate(&db).await.listings, 0);
        deduplicate_everything(&db).await;
        assert_same(&records(&db).await, &with_own, "a full run");
        apply(&db, &WeightTable::default()).await;
        deduplicate(&db).await;
        let keys: BTreeSet<_> = before.into_keys().collect();
        assert_eq!(partition(&db).await, keys);
    })
    .await;
}

#[tokio::test]
async fn the_database_and_both_ways_in_memory_use_the_same_weights() {
    on_each_database(async |db| {
        take_in(&db, &market::lines(60, 5)).await;
        apply(&db, &generous()).await;
        deduplicate(&db).await;
        let everything = worker::load_everything(listings_of(&db)).await.unwrap();
        assert_eq!(everything.table, generous());
        let mut profiles = everything.profiles;
        let index = Index::build(generous(), profiles.clone(), &[]);
        let at_once = engine::partition(&generous(), &mut profiles, &Constraints::default());
        let expected = named(&profiles, at_once.clusters.iter().map(Vec::as_slice));
        assert_eq!(partition(&db).await, expected);
        let of_index = index.clusters().map(|cluster| {
            let key = |member: &u32| index.profile(*member).unwrap().key.clone();
            cluster.iter().map(key).collect::<BTreeSet<_>>()
        });
        assert_eq!(of_index.collect::<BTreeSet<_>>(), expected);
    })
    .await;
}

#[test]
fn a_level_that_does_not_exist_is_refused() {
    let error = WeightTable::default()
        .set("size", "enormous", 1.0)
        .unwrap_err();
    assert!(error.to_string().contains("\"enormous\""), "{error}");
    assert_eq!(WeightTable::default().version(), 0);
    assert_ne!(generous().version(), 0);
}
