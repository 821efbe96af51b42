//! Listings that arrive or change while a run is under way.

use std::sync::atomic::{AtomicBool, Ordering};

use dedup::worker::{self, Progress};
use schema::store::{DatabaseSettings, Db};
use support::{databases, records};

use super::feeding::{NOW, assert_same, deduplicate, deduplicate_everything, rng, take_in};
use super::market;

/// Takes lines in from another process, as it were.
fn take_in_from_outside(url: &str, lines: &[String]) {
    let (url, lines) = (url.to_owned(), lines.to_vec());
    let other = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = Db::open(&DatabaseSettings::new(&url)).await.unwrap();
            take_in(&db, &lines).await;
            db.close().await;
        });
    });
    other.join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_arrives_during_a_run_is_merged_as_if_it_had_come_before_or_after() {
    let lines = market::lines(40, 11);
    let (before, meanwhile) = lines.split_at(lines.len() / 2);
    for during in [Progress::Reading(0, 0), Progress::Matching, Progress::Writing(0, 0)] {
        for database in databases().await {
            let db = &database.db;
            take_in(db, before).await;
            let arrived = AtomicBool::new(false);
            let progress = |at: Progress| {
                let now = std::mem::discriminant(&at) == std::mem::discriminant(&during);
                if now && !arrived.swap(true, Ordering::Relaxed) {
                    take_in_from_outside(&database.url, meanwhile);
                }
            };
            worker::run_over_everything(db, NOW, &mut rng(), &progress).await.unwrap();
            assert!(arrived.into_inner(), "the run told of {during:?}");
            deduplicate(db).await;
            let found = records(db).await;
            let fresh = databases().await.swap_remove(0);
            take_in(&fresh.db, &lines).await;
            deduplicate_everything(&fresh.db).await;
            let expected = records(&fresh.db).await;
            assert_same(&found, &expected, &format!("arrived during {during:?} on {}", database.name));
        }
    }
}
