//! A replay that is repeated, shuffled, cut into pieces or compressed gives the same records.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

use flate2::write::GzEncoder;
use schema::ListingKey;
use schema::store::{Db, listings, offers};
use support::{clusters, databases, records, sqlite};

use super::dumps;
use super::jeden::Jeden;

/// The bytes of every served record, and the version of every listing.
async fn everything(db: &Db) -> (BTreeMap<String, String>, Vec<(String, i64)>, i64) {
    let mut served = BTreeMap::new();
    for (id, _) in clusters(db).await {
        let found = offers::detail(db, &id).await.unwrap().expect("a record");
        served.insert(
            id.as_str().to_owned(),
            serde_json::to_string(&found.detail).unwrap(),
        );
    }
    for row in offers::changes_between(db, (0, i64::MAX), 10_000)
        .await
        .unwrap()
    {
        let document = offers::documents(db, &[row.row]).await.unwrap().remove(0);
        served.insert(
            format!("summary of {}", row.id),
            String::from_utf8(document.summary).unwrap(),
        );
    }
    let page = listings::page(db, None, 10_000).await.unwrap();
    let versions = page
        .into_iter()
        .map(|listing| (listing.key.to_string(), listing.version))
        .collect();
    (served, versions, offers::last_change(db).await.unwrap())
}

#[tokio::test]
async fn a_second_replay_reports_nothing_new_and_changes_not_a_byte() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let before = (
            jeden.run(&["clusters"]).done(),
            everything(&database.db).await,
        );
        let again = jeden.run(&["replay", dumps::folder().to_str().unwrap()]);
        assert_eq!((again.code, again.stdout.as_str()), (0, ""));
        for site in ["bazos", "bezrealitky", "idnes", "sreality"] {
            let line = again
                .stderr
                .lines()
                .find(|line| line.starts_with(site))
                .expect("a line a portal");
            for nothing in ["0 new,", "0 changed,", "0 gone,"] {
                assert!(line.contains(&format!(" {nothing}")), "{line}");
            }
        }
        assert!(
            again.stderr.contains("0 changed listings read"),
            "{}",
            again.stderr
        );
        let after = (
            jeden.run(&["clusters"]).done(),
            everything(&database.db).await,
        );
        assert!(
            before == after,
            "the second replay changed something on {}",
            database.name
        );
    }
}

/// The records after an undisturbed replay of the lines.
async fn undisturbed(lines: &[String]) -> BTreeMap<BTreeSet<ListingKey>, offers::FoundOffer> {
    let database = sqlite().await;
    let replayed = Jeden::on(&database.url).run_with(&["replay", "-"], &lines.join("\n"));
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    records(&database.db).await
}

#[tokio::test]
async fn a_shuffled_replay_ends_in_the_same_records() {
    let lines = dumps::authored("");
    let expected = undisturbed(&lines).await;
    for (seed, database) in (0..2).zip(databases().await) {
        let shuffled = dumps::shuffled(lines.clone(), seed);
        let jeden = Jeden::on(&database.url);
        // In three pieces, with deduplication after each piece.
        for piece in shuffled.chunks(shuffled.len().div_ceil(3)) {
            assert_eq!(jeden.run_with(&["replay", "-"], &piece.join("\n")).code, 0);
        }
        assert!(
            records(&database.db).await == expected,
            "order {seed} on {}",
            database.name
        );
    }
}

#[tokio::test]
async fn a_replay_line_by_line_ends_in_the_same_records() {
    let mut lines = dumps::authored("bezrealitky-2026-09");
    lines.extend(dumps::authored("bazos-2026-09"));
    lines.extend(dumps::authored("sreality-2026-09").into_iter().take(12));
    let expected = undisturbed(&lines).await;
    for (seed, database) in (0..2).zip(databases().await) {
        let jeden = Jeden::on(&database.url);
        for line in dumps::shuffled(lines.clone(), seed) {
            assert_eq!(jeden.run_with(&["replay", "-"], &line).code, 0, "{line}");
        }
        assert!(
            records(&database.db).await == expected,
            "order {seed} on {}",
            database.name
        );
    }
}

fn compressed(folder: &Path, name: &str, lines: &[String]) {
    let file = std::fs::File::create(folder.join(name)).unwrap();
    let text = lines.join("\n");
    if Path::new(name)
        .extension()
        .is_some_and(|ending| ending == "gz")
    {
        let mut encoder = GzEncoder::new(file, flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
    } else {
        zstd::stream::copy_encode(text.as_bytes(), file, 3).unwrap();
    }
}

#[tokio::test]
async fn compressed_dumps_in_a_folder_are_replayed_like_plain_ones() {
    let folder = tempfile::tempdir().unwrap();
    compressed(folder.path(), "a.jsonl.gz", &dumps::authored("bezrealitky"));
    compressed(folder.path(), "b.jsonl.zst", &dumps::authored("bazos"));
    std::fs::write(
        folder.path().join("c.jsonl"),
        dumps::authored("idnes").join("\n"),
    )
    .unwrap();
    let lines = [
        dumps::authored("bezrealitky"),
        dumps::authored("bazos"),
        dumps::authored("idnes"),
    ]
    .concat();
    let expected = undisturbed(&lines).await;
    let database = sqlite().await;
    Jeden::on(&database.url).replay(&[folder.path()]);
    assert!(records(&database.db).await == expected);
}

#[tokio::test]
async fn two_concurrent_replays_end_in_the_same_records() {
    let lines = dumps::authored("");
    let expected = undisturbed(&lines).await;
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let (one, other) = lines.split_at(lines.len() / 2);
        std::thread::scope(|scope| {
            for part in [one, other] {
                let jeden = &jeden;
                scope.spawn(move || {
                    let ran = jeden.run_with(&["replay", "-"], &part.join("\n"));
                    assert_eq!(ran.code, 0, "{}", ran.stderr);
                });
            }
        });
        assert!(
            records(&database.db).await == expected,
            "on {}",
            database.name
        );
    }
}
