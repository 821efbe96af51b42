//! How sure each record is: its weakest tie and its strongest rival.

use std::collections::{BTreeMap, BTreeSet};

use dedup::addresses::Addresses;
use dedup::clustering::Constraints;
use dedup::engine::{self, Certainty};
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use dedup::worker::{self, CertainListings};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use schema::store::Db;
use schema::{ListingId, ListingKey, ListingPair, Review, Timestamp, Verdict};
use support::on_each_database;

use super::engine::profiles;
use super::feeding::{deduplicate, listings_of, stored, take_in};
use super::market;

fn certainty(profiles: &mut [Profile]) -> Certainty {
    engine::certainty(&WeightTable::default(), profiles, &Constraints::default())
}

/// The weights of the weakest tie and of the strongest rival.
type Weights = (Option<f32>, Option<f32>);

/// The weights of every record, by its listings.
fn by_record(
    profiles: &[Profile],
    certainty: &Certainty,
) -> BTreeMap<BTreeSet<ListingKey>, Weights> {
    let rivals = certainty.rivals_by_cluster();
    let records = certainty.clusters.iter().enumerate();
    records
        .map(|(number, members)| {
            let keys = members
                .iter()
                .map(|member| profiles[*member as usize].key.clone());
            let tie = certainty.weakest_tie(number).map(|tie| tie.weight);
            (
                keys.collect(),
                (tie, rivals[number].first().map(|rival| rival.weight)),
            )
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn certainty_does_not_depend_on_the_order_of_listings(market in 0u64..1000, order in any::<u64>()) {
        let mut profiles = profiles(60, market);
        let found = certainty(&mut profiles);
        let mut moved = profiles.clone();
        moved.shuffle(&mut StdRng::seed_from_u64(order));
        for (id, profile) in (1..).zip(&mut moved) {
            profile.id = ListingId(id);
        }
        let again = certainty(&mut moved);
        prop_assert_eq!(by_record(&moved, &again), by_record(&profiles, &found));
    }

    #[test]
    fn ties_hold_every_record_together_and_each_pair_once(market in 0u64..1000) {
        let mut profiles = profiles(60, market);
        let found = certainty(&mut profiles);
        let partition = engine::partition(&WeightTable::default(), &mut profiles, &Constraints::default());
        prop_assert_eq!(&found.clusters, &partition.clusters);
        for (number, members) in found.clusters.iter().enumerate() {
            let pairs: usize = found.parts(number).iter().map(|(one, other, _)| one.len() * other.len()).sum();
            prop_assert_eq!(pairs, members.len() * (members.len() - 1) / 2);
            prop_assert!(found.ties[number].iter().all(|tie| tie.weight >= 0.0));
        }
        for rivals in &found.rivals {
            prop_assert!(rivals.clusters.0 != rivals.clusters.1);
            prop_assert!(found.clusters[rivals.clusters.0].contains(&rivals.left));
            prop_assert!(found.clusters[rivals.clusters.1].contains(&rivals.right));
        }
    }
}

/// Every stored record with its weights, rounded as explanations show them.
async fn stored_weights(db: &Db) -> BTreeMap<BTreeSet<ListingKey>, (Option<f64>, Option<f64>)> {
    let mut records: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for listing in stored(db).await {
        let record = listing.offer_id.clone().map(|id| id.to_string());
        records
            .entry(record)
            .or_default()
            .push((listing.id, listing.key));
    }
    let mut found = BTreeMap::new();
    let mut tx = db.begin_read().await.unwrap();
    for members in records.into_values() {
        let ids: Vec<ListingId> = members.iter().map(|(id, _)| *id).collect();
        let sure = worker::record_certainty(&mut tx, &Addresses::default(), &ids)
            .await
            .unwrap()
            .expect("a record that is current");
        let tie = sure.weakest_tie.and_then(|tie| tie.weight);
        let rival = sure.strongest_rival.and_then(|rival| rival.pair.weight);
        found.insert(
            members.into_iter().map(|(_, key)| key).collect(),
            (tie, rival),
        );
    }
    tx.rollback().await.unwrap();
    found
}

#[tokio::test]
async fn a_stored_record_is_as_sure_as_in_memory() {
    on_each_database(async |db| {
        take_in(&db, &market::lines(80, 5)).await;
        deduplicate(&db).await;
        let CertainListings {
            profiles,
            certainty,
        } = worker::certainty_of_everything(listings_of(&db))
            .await
            .unwrap();
        let rounded = |weight: f32| (f64::from(weight) * 100.0).round() / 100.0;
        let expected: BTreeMap<_, _> = by_record(&profiles, &certainty)
            .into_iter()
            .map(|(keys, (tie, rival))| (keys, (tie.map(rounded), rival.map(rounded))))
            .collect();
        assert!(
            expected
                .values()
                .any(|(tie, rival)| tie.is_some() && rival.is_some())
        );
        assert_eq!(stored_weights(&db).await, expected);
    })
    .await;
}

/// The questions of a queue: the two adverts and how certain the answer is.
fn asked(queue: &worker::ReviewQueue) -> Vec<(ListingKey, ListingKey, i64)> {
    let key = |member: u32| queue.adverts[member as usize].key.clone();
    let questions = queue.questions.iter().map(|one| {
        let (left, right) = (key(one.left), key(one.right));
        let hundredths = (one.probability * 100.0).round() as i64;
        (left.clone().min(right.clone()), left.max(right), hundredths)
    });
    let mut questions: Vec<_> = questions.collect();
    questions.sort_unstable();
    questions
}

#[tokio::test]
async fn questions_about_some_listings_are_those_of_the_whole_queue() {
    on_each_database(async |db| {
        take_in(&db, &market::lines(80, 5)).await;
        deduplicate(&db).await;
        let whole = asked(&worker::review_queue(listings_of(&db)).await.unwrap());
        let newest = schema::store::listings::newest(&db, 10_000).await.unwrap();
        assert!(newest.is_sorted_by(|one, other| one > other));
        let about_all = worker::questions_about(listings_of(&db), &newest, usize::MAX)
            .await
            .unwrap();
        assert_eq!(asked(&about_all), whole);
        let about_some =
            worker::questions_about(listings_of(&db), &newest[..newest.len() / 4], usize::MAX)
                .await
                .unwrap();
        let about_some = asked(&about_some);
        assert!(about_some.iter().all(|one| whole.contains(one)));
        assert!(!about_some.is_empty() && about_some.len() < whole.len());
        // A question takes a pair.
        let without_pairs = worker::questions_about(listings_of(&db), &newest, 0)
            .await
            .unwrap();
        assert_eq!(asked(&without_pairs), []);
        let about_few = worker::questions_about(listings_of(&db), &newest, 40)
            .await
            .unwrap();
        let about_few = asked(&about_few);
        assert!(about_few.iter().all(|one| whole.contains(one)));
        assert!(about_few.len() < whole.len());
    })
    .await;
}

#[test]
fn a_person_who_joins_two_makes_their_tie_certain_and_who_separates_them_ends_a_rivalry() {
    let mut profiles = profiles(60, 5);
    let found = certainty(&mut profiles);
    let rivals = found.rivals[0];
    let pair = ListingPair::new(
        profiles[rivals.left as usize].key.clone(),
        profiles[rivals.right as usize].key.clone(),
    );
    let decided = |profiles: &mut [Profile], verdict| {
        let review = Review {
            pair: pair.clone().unwrap(),
            verdict,
            reason: None,
            decided_at: Timestamp(0),
        };
        let constraints =
            Constraints::from_reviews(&[review], profiles.iter().map(|profile| &profile.key));
        engine::certainty(&WeightTable::default(), profiles, &constraints)
    };
    let same = decided(&mut profiles, Verdict::Same);
    let ties = same.ties.iter().flatten();
    assert_eq!(ties.filter(|tie| tie.weight.is_infinite()).count(), 1);
    let different = decided(&mut profiles, Verdict::Different);
    let cluster = |member: u32| {
        let clusters = different.clusters.iter();
        clusters
            .clone()
            .position(|cluster| cluster.contains(&member))
    };
    let (left, right) = (cluster(rivals.left), cluster(rivals.right));
    assert!(!different.rivals.iter().any(|found| {
        let (one, other) = found.clusters;
        [Some(one), Some(other)] == [left, right] || [Some(other), Some(one)] == [left, right]
    }));
}
