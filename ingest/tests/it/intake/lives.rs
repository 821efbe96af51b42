//! How observations change the state of a listing.

use std::collections::BTreeMap;

use ingest::intake::Counts;
use schema::ListingKey;
use support::on_each_database;

use super::{crawl, eventful, gone, hour, rent, replay_lines, sale, state, states, stored};

#[tokio::test]
async fn a_listing_lives_through_its_observations() {
    on_each_database(async |db| {
        let report = replay_lines(&db, &eventful()).await;
        let life = state(&db, "1").await;
        assert_eq!(
            (
                life.first_seen_at,
                life.last_seen_at,
                life.last_changed_at,
                life.gone_at
            ),
            (hour(2), hour(17), hour(17), None)
        );
        assert_eq!(state(&db, "2").await.gone_at, None, "it came back at 15");
        assert_eq!(state(&db, "3").await.gone_at, Some(hour(16)));
        assert_eq!(state(&db, "4").await.gone_at, Some(hour(16)));
        assert_eq!(state(&db, "early").await.gone_at, Some(hour(16)));
        assert_eq!(
            stored(&db).await.len(),
            5,
            "a listing that was only reported gone is unknown"
        );
        assert_eq!(
            (report.lines, report.rejected, report.total().observations),
            (23, 0, 19)
        );
        assert!(report.is_complete());
    })
    .await;
}

#[tokio::test]
async fn the_report_says_what_the_observations_did() {
    on_each_database(async |db| {
        let lines = [
            sale("1", 1, 100),
            sale("1", 2, 100),
            sale("1", 3, 90),
            sale("2", 3, 50),
            gone("1", 4),
            gone("9", 4),
        ];
        let report = replay_lines(&db, &lines).await;
        let counts = Counts {
            observations: 6,
            new_listings: 2,
            changed: 1,
            unchanged: 2,
            gone: 1,
            ..Counts::default()
        };
        assert_eq!(
            report.by_site,
            BTreeMap::from([("idnes".to_owned(), counts)])
        );
        let report = replay_lines(&db, &[crawl(5, 6, "{}"), sale("1", 7, 90)]).await;
        let counts = Counts {
            observations: 1,
            changed: 1,
            gone: 1,
            crawls: 1,
            ..Counts::default()
        };
        assert_eq!(
            report.by_site,
            BTreeMap::from([("idnes".to_owned(), counts)])
        );
    })
    .await;
}

#[tokio::test]
async fn an_end_that_arrives_before_the_first_sighting_counts() {
    on_each_database(async |db| {
        replay_lines(&db, &[gone("1", 5)]).await;
        assert!(stored(&db).await.is_empty());
        let report = replay_lines(&db, &[sale("1", 3, 100)]).await;
        assert_eq!(state(&db, "1").await.gone_at, Some(hour(5)));
        assert_eq!(report.total().gone, 1);
        replay_lines(&db, &[sale("1", 4, 100)]).await;
        assert_eq!(
            state(&db, "1").await.gone_at,
            Some(hour(5)),
            "the end is stored with the listing too"
        );
    })
    .await;
}

#[tokio::test]
async fn late_observations_are_reported_together() {
    on_each_database(async |db| {
        replay_lines(&db, &[sale("1", 5, 100)]).await;
        let total = replay_lines(&db, &[sale("1", 3, 90), gone("1", 9)])
            .await
            .total();
        assert_eq!(
            total,
            Counts {
                observations: 2,
                gone: 1,
                unchanged: 1,
                ..Counts::default()
            }
        );
    })
    .await;
}

#[tokio::test]
async fn a_crawl_may_end_more_listings_than_one_batch_holds() {
    on_each_database(async |db| {
        let shown: Vec<_> = (0..1100)
            .map(|number| sale(&number.to_string(), 1, 100))
            .collect();
        replay_lines(&db, &shown).await;
        assert_eq!(
            replay_lines(&db, &[crawl(2, 3, "{}")]).await.total().gone,
            1100
        );
        assert!(
            states(&db)
                .await
                .values()
                .all(|state| state.gone_at == Some(hour(3)))
        );
    })
    .await;
}

#[tokio::test]
async fn a_crawl_that_arrives_late_counts() {
    on_each_database(async |db| {
        replay_lines(
            &db,
            &[
                sale("1", 1, 100),
                sale("1", 9, 100),
                rent("2", 1, 50),
                sale("3", 4, 10),
            ],
        )
        .await;
        let versions = stored(&db).await;
        replay_lines(&db, &[crawl(3, 5, r#"{"offerType":"sale"}"#)]).await;
        let now = stored(&db).await;
        let of = |id: &str| &now[&ListingKey::new("idnes", id)];
        assert_eq!(
            (of("1").state.gone_at, of("1").state.last_changed_at),
            (None, hour(9)),
            "it came back at 9"
        );
        for untouched in ["2", "3"] {
            assert_eq!(
                of(untouched),
                &versions[&ListingKey::new("idnes", untouched)]
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_sighting_that_arrives_after_the_crawl_that_saw_it_undoes_the_end() {
    on_each_database(async |db| {
        replay_lines(&db, &[sale("1", 1, 100), crawl(3, 5, "{}")]).await;
        assert_eq!(state(&db, "1").await.gone_at, Some(hour(5)));
        replay_lines(&db, &[sale("1", 4, 100)]).await;
        let life = state(&db, "1").await;
        assert_eq!((life.gone_at, life.last_changed_at), (None, hour(1)));
    })
    .await;
}

#[tokio::test]
async fn a_listing_that_arrives_after_the_crawl_that_missed_it_is_gone() {
    on_each_database(async |db| {
        replay_lines(&db, &[crawl(3, 5, r#"{"offerType":"sale"}"#)]).await;
        replay_lines(
            &db,
            &[sale("1", 1, 100), rent("2", 1, 100), sale("3", 3, 100)],
        )
        .await;
        let ends = [
            state(&db, "1").await.gone_at,
            state(&db, "2").await.gone_at,
            state(&db, "3").await.gone_at,
        ];
        assert_eq!(ends, [Some(hour(5)), None, None]);
    })
    .await;
}

#[tokio::test]
async fn seeing_the_same_again_leaves_nothing_for_dedup_to_do() {
    on_each_database(async |db| {
        replay_lines(&db, &[sale("1", 1, 100)]).await;
        let before = stored(&db).await.into_values().next().unwrap();
        replay_lines(&db, &[sale("1", 2, 100)]).await;
        let after = stored(&db).await.into_values().next().unwrap();
        assert_eq!(
            (before.version, after.version, after.state.last_seen_at),
            (1, 1, hour(2))
        );
        replay_lines(&db, &[sale("1", 3, 90)]).await;
        assert_eq!(stored(&db).await.into_values().next().unwrap().version, 2);
    })
    .await;
}

#[tokio::test]
async fn a_payload_that_says_it_is_gone_ends_its_listing() {
    let answer = |at: i64, payload: &str| {
        let at = hour(at);
        format!(
            r#"{{"siteId":"bezrealitky","offerId":"7","observedAt":"{at}","payload":{payload}}}"#
        )
    };
    on_each_database(async |db| {
        let lines = [
            answer(1, r#"{"data":{"advert":null}}"#),
            answer(5, r#"{"data":{"advert":null}}"#),
        ];
        assert_eq!(replay_lines(&db, &lines).await.rejected, 0);
        assert!(stored(&db).await.is_empty());
        let seen = sale("7", 3, 100).replace("idnes", "bezrealitky");
        replay_lines(&db, &[seen]).await;
        let life = states(&db)
            .await
            .remove(&ListingKey::new("bezrealitky", "7"))
            .unwrap();
        assert_eq!((life.first_seen_at, life.gone_at), (hour(3), Some(hour(5))));
    })
    .await;
}
