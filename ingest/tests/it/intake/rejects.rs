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
        let retried = retry_rejects(&db, NOW).await.unwrap();
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

#[tokio::test]
async fn a_line_that_was_mended_in_its_source_clears_its_reject() {
    on_each_database(async |db| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dump.jsonl");
        let replay_file = async |lines: &[String]| {
            std::fs::write(&path, lines.join("\n")).unwrap();
            let sources = ingest::dumps::find_sources(std::slice::from_ref(&path)).unwrap();
            replay(&db, sources, NOW, &mut |_| ()).await.unwrap();
            let lines = rejected(&db).await.into_iter().map(|reject| reject.line);
            lines.collect::<Vec<_>>()
        };
        let broken = ["{".to_owned(), sale("1", 1, 100), "[".to_owned()];
        assert_eq!(replay_file(&broken).await, [1, 3]);
        assert_eq!(replay_file(&broken).await, [1, 3], "nothing was mended");
        let [first, second, _] = broken;
        let half_mended = [first, second, sale("2", 1, 100)];
        assert_eq!(replay_file(&half_mended).await, [1]);
        // Another fault on the same line replaces the first one.
        let [_, second, third] = half_mended;
        assert_eq!(replay_file(&["{{".to_owned(), second, third]).await, [1]);
        assert_eq!(rejected(&db).await[0].content, b"{{");
    })
    .await;
}

#[tokio::test]
async fn a_value_that_was_left_out_names_its_listing() {
    on_each_database(async |db| {
        let lines = [
            seen("1", 1, r#"{"floor":900}"#),
            seen("2", 1, r#"{"livingArea":0}"#),
        ];
        replay_lines(&db, &lines).await;
        let all = value_rejects::list(&db, None, None, 10).await.unwrap();
        let named: Vec<_> = all
            .iter()
            .map(|one| (one.key.to_string(), one.reject.field.as_str()))
            .collect();
        assert_eq!(
            named,
            [
                ("idnes/1".to_owned(), "floor"),
                ("idnes/2".to_owned(), "livingArea")
            ]
        );
        let floors = value_rejects::list(&db, Some("floor"), None, 10)
            .await
            .unwrap();
        assert_eq!(floors, all[..1]);
        assert_eq!(
            value_rejects::list(&db, None, Some(all[0].id), 10)
                .await
                .unwrap(),
            all[1..]
        );
    })
    .await;
}

#[tokio::test]
async fn an_address_that_is_no_page_is_left_out_with_a_reason() {
    on_each_database(async |db| {
        let line = |number: &str, url: &str| {
            sale(number, 1, 100).replace("\"url\":null", &format!("\"url\":\"{url}\""))
        };
        let long = format!("https://x.invalid/{}", "a".repeat(3_000));
        let lines = [
            line("1", "javascript:alert(1)"),
            line("2", "HTTPS://x.invalid/2"),
            line("3", &long),
        ];
        assert_eq!(replay_lines(&db, &lines).await.rejected, 0);
        assert_eq!(state(&db, "1").await.url, None);
        assert_eq!(
            state(&db, "2").await.url.as_deref(),
            Some("HTTPS://x.invalid/2")
        );
        assert_eq!(state(&db, "3").await.url, None);
        let reasons: Vec<String> = value_rejects::list(&db, Some("url"), None, 10)
            .await
            .unwrap()
            .into_iter()
            .map(|one| one.reject.reason)
            .collect();
        assert_eq!(
            reasons,
            [
                "neither an http nor an https URL",
                "an address longer than 2000 bytes"
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn every_line_end_becomes_the_same() {
    on_each_database(async |db| {
        let line = seen("1", 1, r#"{"description":"Byt\r\nve městě\rs výhledem\n"}"#);
        replay_lines(&db, &[line]).await;
        let description = state(&db, "1").await.listing.attributes.description;
        assert_eq!(description.as_deref(), Some("Byt\nve městě\ns výhledem\n"));
    })
    .await;
}
