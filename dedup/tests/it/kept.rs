//! Processes that keep matching in memory give the records, pairs and keys of the other ways of running, in whatever order
//! they and others run.

use std::collections::BTreeSet;

use dedup::weight_table::WeightTable;
use dedup::worker::{self, KeptIndex};
use ingest::intake::{self, PurgeTarget};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::{Db, blocking_keys, matches};
use schema::{ListingId, ListingKey, ListingPair, Review, Verdict};
use support::{long_form, on_each_database, records, sqlite};

use super::feeding::{
    NOW, Records, assert_same, deduplicate, deduplicate_everything, gone, listings_of, record_of,
    rng, seen, shuffled, stored, take_in,
};
use super::market;

/// Two processes, each with an index.
#[derive(Default)]
struct Processes {
    kept: [Option<KeptIndex>; 2],
    /// How many runs matched in memory to their end.
    in_memory: usize,
}

impl Processes {
    /// One of the processes deduplicates.
    async fn deduplicate(&mut self, db: &Db, number: usize) {
        if self.kept[number].is_none() {
            self.kept[number] = Some(KeptIndex::load(listings_of(db)).await.unwrap());
        }
        self.run(db, number).await;
        self.in_memory += usize::from(self.kept[number].is_some());
    }

    /// One of the processes deduplicates with the index that it has, if any.
    async fn run(&mut self, db: &Db, number: usize) {
        let kept = &mut self.kept[number];
        worker::run_with(listings_of(db), kept, NOW, &mut rng())
            .await
            .unwrap();
    }

    /// Any process, with or without an index, deduplicates.
    async fn somehow(&mut self, db: &Db, random: &mut StdRng) {
        match random.random_range(0..12) {
            0 => drop(deduplicate_everything(db).await),
            1 | 2 => drop(deduplicate(db).await),
            3 => self.kept[0] = Some(KeptIndex::load(listings_of(db)).await.unwrap()),
            number => self.deduplicate(db, number % 2).await,
        }
    }
}

/// A stored pair by its listings, the smaller first: its weight, and whether it is vetoed.
type Pair = (ListingKey, ListingKey, String, bool);

/// Everything that deduplication stores.
#[derive(PartialEq)]
struct Stored {
    records: Records,
    pairs: BTreeSet<Pair>,
    keys: BTreeSet<(ListingKey, i64)>,
}

impl Stored {
    async fn load(db: &Db) -> Self {
        let listings = stored(db).await;
        let ids: Vec<ListingId> = listings.iter().map(|listing| listing.id).collect();
        let key_of = |id: ListingId| {
            let found = listings.iter().find(|listing| listing.id == id);
            found.unwrap().key.clone()
        };
        let mut tx = db.begin_read().await.unwrap();
        let pairs = matches::all(&mut tx).await.unwrap();
        let keys = blocking_keys::of_listings(&mut tx, &ids).await.unwrap();
        tx.rollback().await.unwrap();
        let pair = |found: &schema::StoredMatch| {
            let (one, other) = (key_of(found.left), key_of(found.right));
            let (one, other) = if one < other {
                (one, other)
            } else {
                (other, one)
            };
            (one, other, format!("{:.4}", found.weight), found.vetoed)
        };
        Self {
            records: records(db).await,
            pairs: pairs.iter().map(pair).collect(),
            keys: keys
                .into_iter()
                .map(|(id, key)| (key_of(id), key))
                .collect(),
        }
    }

    #[track_caller]
    fn assert_is(&self, expected: &Self, what: &str) {
        assert_same(&self.records, &expected.records, what);
        let differing: Vec<_> = self.pairs.symmetric_difference(&expected.pairs).collect();
        assert!(differing.is_empty(), "{what}, pairs: {differing:#?}");
        assert!(self.keys == expected.keys, "{what}, the keys differ");
    }
}

/// What one full run over the lines stores.
async fn at_once(lines: &[String], decisions: &[Review]) -> Stored {
    let database = sqlite().await;
    take_in(&database.db, lines).await;
    for review in decisions {
        decide(&database.db, review).await;
    }
    deduplicate_everything(&database.db).await;
    let stored = Stored::load(&database.db).await;
    assert!(
        stored.records.keys().any(|keys| keys.len() > 1),
        "something merges"
    );
    stored
}

async fn decide(db: &Db, review: &Review) {
    worker::record_decision(db, review, worker::UnseenListing::Accepted)
        .await
        .unwrap();
}

async fn purge(db: &Db, key: &ListingKey) {
    let mut tx = db.begin().await.unwrap();
    let target = PurgeTarget::Listing(key.clone());
    intake::purge(&mut tx, &target, "a test", NOW)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Decisions about listings of a market that do not contradict each other: each listing is in one.
fn decisions(lines: &[String], count: usize, random: &mut StdRng) -> Vec<Review> {
    let mut keys: Vec<ListingKey> = keys_of(lines).into_iter().collect();
    let mut decided = Vec::new();
    while decided.len() < count && keys.len() > 1 {
        let one = keys.swap_remove(random.random_range(0..keys.len()));
        let other = keys.swap_remove(random.random_range(0..keys.len()));
        let verdict = if random.random_bool(0.5) {
            Verdict::Same
        } else {
            Verdict::Different
        };
        decided.extend(ListingPair::new(one, other).map(|pair| Review {
            pair,
            verdict,
            reason: None,
            decided_at: NOW,
        }));
    }
    decided
}

/// The listings that the lines show.
fn keys_of(lines: &[String]) -> BTreeSet<ListingKey> {
    let key = |line: &String| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        Some(ListingKey::new(
            line["siteId"].as_str()?,
            line["offerId"].as_str()?,
        ))
    };
    lines.iter().filter_map(key).collect()
}

/// Lines, decisions and purges come in any order and in batches, and after each of them any process runs.
async fn bit_by_bit(
    db: &Db,
    lines: &[String],
    (decisions, purged): (&[Review], &[ListingKey]),
    seed: u64,
) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut processes = Processes::default();
    let (mut lines, mut decisions, mut purged) = (lines, decisions, purged);
    while !lines.is_empty() || !decisions.is_empty() || !purged.is_empty() {
        match random.random_range(0..6) {
            0 if !decisions.is_empty() => {
                decide(db, &decisions[0]).await;
                decisions = &decisions[1..];
            }
            1 if !purged.is_empty() => {
                purge(db, &purged[0]).await;
                purged = &purged[1..];
            }
            _ => {
                let most = 12.min(lines.len());
                let (batch, rest) = lines.split_at(random.random_range(0..=most));
                take_in(db, batch).await;
                lines = rest;
            }
        }
        if random.random_bool(0.8) {
            processes.somehow(db, &mut random).await;
        }
    }
    for number in [0, 1] {
        processes.deduplicate(db, number).await;
    }
    assert!(
        processes.in_memory > 2,
        "{} runs in memory",
        processes.in_memory
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn any_interleaving_of_changes_and_processes_stores_the_same() {
    let last = if long_form() { 12 } else { 2 };
    for seed in 0..last {
        let lines = market::lines(40, seed);
        let mut random = StdRng::seed_from_u64(seed);
        let decisions = decisions(&lines, 6, &mut random);
        let expected = at_once(&lines, &decisions).await;
        let lines = shuffled(&lines, seed);
        on_each_database(async |db| {
            bit_by_bit(&db, &lines, (&decisions, &[]), seed).await;
            let what = format!("interleaving {seed}");
            Stored::load(&db).await.assert_is(&expected, &what);
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_purged_leaves_every_index() {
    let last = if long_form() { 28 } else { 22 };
    for seed in 20..last {
        let lines = market::lines(40, seed);
        let purged: Vec<ListingKey> = keys_of(&lines).into_iter().step_by(9).collect();
        let kept: Vec<String> = lines
            .iter()
            .filter(|line| {
                !keys_of(std::slice::from_ref(line))
                    .iter()
                    .any(|key| purged.contains(key))
            })
            .cloned()
            .collect();
        let expected = at_once(&kept, &[]).await;
        let lines = shuffled(&lines, seed);
        on_each_database(async |db| {
            bit_by_bit(&db, &lines, (&[], &purged), seed).await;
            let what = format!("with purges, seed {seed}");
            Stored::load(&db).await.assert_is(&expected, &what);
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_that_cross_the_size_limit_are_matched_again_in_every_process() {
    let crowd = dedup::blocking::MAX_BLOCK_SIZE + 4;
    for moving in [0, 8] {
        let lines = market::crowd(crowd, moving);
        let database = sqlite().await;
        take_in(&database.db, &lines).await;
        deduplicate_everything(&database.db).await;
        let expected = Stored::load(&database.db).await;
        on_each_database(async |db| {
            bit_by_bit(&db, &shuffled(&lines, 3), (&[], &[]), 3).await;
            let found = Stored::load(&db).await;
            found.assert_is(&expected, &format!("{moving} move"));
        })
        .await;
    }
}

#[tokio::test]
async fn an_index_follows_what_another_process_matched() {
    on_each_database(async |db| {
        take_in(&db, &[seen("sreality", "1", 1, &market::flat())]).await;
        deduplicate(&db).await;
        let mut processes = Processes::default();
        processes.deduplicate(&db, 0).await;
        take_in(&db, &[seen("idnes", "2", 2, &market::flat())]).await;
        deduplicate(&db).await;
        take_in(&db, &[seen("bezrealitky", "3", 3, &market::flat())]).await;
        processes.deduplicate(&db, 0).await;
        assert!(processes.kept[0].is_some(), "it was matched in memory");
        let record = record_of(&db, "sreality", "1").await;
        assert_eq!(record_of(&db, "idnes", "2").await, record);
        assert_eq!(record_of(&db, "bezrealitky", "3").await, record);
    })
    .await;
}

#[tokio::test]
async fn an_index_does_not_outlive_a_purge_or_the_weights_that_it_was_made_with() {
    on_each_database(async |db| {
        let lines = [
            seen("sreality", "1", 1, &market::flat()),
            seen("idnes", "2", 1, &market::other_flat()),
            gone("idnes", "2", 2),
        ];
        take_in(&db, &lines).await;
        let mut processes = Processes::default();
        processes.deduplicate(&db, 0).await;
        purge(&db, &ListingKey::new("idnes", "2")).await;
        take_in(&db, &[seen("idnes", "3", 3, &market::flat())]).await;
        processes.run(&db, 0).await;
        assert!(processes.kept[0].is_none(), "it held the purged listing");
        let record = record_of(&db, "sreality", "1").await;
        assert_eq!(record_of(&db, "idnes", "3").await, record);
        processes.deduplicate(&db, 0).await;
        let mut table = WeightTable::default();
        table.set("size", "different", 0.5).unwrap();
        let mut tx = db.begin().await.unwrap();
        worker::apply_weights(&mut tx, &table).await.unwrap();
        tx.commit().await.unwrap();
        processes.run(&db, 0).await;
        assert!(
            processes.kept[0].is_none(),
            "it was made with other weights"
        );
    })
    .await;
}
