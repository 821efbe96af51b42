//! Input that cannot be read is kept with its reason, and tried again.

use schema::Timestamp;
use schema::store::rejects::{self, Reject};
use support::{databases, sqlite};

use super::jeden::Jeden;

const GOOD: &str = r#"{"siteId":"idnes","offerId":"1","observedAt":"2026-05-01T06:00:00Z","listing":{"offerType":"sale","type":"apartment","priceTotal":5000000}}"#;

/// Unreadable lines, each with a part of the reason.
const BAD: [(&str, &str); 6] = [
    (r#"{"siteId":"idnes","offerId":"2","observedAt":"#, "JSON"),
    (
        r#"{"siteId":"idnes","observedAt":"2026-05-01T06:00:00Z","gone":true}"#,
        "offerId",
    ),
    (
        r#"{"siteId":"idnes","offerId":"3","observedAt":"2026-02-30T06:00:00Z","gone":true}"#,
        "observedAt",
    ),
    (
        r#"{"siteId":"idnes","offerId":"4","observedAt":"2026-05-01T06:00:00Z","listing":{"offerType":"lease"}}"#,
        "offerType",
    ),
    (
        r#"{"siteId":"idnes","offerId":5,"observedAt":"2026-05-01T06:00:00Z","gone":true}"#,
        "offerId",
    ),
    (
        r#"{"siteId":"unheard","offerId":"6","observedAt":"2026-05-01T06:00:00Z","payload":{}}"#,
        "unheard",
    ),
];

#[tokio::test]
async fn bad_lines_are_kept_with_file_line_and_reason_and_the_rest_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.jsonl");
    let mut bytes: Vec<u8> = BAD
        .iter()
        .flat_map(|(line, _)| [line.as_bytes(), b"\n"].concat())
        .collect();
    bytes.extend(b"\"\xff\xfe\"\n");
    bytes.extend(GOOD.as_bytes());
    std::fs::write(&file, bytes).unwrap();
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        for _ in 0..2 {
            let run = jeden.run(&["replay", file.to_str().unwrap()]);
            assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{}", run.stderr);
            assert!(
                run.stderr.contains("8 lines read, 7 rejected"),
                "{}",
                run.stderr
            );
            let listed = jeden.run(&["rejects", "list"]).done();
            let lines: Vec<&str> = listed.lines().collect();
            assert_eq!(
                lines.len(),
                7,
                "each once, however often it is replayed:\n{listed}"
            );
            for ((number, (_, reason)), line) in (1..).zip(BAD).zip(&lines) {
                assert!(line.contains(&format!("broken.jsonl:{number}: ")), "{line}");
                assert!(line.contains(reason), "{line} does not contain {reason}");
            }
            assert!(
                lines[6].contains("broken.jsonl:7: ") && lines[6].contains("UTF-8"),
                "{}",
                lines[6]
            );
        }
        let clusters = jeden.run(&["clusters"]).done();
        assert_eq!(
            clusters.lines().count(),
            2,
            "the good line took effect:\n{clusters}"
        );
        let retried = jeden.run(&["rejects", "retry"]);
        assert_eq!(
            retried.code, 3,
            "no reject can be read yet: {}",
            retried.stderr
        );
        assert!(
            retried
                .stderr
                .contains("7 rejects read again, 0 of them successfully"),
            "{}",
            retried.stderr
        );
    }
}

#[tokio::test]
async fn rejects_that_a_newer_program_can_read_take_effect() {
    for database in databases().await {
        let reject = Reject {
            source: "old.jsonl".to_owned(),
            line: 7,
            reason: "an older program could not read it".to_owned(),
            content: GOOD.as_bytes().to_vec(),
        };
        let mut tx = database.db.begin().await.unwrap();
        rejects::insert(&mut tx, &reject, Timestamp(0))
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let jeden = Jeden::on(&database.url);
        assert!(
            jeden
                .run(&["rejects", "list"])
                .done()
                .contains("old.jsonl:7: an older program")
        );
        jeden.run(&["rejects", "retry"]).done();
        assert_eq!(jeden.run(&["rejects", "list"]).done(), "");
        assert!(
            jeden.run(&["clusters"]).done().contains("\nidnes,1,"),
            "it belongs to a record now"
        );
    }
}

#[tokio::test]
async fn values_out_of_bounds_are_left_out_and_counted_by_portal_and_field() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let line = GOOD.replace("5000000", "1");
    jeden.run_with(&["replay", "-"], &line).done();
    let listed = jeden.run(&["rejects", "list"]).done();
    assert!(
        listed.starts_with("idnes priceTotal: ") && listed.trim_end().ends_with("(1)"),
        "{listed}"
    );
    assert!(
        jeden.run(&["clusters"]).done().contains("\nidnes,1,"),
        "the listing is kept"
    );
}
