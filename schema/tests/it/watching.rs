//! The figures for operators, and what housekeeping throws away.

use schema::store::crawl_runs::{self, CrawlRun, RunOutcome};
use schema::store::housekeeping::{self, KeepSince, Tidied};
use schema::store::index_entries::{self, StoredEntry};
use schema::store::usage::Request;
use schema::store::{Db, accounts, figures, listings, usage};
use schema::{ListingState, Month, Plan};

use crate::samples::{a_state, day, key};

#[tokio::test]
async fn listings_are_counted_by_portal_and_their_fields_in_a_sample_of_the_live_ones() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        listings::save(&mut tx, &key("1"), &a_state(), true)
            .await
            .unwrap();
        let mut bare = a_state();
        bare.listing.attributes.floor = None;
        listings::save(&mut tx, &key("2"), &bare, false)
            .await
            .unwrap();
        let gone = ListingState {
            gone_at: Some(day(13)),
            ..a_state()
        };
        listings::save(&mut tx, &key("3"), &gone, true)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let found = figures::listings(&db).await.unwrap().remove(0);
        assert_eq!((found.live, found.gone), (2, 1));
        assert_eq!(found.pending, listings::pending_count(&db).await.unwrap());
        let fields = figures::completeness(&db, "sreality", 10).await.unwrap();
        assert_eq!(fields.listings, 2);
        assert_eq!(fields.filled.get("priceTotal"), Some(&2));
        assert_eq!(fields.filled.get("floor"), Some(&1));
        assert_eq!(fields.filled.get("landArea"), None);
        assert_eq!(
            figures::completeness(&db, "sreality", 1)
                .await
                .unwrap()
                .filled
                .get("floor"),
            None
        );
    })
    .await;
}

#[tokio::test]
async fn quotas_are_summed_by_plan() {
    support::on_each_database(async |db| {
        let month = Month {
            year: 2026,
            month: 5,
        };
        for (name, plan, agreed, count) in [
            ("a", Plan::Free, None, 3),
            ("b", Plan::Custom, Some(5_000), 7),
            ("c", Plan::Custom, None, 0),
        ] {
            let account = accounts::create(&db, name, plan, agreed, day(1))
                .await
                .unwrap()
                .id;
            let request = Request {
                account,
                month,
                limit: 10,
                count,
            };
            usage::reserve(&db, &[request], std::time::Duration::from_secs(10))
                .await
                .unwrap();
        }
        let mut found = figures::usage(&db, month).await.unwrap();
        found.sort_by_key(|one| one.plan.id());
        let found: Vec<_> = found
            .iter()
            .map(|one| (one.plan, one.accounts, one.limit, one.used))
            .collect();
        assert_eq!(found, [(Plan::Custom, 2, 6_000, 7), (Plan::Free, 1, 10, 3)]);
        let next = figures::usage(&db, month.next()).await.unwrap();
        assert_eq!(next.iter().map(|one| one.used).sum::<u64>(), 0);
    })
    .await;
}

async fn a_run(db: &Db, began: i64, outcome: RunOutcome) {
    let mut tx = db.begin().await.unwrap();
    let run = crawl_runs::begin(&mut tx, "sreality", day(began), "")
        .await
        .unwrap();
    let run = CrawlRun {
        outcome,
        finished_at: Some(day(began)),
        ..run
    };
    crawl_runs::save(&mut tx, &run).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn housekeeping_leaves_the_last_crawls_and_what_is_live() {
    support::on_each_database(async |db| {
        for (began, outcome) in [
            (1, RunOutcome::Complete),
            (2, RunOutcome::Complete),
            (3, RunOutcome::Failed),
            (4, RunOutcome::Failed),
        ] {
            a_run(&db, began, outcome).await;
        }
        let mut tx = db.begin().await.unwrap();
        listings::save(&mut tx, &key("live"), &a_state(), true)
            .await
            .unwrap();
        let gone = ListingState {
            gone_at: Some(day(13)),
            ..a_state()
        };
        listings::save(&mut tx, &key("gone"), &gone, true)
            .await
            .unwrap();
        let entry = |offer_id: &str, seen: i64| StoredEntry {
            offer_id: offer_id.to_owned(),
            url: "https://portal.example/1".to_owned(),
            teaser: [0; 32],
            seen_at: day(seen),
            due_at: day(seen),
            read: None,
        };
        let entries = [
            entry("live", 1),
            entry("gone", 1),
            entry("never read", 1),
            entry("lately", 50),
        ];
        index_entries::save_all(&mut tx, "sreality", &entries)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let keep = KeepSince {
            jobs: day(10),
            crawls: day(10),
            entries: day(10),
            contents: None,
        };
        let tidied = housekeeping::tidy(&db, keep).await.unwrap();
        assert_eq!(
            tidied,
            Tidied {
                jobs: 0,
                crawls: 2,
                entries: 2,
                contents: 0
            }
        );
        let left = crawl_runs::list(&db, None, 10).await.unwrap();
        assert_eq!(
            left.iter().map(|run| run.started_at).collect::<Vec<_>>(),
            [day(4), day(2)]
        );
        let mut tx = db.begin().await.unwrap();
        let known = ["live", "gone", "never read", "lately"];
        let mut left: Vec<String> = index_entries::load(&mut tx, "sreality", &known)
            .await
            .unwrap()
            .into_keys()
            .collect();
        left.sort();
        assert_eq!(left, ["lately", "live"]);
    })
    .await;
}
