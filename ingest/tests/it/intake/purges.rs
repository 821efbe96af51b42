//! Taking out again what was stored.

use std::path::Path;

use ingest::intake::{PurgeTarget, Purged, observe, purge, replay};
use schema::store::{Db, crawls, index_entries, purges, raw_listings, rejects};
use schema::{ListingKey, Observation, Timestamp};
use support::on_each_database;

use super::{
    NOW, crawl, eventful, gone, hour, rejected, replay_lines, sale, seen, shuffled, states, stored,
};

async fn purged(db: &Db, target: &PurgeTarget) -> Purged {
    let mut tx = db.begin().await.unwrap();
    let purged = purge(&mut tx, target, "asked for", NOW).await.unwrap();
    tx.commit().await.unwrap();
    purged
}

fn listing(offer_id: &str) -> PurgeTarget {
    PurgeTarget::Listing(ListingKey::new("idnes", offer_id))
}

fn write(path: &Path, lines: &[String]) {
    std::fs::write(path, lines.join("\n")).unwrap();
}

async fn replay_file(db: &Db, path: &Path) {
    let sources = ingest::dumps::find_sources(&[path.to_owned()]).unwrap();
    replay(db, sources, NOW, &mut |_| ()).await.unwrap();
}

#[tokio::test]
async fn a_purged_listing_leaves_nothing_but_a_note_and_does_not_come_back() {
    on_each_database(async |db| {
        let lines = [
            seen("1", 1, r#"{"floor":900,"title":"Byt"}"#),
            sale("2", 1, 200),
            gone("1", 2),
            sale("1", 3, 110).replace("sale", "lease"),
        ];
        replay_lines(&db, &lines).await;
        let id = stored(&db).await[&ListingKey::new("idnes", "1")].id;
        assert_eq!(rejected(&db).await.len(), 1);
        let done = purged(&db, &listing("1")).await;
        assert_eq!((done.listings, done.rejects), (1, 1));
        let assert_absent = async || {
            assert_eq!(stored(&db).await.len(), 1);
            assert_eq!(rejected(&db).await, []);
            let mut tx = db.begin().await.unwrap();
            assert_eq!(raw_listings::of_listing(&mut tx, id).await.unwrap(), []);
            tx.rollback().await.unwrap();
        };
        assert_absent().await;
        let again = replay_lines(&db, &lines).await;
        assert_eq!(again.purged, 2);
        assert_absent().await;
        let notes = purges::list(&db).await.unwrap();
        let note = (
            notes[0].kind.as_str(),
            notes[0].subject.as_str(),
            notes[0].reason.as_str(),
        );
        assert_eq!(note, ("listing", "idnes/1", "asked for"));
        let mut tx = db.begin().await.unwrap();
        assert!(
            purges::allow(&mut tx, "idnes", Some("1"), NOW)
                .await
                .unwrap()
        );
        assert!(
            !purges::allow(&mut tx, "idnes", Some("1"), NOW)
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        replay_lines(&db, &lines).await;
        assert_eq!(stored(&db).await.len(), 2);
    })
    .await;
}

#[tokio::test]
async fn a_purged_portal_leaves_the_others_alone() {
    on_each_database(async |db| {
        let mut lines = eventful();
        let other = sale("1", 1, 100).replace("idnes", "bazos-dump");
        lines.push(other.clone());
        replay_lines(&db, &lines).await;
        let done = purged(&db, &PurgeTarget::Portal("idnes".to_owned())).await;
        assert_eq!(done.listings, 5);
        assert_eq!(stored(&db).await.len(), 1);
        let mut tx = db.begin().await.unwrap();
        assert_eq!(crawls::latest(&mut tx, "idnes").await.unwrap(), None);
        assert!(
            index_entries::load(&mut tx, "idnes", &["1"])
                .await
                .unwrap()
                .is_empty()
        );
        tx.rollback().await.unwrap();
        assert_eq!(
            replay_lines(&db, &lines).await.purged,
            lines.len() as u64 - 1
        );
        assert_eq!(stored(&db).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn what_is_purged_of_a_dump_leaves_the_state_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.jsonl");
    let all = eventful();
    for seed in 0..4 {
        let mixed = shuffled(&all, seed);
        let (good, wrong) = mixed.split_at(mixed.len() / 2);
        write(&path, &[wrong, &["{".to_owned()]].concat());
        for used in support::databases().await {
            replay_lines(&used.db, good).await;
            replay_file(&used.db, &path).await;
            purged(&used.db, &PurgeTarget::Dump(path.clone())).await;
            assert_eq!(rejects::count(&used.db).await.unwrap(), 0);

            let fresh = support::sqlite().await;
            replay_lines(&fresh.db, good).await;
            assert_eq!(
                states(&used.db).await,
                states(&fresh.db).await,
                "seed {seed}"
            );
            // What comes later has the same effect on both.
            for db in [&used.db, &fresh.db] {
                replay_lines(db, &all).await;
            }
            assert_eq!(
                states(&used.db).await,
                states(&fresh.db).await,
                "seed {seed}"
            );
        }
    }
}

#[tokio::test]
async fn what_is_purged_of_a_crawl_brings_back_the_listings_that_it_ended() {
    on_each_database(async |db| {
        let before = [sale("1", 1, 100), sale("2", 1, 200)];
        replay_lines(&db, &before).await;
        let states_before = states(&db).await;
        let bad = [sale("1", 3, 999), sale("9", 3, 900), crawl(3, 4, "{}")];
        replay_lines(&db, &bad).await;
        assert!(!states(&db).await[&ListingKey::new("idnes", "2")].is_live());
        let target = PurgeTarget::Crawl {
            site_id: "idnes".to_owned(),
            started_at: hour(3),
            ended_at: hour(4),
        };
        let done = purged(&db, &target).await;
        assert_eq!((done.listings, done.recomputed), (1, 2));
        assert_eq!(states(&db).await, states_before);
        // The crawl may be repeated.
        replay_lines(&db, &bad).await;
        assert_eq!(stored(&db).await.len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_crawl_does_not_store_a_purged_listing() {
    on_each_database(async |db| {
        replay_lines(&db, &[sale("1", 1, 100)]).await;
        purged(&db, &listing("1")).await;
        let gone = Observation::Gone {
            key: ListingKey::new("idnes", "1"),
            at: Timestamp(hour(5).millis()),
        };
        let report = observe(&db, "crawl", &[gone], NOW).await.unwrap();
        assert_eq!((report.purged, report.total().observations), (1, 0));
    })
    .await;
}
