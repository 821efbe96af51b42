//! The records do not depend on the order or the batches in which observations arrive.

use std::path::Path;

use dedup::blocking;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::{Db, offers};
use serde_json::json;
use support::{long_form, on_each_database, records, sqlite};

use super::feeding::{
    Records, assert_same, deduplicate, deduplicate_everything, record_of, seen, shuffled, stored,
    take_in,
};
use super::market;

/// The records of one full run over the lines.
async fn at_once(lines: &[String]) -> Records {
    let database = sqlite().await;
    take_in(&database.db, lines).await;
    deduplicate_everything(&database.db).await;
    records(&database.db).await
}

/// Stores the lines in random batches and deduplicates after each batch, sometimes with a full run.
async fn in_batches(db: &Db, lines: &[String], longest: usize, seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut rest = lines;
    while !rest.is_empty() {
        let (batch, after) = rest.split_at(rng.random_range(1..=longest.min(rest.len())));
        rest = after;
        take_in(db, batch).await;
        if rng.random_bool(0.1) {
            deduplicate_everything(db).await;
        } else {
            deduplicate(db).await;
        }
    }
}

async fn any_order_gives_the_same(lines: &[String], longest: usize, seeds: std::ops::Range<u64>) {
    let expected = at_once(lines).await;
    assert!(
        expected.len() > 1 && expected.keys().any(|keys| keys.len() > 1),
        "something merges"
    );
    for seed in seeds {
        let lines = shuffled(lines, seed);
        on_each_database(async |db| {
            in_batches(&db, &lines, longest, seed).await;
            assert_same(
                &records(&db).await,
                &expected,
                &format!("order {seed}, then"),
            );
            deduplicate_everything(&db).await;
            assert_same(
                &records(&db).await,
                &expected,
                &format!("order {seed}, then everything again"),
            );
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowded_market_gives_the_same_records_in_any_order() {
    let (markets, orders) = if long_form() { (4, 3) } else { (1, 2) };
    for market in 0..markets {
        let seeds = market * 10..market * 10 + orders;
        any_order_gives_the_same(&market::lines(60, market), 30, seeds).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn few_listings_taken_in_one_by_one_give_the_same_records() {
    let last = if long_form() { 108 } else { 102 };
    for market in 100..last {
        any_order_gives_the_same(&market::lines(12, market), 1, market..market + 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn more_than_one_batch_of_changes_gives_the_same_records() {
    any_order_gives_the_same(&market::lines(150, 7), 300, 7..8).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_that_cross_the_size_limit_give_the_same_records() {
    // The first crowd ends above the size limit and the second below it.
    let crowd = blocking::MAX_BLOCK_SIZE + 4;
    for (adverts, moving) in [(crowd, 0), (crowd, 8)] {
        let mut lines = market::crowd(adverts, moving);
        lines.extend(["sreality", "idnes"].map(|site| seen(site, "flat", 1, &market::flat())));
        let merged = at_once(&lines).await;
        let crowd_merges = merged.keys().filter(|keys| keys.len() > 1).count() > 1;
        assert_eq!(
            crowd_merges,
            adverts - moving <= blocking::MAX_BLOCK_SIZE,
            "{merged:?}"
        );
        let last = if long_form() { 32 } else { 31 };
        any_order_gives_the_same(&lines, 9, 30..last).await;
    }
}

#[tokio::test]
async fn a_changed_listing_in_an_earlier_neighbourhood_is_still_matched_itself() {
    let elsewhere = |number: i64, price: i64| {
        let title = format!("Pole {number}");
        let facts =
            json!({"offerType": "sale", "type": "land", "title": title, "priceTotal": price});
        seen("bazos", &number.to_string(), price, &facts)
    };
    on_each_database(async |db| {
        take_in(&db, &[seen("sreality", "first", 1, &market::flat())]).await;
        // More listings than one batch lie between the two.
        take_in(
            &db,
            &(0..60)
                .map(|number| elsewhere(number, 100))
                .collect::<Vec<_>>(),
        )
        .await;
        take_in(&db, &[seen("idnes", "last", 1, &market::flat())]).await;
        take_in(
            &db,
            &[seen("bezrealitky", "other", 1, &market::other_flat())],
        )
        .await;
        deduplicate(&db).await;
        assert_eq!(
            record_of(&db, "idnes", "last").await,
            record_of(&db, "sreality", "first").await
        );
        let mut cheaper = market::flat();
        cheaper["priceTotal"] = json!(4_790_000);
        take_in(&db, &[seen("sreality", "first", 9, &cheaper)]).await;
        take_in(
            &db,
            &(0..60)
                .map(|number| elsewhere(number, 200))
                .collect::<Vec<_>>(),
        )
        .await;
        take_in(&db, &[seen("idnes", "last", 9, &market::other_flat())]).await;
        deduplicate(&db).await;
        assert_eq!(
            record_of(&db, "idnes", "last").await,
            record_of(&db, "bezrealitky", "other").await
        );
        assert_ne!(
            record_of(&db, "idnes", "last").await,
            record_of(&db, "sreality", "first").await
        );
    })
    .await;
}

/// The authored dumps, line by line.
fn authored() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/dumps");
    let mut files: Vec<_> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_authored_dumps_give_the_same_records_in_any_order() {
    let last = if long_form() { 54 } else { 51 };
    any_order_gives_the_same(&authored(), 80, 50..last).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn taking_known_lines_in_again_changes_nothing() {
    let lines = market::lines(60, 4);
    on_each_database(async |db| {
        take_in(&db, &lines).await;
        deduplicate(&db).await;
        let before = (
            stored(&db).await,
            records(&db).await,
            offers::last_change(&db).await.unwrap(),
        );
        take_in(&db, &shuffled(&lines, 1)).await;
        let report = deduplicate(&db).await;
        assert_eq!((report.listings, report.offers, report.retired), (0, 0, 0));
        deduplicate_everything(&db).await;
        let after = (
            stored(&db).await,
            records(&db).await,
            offers::last_change(&db).await.unwrap(),
        );
        assert!(
            before == after,
            "neither a listing's version nor a record nor a change number moves"
        );
    })
    .await;
}
