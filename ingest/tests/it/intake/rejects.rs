//! Lines and values that cannot be stored.

use std::io::Cursor;

use ingest::dumps::Source;
use ingest::intake::{replay, retry_rejects};
use schema::ListingKey;
use schema::store::rejects::{self, Reject};
use schema::store::value_rejects;
use support::on_each_database;

use super::{NOW, hour, rejected, replay_lines, sale, seen, state, states, stored};

#[tokio::test]
async fn unreadable_lines_are_kept_once_and_the_rest_is_stored() {
    on_each_database(async |db| {
        let unread = r#"{"siteId":"idnes","offerId":"2","observedAt":"2026-05-01T00:00:00Z","listing":{"type":"flat"}}"#;
        let adapter = r#"{"siteId":"nowhere","offerId":"2","observedAt":"2026-05-01T00:00:00Z","payload":{}}"#;
        let lines = [sale("1", 1, 100), "{".to_owned(), String::new(), unread.to_owned(), adapter.to_owned()];
        for _ in 0..2 {
            let report = replay_lines(&db, &lines).await;
            assert_eq!((report.lines, report.rejected, report.is_complete()), (4, 3, false));
        }
        let rejects = rejected(&db).await;
        let places: Vec<_> = rejects.iter().map(|reject| (reject.source.as_str(), reject.line)).collect();
        assert_eq!(places, [("-", 2), ("-", 4), ("-", 5)]);
        assert!(rejects[0].reason.starts_with("broken JSON"), "{}", rejects[0].reason);
        assert!(rejects[1].reason.starts_with("listing.type is \"flat\"; accepted: one of apartment,"));
        assert!(rejects[2].reason.contains("`listing` lines of any portal"), "{}", rejects[2].reason);
        assert_eq!(rejects[1].content, unread.as_bytes());
        assert_eq!(stored(&db).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn bytes_that_are_not_text_are_kept_unchanged() {
    on_each_database(async |db| {
        let line = b"{\"siteId\":\"\xff\0\"}";
        let source = Source::stream("-", Cursor::new(line));
        assert_eq!(
            replay(&db, vec![source], NOW, &mut |_| ())
                .await
                .unwrap()
                .rejected,
            1
        );
        assert_eq!(rejected(&db).await[0].content, line);
    })
    .await;
}

#[tokio::test]
async fn values_out_of_bounds_are_left_out_and_counted() {
    on_each_database(async |db| {
        let line = seen(
            "1",
            1,
            r#"{"floor":900,"floorCount":2.5,"title":"a\u0000b","city":"Písek"}"#,
        );
        for times in [3, 0] {
            assert_eq!(
                replay_lines(&db, std::slice::from_ref(&line))
                    .await
                    .total()
                    .values_left_out,
                times
            );
        }
        let attributes = state(&db, "1").await.listing.attributes;
        assert_eq!(
            (attributes.floor, attributes.floor_count, attributes.title),
            (None, None, None)
        );
        assert_eq!(attributes.city.as_deref(), Some("Písek"));
        let counts = value_rejects::counts(&db).await.unwrap();
        let fields: Vec<_> = counts
            .iter()
            .map(|(_, field, _, times)| (field.as_str(), *times))
            .collect();
        assert_eq!(fields, [("floor", 1), ("floorCount", 1), ("title", 1)]);
    })
    .await;
}

#[tokio::test]
async fn a_page_whose_address_no_database_can_hold_is_left_out() {
    on_each_database(async |db| {
        let payload =
            r#"{"title":"Byt","category":{"url":"byt"},"description":"","url":"https://x.invalid/\u0000"}"#;
        let at = hour(1);
        let shown = format!(r#"{{"siteId":"bazos","offerId":"1","observedAt":"{at}","payload":{payload}}}"#);
        assert_eq!(replay_lines(&db, &[shown]).await.rejected, 0);
        let life = states(&db).await.remove(&ListingKey::new("bazos", "1")).unwrap();
        assert_eq!((life.url, life.listing.attributes.title.as_deref()), (None, Some("Byt")));
    })
    .await;
}

#[tokio::test]
async fn a_page_that_is_not_on_the_web_is_left_out_and_counted() {
    on_each_database(async |db| {
        let line = |offer: &str, url: &str| {
            seen(offer, 1, r#"{"title":"Byt"}"#).replace("null", &format!("{url:?}"))
        };
        let lines = [
            line("1", "javascript:alert(1)"),
            line("2", "ftp://x.invalid/1"),
            line("3", "//x.invalid/1"),
            line("4", "HTTPS://x.invalid/1"),
            line("5", "http://x.invalid"),
            line("6", "https://"),
        ];
        assert_eq!(replay_lines(&db, &lines).await.rejected, 0);
        let states = states(&db).await;
        let urls: Vec<Option<&str>> = states.values().map(|state| state.url.as_deref()).collect();
        let kept = [Some("HTTPS://x.invalid/1"), Some("http://x.invalid")];
        assert_eq!(urls, [None, None, None, kept[0], kept[1], None]);
        let counts = value_rejects::counts(&db).await.unwrap();
        let fields: Vec<_> = counts
            .iter()
            .map(|(_, field, _, times)| (field.as_str(), *times))
            .collect();
        assert_eq!(fields, [("url", 4)]);
    })
    .await;
}

#[tokio::test]
async fn rejects_are_read_again_after_a_fix() {
    on_each_database(async |db| {
        replay_lines(&db, &["{".to_owned()]).await;
        let fixed = Reject {
            source: "dump.jsonl".to_owned(),
            line: 7,
            reason: "was not understood".to_owned(),
            content: sale("1", 1, 100).into_bytes(),
        };
        let mut tx = db.begin().await.unwrap();
        rejects::insert(&mut tx, &fixed, NOW).await.unwrap();
        tx.commit().await.unwrap();
        let retried = retry_rejects(&db).await.unwrap();
        assert_eq!((retried.tried, retried.read), (2, 1));
        assert_eq!(retried.report.total().new_listings, 1);
        assert_eq!(state(&db, "1").await.first_seen_at, hour(1));
        assert_eq!(
            rejected(&db)
                .await
                .iter()
                .map(|reject| reject.line)
                .collect::<Vec<_>>(),
            [1]
        );
    })
    .await;
}
