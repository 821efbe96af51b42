//! Listings that arrive or change while a run is under way.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use dedup::worker::{self, Progress, UnseenListing};
use schema::store::{DatabaseSettings, Db};
use schema::{ListingKey, ListingPair, Review, Timestamp, Verdict};
use support::{databases, records, sqlite};

use super::feeding::{
    NOW, assert_same, deduplicate, deduplicate_everything, listings_of, rng, seen, take_in,
};
use super::market;

/// Runs work on a separate database connection, like another process.
fn from_outside(url: &str, work: impl AsyncFnOnce(&Db) + Send + 'static) {
    let url = url.to_owned();
    let other = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let db = Db::open(&DatabaseSettings::new(&url)).await.unwrap();
            work(&db).await;
            db.close().await;
        });
    });
    other.join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_that_arrives_during_a_run_is_merged_like_any_other() {
    let lines = market::lines(40, 11);
    let (before, meanwhile) = lines.split_at(lines.len() / 2);
    for during in [
        Progress::Reading(0, 0),
        Progress::Matching,
        Progress::Writing(0, 0),
    ] {
        for database in databases().await {
            let db = &database.db;
            take_in(db, before).await;
            let arrived = AtomicBool::new(false);
            let progress = |at: Progress| {
                let now = std::mem::discriminant(&at) == std::mem::discriminant(&during);
                if now && !arrived.swap(true, Ordering::Relaxed) {
                    let lines = meanwhile.to_vec();
                    from_outside(&database.url, async move |db| take_in(db, &lines).await);
                }
            };
            worker::run_over_everything(listings_of(db), NOW, &mut rng(), &progress)
                .await
                .unwrap();
            assert!(arrived.into_inner(), "the run reported {during:?}");
            deduplicate(db).await;
            let found = records(db).await;
            let fresh = sqlite().await;
            take_in(&fresh.db, &lines).await;
            deduplicate_everything(&fresh.db).await;
            let expected = records(&fresh.db).await;
            assert_same(
                &found,
                &expected,
                &format!("arrived during {during:?} on {}", database.name),
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_made_during_a_run_holds_after_it() {
    let sites = ["sreality", "idnes", "bazos"];
    for during in [
        Progress::Reading(0, 0),
        Progress::Matching,
        Progress::Writing(0, 0),
    ] {
        for database in databases().await {
            let db = &database.db;
            take_in(db, &sites.map(|site| seen(site, "1", 1, &market::flat()))).await;
            let pair = ListingPair::new(
                ListingKey::new("sreality", "1"),
                ListingKey::new("idnes", "1"),
            )
            .unwrap();
            let review = Review {
                pair: pair.clone(),
                verdict: Verdict::Different,
                reason: None,
                decided_at: Timestamp(0),
            };
            let decided = AtomicBool::new(false);
            let progress = |at: Progress| {
                let now = std::mem::discriminant(&at) == std::mem::discriminant(&during);
                if now && !decided.swap(true, Ordering::Relaxed) {
                    let review = review.clone();
                    from_outside(&database.url, async move |db| {
                        worker::record_decision(db, &review, UnseenListing::Refused)
                            .await
                            .unwrap();
                    });
                }
            };
            worker::run_over_everything(listings_of(db), NOW, &mut rng(), &progress)
                .await
                .unwrap();
            assert!(decided.into_inner(), "the run reported {during:?}");
            deduplicate(db).await;
            let found = records(db).await;
            let together = |keys: &BTreeSet<ListingKey>| {
                keys.contains(&pair.left) && keys.contains(&pair.right)
            };
            assert!(
                !found.keys().any(together),
                "decided during {during:?} on {}",
                database.name
            );
            assert_eq!(found.len(), 2);
        }
    }
}
