//! Decisions hold whenever they were made and in whatever order the listings arrived.

use std::collections::BTreeSet;

use dedup::addresses::Addresses;
use dedup::clustering::Constraints;
use dedup::engine;
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use dedup::worker::{self, DecisionError, UnseenListing};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use schema::store::{Db, reviews};
use schema::{ListingKey, ListingPair, OfferType, Review, Timestamp, Verdict};
use serde_json::Value;
use support::{long_form, on_each_database, records, sqlite};

use super::engine::listings;
use super::feeding::{
    Records, assert_same, deduplicate, deduplicate_everything, record_of, seen, shuffled, take_in,
};
use super::market;

/// The listings that the lines show.
fn keys(lines: &[String]) -> Vec<ListingKey> {
    let named = |line: &String| {
        let line: Value = serde_json::from_str(line).unwrap();
        Some(ListingKey::new(
            line["siteId"].as_str()?,
            line["offerId"].as_str()?,
        ))
    };
    lines
        .iter()
        .filter_map(named)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// Decisions about random pairs, some of them about a pair with an earlier decision.
fn decisions(lines: &[String], count: usize, seed: u64) -> Vec<Review> {
    let (keys, mut rng) = (keys(lines), StdRng::seed_from_u64(seed));
    let mut decisions: Vec<Review> = Vec::new();
    while decisions.len() < count {
        let (one, other) = (
            keys.choose(&mut rng).unwrap(),
            keys.choose(&mut rng).unwrap(),
        );
        let repeats = rng.random_bool(0.3);
        let pair = decisions
            .choose(&mut rng)
            .filter(|_| repeats)
            .map(|review| review.pair.clone());
        let Some(pair) = pair.or_else(|| ListingPair::new(one.clone(), other.clone())) else {
            continue;
        };
        let verdict = [
            Verdict::Same,
            Verdict::Same,
            Verdict::Different,
            Verdict::Forgotten,
        ];
        let verdict = *verdict.choose(&mut rng).unwrap();
        decisions.push(Review {
            pair,
            verdict,
            reason: None,
            decided_at: Timestamp(0),
        });
    }
    decisions
}

/// Records a decision, unless it contradicts others or withdraws nothing.
async fn decide(db: &Db, review: &Review) {
    match worker::record_decision(db, review, UnseenListing::Accepted).await {
        Ok(()) | Err(DecisionError::Contradicts { .. } | DecisionError::NothingToForget { .. }) => {
        }
        Err(other) => unreachable!("{other}"),
    }
}

async fn at_once(lines: &[String], decisions: &[Review]) -> Records {
    let database = sqlite().await;
    for review in decisions {
        decide(&database.db, review).await;
    }
    take_in(&database.db, lines).await;
    deduplicate_everything(&database.db).await;
    records(&database.db).await
}

/// Takes the lines in shuffled and in random batches, with the decisions in between.
async fn bit_by_bit(db: &Db, lines: &[String], decisions: &[Review], seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let lines = shuffled(lines, seed);
    let (mut lines, mut decisions) = (&*lines, decisions);
    while !lines.is_empty() || !decisions.is_empty() {
        if rng.random_bool(0.5) {
            let (batch, rest) = lines.split_at(rng.random_range(0..=30.min(lines.len())));
            take_in(db, batch).await;
            lines = rest;
        }
        if rng.random_bool(0.5) {
            let (now, later) = decisions.split_at(rng.random_range(0..=4.min(decisions.len())));
            for review in now {
                decide(db, review).await;
            }
            decisions = later;
        }
        if rng.random_bool(0.1) {
            deduplicate_everything(db).await;
        } else {
            deduplicate(db).await;
        }
    }
}

/// Every decision in force holds.
async fn assert_decided(db: &Db, found: &Records) {
    let mut tx = db.begin_read().await.unwrap();
    let in_force = reviews::in_force(&mut tx).await.unwrap();
    tx.rollback().await.unwrap();
    assert!(!in_force.is_empty());
    for review in in_force {
        let together = found
            .keys()
            .any(|keys| keys.contains(&review.pair.left) && keys.contains(&review.pair.right));
        assert_eq!(
            together,
            review.verdict == Verdict::Same,
            "{} are {}",
            review.pair,
            review.verdict
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn decisions_hold_in_any_order_of_listings_and_decisions() {
    let seeds = if long_form() { 8 } else { 3 };
    for seed in 0..seeds {
        let lines = market::lines(50, seed);
        let decisions = decisions(&lines, 16, seed);
        let expected = at_once(&lines, &decisions).await;
        assert_ne!(
            expected,
            at_once(&lines, &[]).await,
            "the decisions change something"
        );
        on_each_database(async |db| {
            bit_by_bit(&db, &lines, &decisions, seed).await;
            let found = records(&db).await;
            assert_same(&found, &expected, &format!("bit by bit, {seed}"));
            assert_decided(&db, &found).await;
            deduplicate_everything(&db).await;
            assert_same(
                &records(&db).await,
                &expected,
                &format!("then everything again, {seed}"),
            );
        })
        .await;
    }
}

fn review(one: (&str, &str), verdict: Verdict, other: (&str, &str)) -> Review {
    let key = |(site, number): (&str, &str)| ListingKey::new(site, number);
    let pair = ListingPair::new(key(one), key(other)).unwrap();
    Review {
        pair,
        verdict,
        reason: Some("seen on the spot".to_owned()),
        decided_at: Timestamp(0),
    }
}

#[tokio::test]
async fn a_third_listing_does_not_join_two_that_a_person_separated() {
    let [one, other, third] = [("sreality", "1"), ("idnes", "2"), ("bezrealitky", "3")];
    on_each_database(async |db| {
        let lines =
            [one, other, third].map(|(site, number)| seen(site, number, 1, &market::flat()));
        take_in(&db, &lines).await;
        deduplicate(&db).await;
        assert_eq!(records(&db).await.len(), 1);
        worker::record_decision(
            &db,
            &review(one, Verdict::Different, other),
            UnseenListing::Refused,
        )
        .await
        .unwrap();
        deduplicate(&db).await;
        assert_ne!(
            record_of(&db, one.0, one.1).await,
            record_of(&db, other.0, other.1).await
        );
        assert_eq!(
            records(&db).await.len(),
            2,
            "the third is in one of the two"
        );
        worker::record_decision(
            &db,
            &review(one, Verdict::Forgotten, other),
            UnseenListing::Refused,
        )
        .await
        .unwrap();
        deduplicate(&db).await;
        assert_eq!(records(&db).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_decision_about_an_unknown_listing_is_refused_unless_it_is_expected() {
    let (here, typing_error) = (("sreality", "1"), ("sreality", "11"));
    on_each_database(async |db| {
        take_in(&db, &[seen(here.0, here.1, 1, &market::flat())]).await;
        let decision = review(here, Verdict::Same, typing_error);
        let refused = worker::record_decision(&db, &decision, UnseenListing::Refused)
            .await
            .unwrap_err();
        assert!(
            matches!(refused, DecisionError::Unknown { .. }),
            "{refused}"
        );
        assert_eq!(reviews::log(&db).await.unwrap(), []);
        worker::record_decision(&db, &decision, UnseenListing::Accepted)
            .await
            .unwrap();
        take_in(
            &db,
            &[seen(
                typing_error.0,
                typing_error.1,
                1,
                &market::other_flat(),
            )],
        )
        .await;
        deduplicate(&db).await;
        assert_eq!(records(&db).await.len(), 1);
    })
    .await;
}

#[test]
fn sale_and_rent_are_never_one_record_even_by_decision() {
    let mut profiles: Vec<Profile> = listings(30, 5)
        .iter()
        .map(|listing| Profile::from_listing(listing, &Addresses::default()))
        .collect();
    profiles[3].offer_type = Some(OfferType::Rent);
    let mut constraints = Constraints::default();
    for other in [0, 9, 17] {
        constraints.add(3, other, Verdict::Same);
    }
    let clusters =
        engine::partition(&WeightTable::default(), &mut profiles.clone(), &constraints).clusters;
    assert!(clusters.contains(&vec![3]), "{clusters:?}");
}
