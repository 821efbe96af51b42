//! Reading stored contents again, after an adapter was corrected.

use ingest::intake::{READINGS, is_reading_due, read_again, retry_rejects};
use schema::Timestamp;
use schema::store::derivations::{self, Derivation};
use schema::store::listings::{self, Save};
use schema::store::rejects::{self, Reject};
use schema::store::value_rejects::{self, ValueReject};
use schema::store::{Db, raw_listings};
use support::on_each_database;

use super::{NOW, eventful, hour, replay_lines, sale, seen, states, stored};

/// Spoils every state and the values left out, as if an older adapter had read the contents.
async fn read_by_an_older_adapter(db: &Db) {
    let listings: Vec<_> = stored(db).await.into_values().collect();
    let mut tx = db.begin().await.unwrap();
    for stored in &listings {
        let mut state = stored.state.clone();
        state.listing.attributes.city = Some("Jinde".to_owned());
        state.listing.attributes.price_total = None;
        state.prices.clear();
        // An unchanged sighting after the correction counted as a change.
        state.last_changed_at = hour(500);
        let save = Save {
            key: &stored.key,
            state: &state,
            changed: true,
            ahead: None,
        };
        listings::save_all(&mut tx, &[save]).await.unwrap();
        let contents = raw_listings::of_listing(&mut tx, stored.id).await.unwrap();
        let wrong = ValueReject {
            field: "floor".to_owned(),
            value: "přízemí".to_owned(),
            reason: "not a number".to_owned(),
        };
        value_rejects::insert(&mut tx, contents[0].0, &stored.key.site_id, &wrong)
            .await
            .unwrap();
    }
    derivations::set_version(&mut tx, Derivation::Readings, READINGS - 1)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Rejects a line that this version can read.
async fn reject(db: &Db, line: &str) {
    let reject = Reject {
        source: "dump.jsonl".to_owned(),
        line: 7,
        reason: "was not understood".to_owned(),
        content: line.as_bytes().to_vec(),
    };
    let mut tx = db.begin().await.unwrap();
    rejects::insert(&mut tx, &reject, NOW).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn reading_again_ends_where_a_fresh_replay_ends() {
    on_each_database(async |db| {
        let mut lines = eventful();
        lines.push(seen(
            "1",
            18,
            r#"{"offerType":"sale","type":"apartment","floor":900}"#,
        ));
        let late = sale("2", 19, 77);
        replay_lines(&db, &lines).await;
        read_by_an_older_adapter(&db).await;
        reject(&db, &late).await;
        assert!(is_reading_due(&db).await.unwrap());
        let read = read_again(&db, NOW, &mut |_| ()).await.unwrap();
        assert_eq!(read.listings, read.changed);
        assert!(!is_reading_due(&db).await.unwrap());

        let fresh = support::sqlite().await;
        lines.push(late);
        replay_lines(&fresh.db, &lines).await;
        assert_eq!(states(&db).await, states(&fresh.db).await);
        assert_eq!(
            value_rejects::counts(&db).await.unwrap(),
            value_rejects::counts(&fresh.db).await.unwrap()
        );
        assert_eq!(rejects::count(&db).await.unwrap(), 0);
        assert!(stored(&db).await.values().all(|stored| stored.version > 1));
    })
    .await;
}

#[tokio::test]
async fn an_empty_database_needs_no_reading() {
    let database = support::sqlite().await;
    assert!(!is_reading_due(&database.db).await.unwrap());
    replay_lines(&database.db, &[sale("1", 1, 100)]).await;
    assert!(!is_reading_due(&database.db).await.unwrap());
}

#[tokio::test]
async fn a_line_from_the_future_is_rejected_until_its_time_has_come() {
    on_each_database(async |db| {
        let at = |offer_id: &str, year: u32| {
            sale(offer_id, 1, 100).replace("2026-05-01T01", &format!("{year}-05-01T01"))
        };
        let crawl = r#"{"siteId":"idnes","observedAt":"2099-05-01T06:00:00Z","crawl":{"startedAt":"2098-05-01T06:00:00Z","complete":true}}"#;
        let lines = [at("1", 2026), at("2", 2062), at("3", 2099), crawl.to_owned()];
        let report = replay_lines(&db, &lines).await;
        assert_eq!((report.lines, report.rejected), (4, 3));
        let states = states(&db).await;
        assert_eq!(states.len(), 1);
        assert!(states.values().all(schema::ListingState::is_live));
        let reasons: Vec<String> = super::rejected(&db).await.into_iter().map(|one| one.reason).collect();
        assert!(
            reasons[0].starts_with("observedAt is 2062-05-01T01:00:00Z; accepted: times up to 2026-12-02"),
            "{}", reasons[0]
        );
        assert_eq!(retry_rejects(&db, NOW).await.unwrap().read, 0);
        let in_2070 = Timestamp(3_160_000_000_000);
        assert_eq!(retry_rejects(&db, in_2070).await.unwrap().read, 1);
    })
    .await;
}
