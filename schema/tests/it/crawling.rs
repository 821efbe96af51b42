//! What crawls remember: their runs, what lists showed, the lock of each portal.

use schema::store::crawl_lines::{self, CrawlLine};
use schema::store::crawl_runs::{self, RunCounts, RunOutcome};
use schema::store::housekeeping::{self, KeepSince};
use schema::store::index_entries::{self, Due, ReadDetail, StoredEntry};
use schema::store::{DatabaseSettings, Db, listings, lock, observations, raw_listings};
use schema::{ListingKey, OfferType, PropertyType};

use crate::samples::{a_raw, a_state, day, key, stored, stored_raw};

#[tokio::test]
async fn runs_are_listed_the_newest_first_with_what_they_did() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let first = crawl_runs::begin(&mut tx, "sreality", day(1), "{}")
            .await
            .unwrap();
        let mut second = crawl_runs::begin(&mut tx, "sreality", day(2), "{}")
            .await
            .unwrap();
        let other = crawl_runs::begin(&mut tx, "idnes", day(3), "{}")
            .await
            .unwrap();
        second.outcome = RunOutcome::Complete;
        second.finished_at = Some(day(3));
        second.alive_at = day(3);
        second.position = r#"{"walked":true}"#.to_owned();
        second.trouble = Some("nothing, really".to_owned());
        second.counts = RunCounts {
            seen: 1,
            new: 2,
            changed: 3,
            gone: 4,
            rejected: 5,
            requests: 6,
            bytes: 7_000_000_000,
        };
        crawl_runs::save(&mut tx, &second).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(
            crawl_runs::list(&db, None, 2).await.unwrap(),
            [other.clone(), second.clone()]
        );
        assert_eq!(
            crawl_runs::list(&db, Some("sreality"), 9).await.unwrap(),
            [second.clone(), first.clone()]
        );
        assert_eq!(
            crawl_runs::latest(&db, "sreality").await.unwrap(),
            Some(second.clone())
        );
        assert_eq!(
            crawl_runs::latest_complete(&db, "sreality").await.unwrap(),
            Some(second)
        );
        assert_eq!(
            crawl_runs::latest_complete(&db, "idnes").await.unwrap(),
            None
        );
        assert_eq!(crawl_runs::latest(&db, "remax").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn the_lines_of_a_crawl_are_kept_as_long_as_the_crawl() {
    support::on_each_database(async |db| {
        let line = |at: i64, line: &str| CrawlLine {
            at: day(at),
            line: line.to_owned(),
            seen: 20,
            requests: 3,
        };
        let mut tx = db.begin().await.unwrap();
        let mut runs = Vec::new();
        for at in [1, 2] {
            let mut run = crawl_runs::begin(&mut tx, "sreality", day(at), "{}")
                .await
                .unwrap();
            run.outcome = RunOutcome::Failed;
            run.finished_at = Some(day(at));
            crawl_runs::save(&mut tx, &run).await.unwrap();
            let lines = [
                line(at, "walking section sale"),
                line(at, "reading 7 details"),
            ];
            crawl_lines::add(&mut tx, &run, 0, &lines).await.unwrap();
            crawl_lines::add(&mut tx, &run, 2, &[line(at, "ended")])
                .await
                .unwrap();
            runs.push(run.id);
        }
        tx.commit().await.unwrap();
        let found = crawl_lines::of_run(&db, runs[0]).await.unwrap();
        let words: Vec<&str> = found.iter().map(|line| line.line.as_str()).collect();
        assert_eq!(
            words,
            ["walking section sale", "reading 7 details", "ended"]
        );
        assert_eq!(found[0], line(1, "walking section sale"));
        let keep = KeepSince {
            jobs: day(9),
            crawls: day(9),
            entries: day(9),
            contents: None,
        };
        assert_eq!(housekeeping::tidy(&db, keep).await.unwrap().crawls, 1);
        assert_eq!(crawl_lines::count(&db, runs[0]).await.unwrap(), 0);
        assert_eq!(crawl_lines::count(&db, runs[1]).await.unwrap(), 3);
    })
    .await;
}

fn entry(number: &str, seen: i64, due: i64) -> StoredEntry {
    StoredEntry {
        offer_id: number.to_owned(),
        url: format!("https://portal.example/{number}"),
        teaser: [7; 32],
        seen_at: day(seen),
        due_at: day(due),
        read: None,
    }
}

#[tokio::test]
async fn entries_are_due_once_a_list_showed_them_and_their_time_has_come() {
    support::on_each_database(async |db| {
        let read = ReadDetail {
            at: day(4),
            content: [1; 32],
            stable: [2; 32],
            etag: Some("\"x\"".to_owned()),
            last_modified: None,
        };
        let known = StoredEntry {
            read: Some(read),
            ..entry("c", 5, 6)
        };
        let all = [
            entry("a", 5, 5),
            entry("b", 4, 5),
            known.clone(),
            entry("d", 5, 7),
        ];
        let mut tx = db.begin().await.unwrap();
        index_entries::save_all(&mut tx, "sreality", &all)
            .await
            .unwrap();
        index_entries::save_all(&mut tx, "idnes", &[entry("a", 5, 5)])
            .await
            .unwrap();
        index_entries::save_all(&mut tx, "sreality", &[entry("d", 6, 6)])
            .await
            .unwrap();
        let loaded = index_entries::load(&mut tx, "sreality", &["c", "d", "nobody"])
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(loaded.len(), 2);
        assert_eq!(loaded["c"], known);
        assert_eq!(loaded["d"], entry("d", 6, 6));
        let due = |after| Due {
            site_id: "sreality",
            seen_since: day(5),
            by: day(6),
            after,
            fresh: None,
        };
        let numbers = async |after, limit| {
            let found = index_entries::due(&db, due(after), limit).await.unwrap();
            found
                .into_iter()
                .map(|entry| entry.offer_id)
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers("", 9).await, ["a", "c", "d"]);
        assert_eq!(numbers("a", 1).await, ["c"]);
        assert_eq!(index_entries::due_count(&db, due("")).await.unwrap(), 3);
    })
    .await;
}

#[tokio::test]
async fn contents_are_found_by_name_and_hash_and_the_last_one_by_time() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let id = stored(&mut tx, "1").await;
        let (one, two) = (
            stored_raw(&mut tx, id, "1").await,
            stored_raw(&mut tx, id, "2").await,
        );
        for (at, raw) in [(10, two), (11, one), (9, two)] {
            observations::record(&mut tx, id, day(at), Some(raw))
                .await
                .unwrap();
        }
        let hash = a_raw("2").content_hash();
        let wanted = [
            (key("1"), hash),
            (key("2"), hash),
            (ListingKey::new("idnes", "1"), hash),
        ];
        let found = raw_listings::of_keys(&mut tx, &wanted).await.unwrap();
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [(key("1"), a_raw("2"))]
        );
        assert!(
            raw_listings::of_keys(&mut tx, &[(key("1"), [0; 32])])
                .await
                .unwrap()
                .is_empty()
        );
        assert_eq!(
            raw_listings::latest(&mut tx, &[id]).await.unwrap()[&id],
            a_raw("1")
        );
    })
    .await;
}

#[tokio::test]
async fn the_way_an_end_was_told_stays_with_it() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let id = stored(&mut tx, "1").await;
        for at in [13, 15] {
            observations::record(&mut tx, id, day(at), None)
                .await
                .unwrap();
        }
        observations::explain_disappearance(&mut tx, &key("1"), day(13), "HTTP 410")
            .await
            .unwrap();
        observations::explain_disappearance(&mut tx, &key("1"), day(14), "never told")
            .await
            .unwrap();
        let reasons = observations::reasons_of_disappearances(&mut tx, id)
            .await
            .unwrap();
        assert_eq!(
            reasons.into_iter().collect::<Vec<_>>(),
            [(day(13), "HTTP 410".to_owned())]
        );
    })
    .await;
}

#[tokio::test]
async fn the_live_listings_of_a_portal_are_told_from_those_seen() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let id = stored(&mut tx, "1").await;
        let mut gone = a_state();
        gone.gone_at = Some(day(13));
        listings::save(&mut tx, &key("2"), &gone, true)
            .await
            .unwrap();
        listings::save(&mut tx, &ListingKey::new("idnes", "3"), &a_state(), true)
            .await
            .unwrap();
        let unseen = listings::unseen_since(&mut tx, "sreality", day(13))
            .await
            .unwrap();
        assert!(
            listings::unseen_since(&mut tx, "sreality", day(12))
                .await
                .unwrap()
                .is_empty()
        );
        tx.commit().await.unwrap();
        let [unseen] = unseen.as_slice() else {
            panic!("{unseen:?}")
        };
        assert_eq!(
            (unseen.id, unseen.offer_id.as_str(), &unseen.url),
            (id, "1", &a_state().url)
        );
        assert_eq!(
            (unseen.offer_type, unseen.property_type),
            (Some(OfferType::Sale), Some(PropertyType::Apartment))
        );
        assert_eq!(listings::live_count(&db, "sreality").await.unwrap(), 1);
        let sample = listings::live_sample(&db, "sreality", 5).await.unwrap();
        assert_eq!(
            sample
                .into_iter()
                .map(|listing| listing.id)
                .collect::<Vec<_>>(),
            [id]
        );
    })
    .await;
}

#[tokio::test]
async fn one_process_at_a_time_crawls_a_portal() {
    for database in support::databases().await {
        let other = Db::open(&DatabaseSettings::new(&database.url))
            .await
            .unwrap();
        let mut held = lock::try_crawl(&database.db, "sreality")
            .await
            .unwrap()
            .expect("it is free");
        assert!(held.is_held().await);
        for db in [&database.db, &other] {
            assert!(
                lock::try_crawl(db, "sreality").await.unwrap().is_none(),
                "{}",
                database.name
            );
        }
        let elsewhere = lock::try_crawl(&other, "a/b").await.unwrap();
        assert!(elsewhere.is_some(), "any name will do");
        held.release().await.unwrap();
        let held = lock::try_crawl(&other, "sreality").await.unwrap();
        drop(held.expect("it was given back"));
        // PostgreSQL notices a while after a connection is dropped.
        let mut again = None;
        while again.is_none() {
            again = lock::try_crawl(&other, "sreality").await.unwrap();
        }
        other.close().await;
    }
}
