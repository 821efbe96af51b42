//! `jeden sync`: a folder of Parquet files follows the feed of changes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::Timestamp;
use schema::store::{offers, record_events};
use serde_json::{Value, json};
use support::{databases, sqlite};

use super::export::{Row, parquet_rows};
use super::followers::{SERVE, Service, feed_of, write};
use super::jeden::{Jeden, Ran};

const TABLES: [&str; 3] = ["offers", "links", "price_points"];

fn manifest(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The rows of all tables, which the manifest counts, in an order of their own: a record that was saved as it was is no
/// change, but the last one of an export.
fn rows(folder: &Path) -> BTreeMap<&'static str, Vec<Row>> {
    let manifest = manifest(folder);
    let tables = TABLES.map(|table| {
        let mut rows = parquet_rows(&folder.join(format!("{table}.parquet")));
        rows.sort_by_cached_key(|row| format!("{row:?}"));
        assert_eq!(manifest["tables"][table]["rows"], rows.len(), "{table}");
        (table, rows)
    });
    tables.into_iter().collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What the database exports now.
fn exported(jeden: &Jeden, filters: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let export = ["export", "--out", text(folder.path())];
    jeden.run(&[&export, filters].concat()).done();
    folder
}

/// The folder has what the database exports.
fn assert_is_current(jeden: &Jeden, folder: &Path, filters: &[&str]) {
    let expected = exported(jeden, filters);
    assert_eq!(
        manifest(folder)["seq"],
        manifest(expected.path())["seq"],
        "the sequence number"
    );
    let (found, expected) = (rows(folder), rows(expected.path()));
    for table in TABLES {
        assert_eq!(found[table], expected[table], "{table}");
    }
}

struct Follower<'a> {
    jeden: &'a Jeden,
    token: &'a str,
    folder: &'a Path,
}

impl Follower<'_> {
    fn arguments<'a>(&'a self, from: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let sync = [
            "sync",
            text(self.folder),
            "--from",
            from,
            "--token",
            self.token,
        ];
        [&sync, more].concat()
    }

    fn sync(&self, from: &str, more: &[&str]) -> Ran {
        self.jeden.run(&self.arguments(from, more))
    }

    /// Begins a run and kills it after a while.
    fn sync_killed(&self, from: &str, more: &[&str], moment: Duration) {
        let mut command = self.jeden.command(&self.arguments(from, more));
        let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = silent.spawn().unwrap();
        std::thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

fn token(jeden: &Jeden) -> String {
    let plan = ["--plan", "customV2", "--requests-per-month", "4000000000"];
    jeden
        .run(&[&["account", "create", "follower"][..], &plan].concat())
        .done();
    let token = jeden.run(&["token", "create", "follower"]).done();
    token.trim_end().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_folder_equals_an_export_after_writers_and_syncs_were_killed() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let token = token(&jeden);
        let mut servers = [jeden.serve(&SERVE), jeden.serve(&SERVE)];
        let service = Arc::new(Service::new(&token, &servers));
        let folder = tempfile::tempdir().unwrap();
        let is_done = Arc::new(AtomicBool::new(false));
        let syncing = {
            let (jeden, token, folder) = (jeden.clone(), token.clone(), folder.path().to_owned());
            let (service, is_done) = (Arc::clone(&service), Arc::clone(&is_done));
            std::thread::spawn(move || {
                let follower = Follower {
                    jeden: &jeden,
                    token: &token,
                    folder: &folder,
                };
                let mut rng = StdRng::seed_from_u64(5);
                while !is_done.load(Ordering::SeqCst) {
                    let from = service.base(rng.random_range(0..2));
                    let moment = Duration::from_millis(rng.random_range(10..400));
                    follower.sync_killed(&from, &[], moment);
                }
            })
        };
        write(&jeden, &database.db, &service, &mut servers).await;
        is_done.store(true, Ordering::SeqCst);
        syncing.join().unwrap();
        let follower = Follower {
            jeden: &jeden,
            token: &token,
            folder: folder.path(),
        };
        follower.sync(&service.base(0), &[]).done();
        assert_is_current(&jeden, folder.path(), &[]);
        assert!(
            rows(folder.path())["offers"].len() > 20,
            "{}",
            database.name
        );
        let hidden = folder.path().read_dir().unwrap();
        let hidden = hidden.filter(|file| {
            let name = file.as_ref().unwrap().file_name();
            name.to_string_lossy().ends_with(".part")
        });
        assert_eq!(hidden.count(), 0, "nothing unfinished is left");
    }
}

/// A flat of the portal `mine`, seen at an hour; gone if it has no price.
fn line(number: u32, hour: u32, price: Option<i64>) -> String {
    let at = format!("2026-07-01T{hour:02}:00:00Z");
    let (key, value) = match price {
        Some(price) => (
            "listing",
            json!({
                "offerType": "sale", "type": "apartment", "city": "Brno", "street": "Údolní", "priceTotal": price,
                "livingArea": 40 + number, "location": {"lat": 49.1951 + f64::from(number) / 100.0, "lng": 16.6},
            }),
        ),
        None => ("gone", json!(true)),
    };
    json!({"siteId": "mine", "offerId": number.to_string(), "observedAt": at, key: value})
        .to_string()
}

fn replay(jeden: &Jeden, lines: &[String]) {
    jeden.run_with(&["replay", "-"], &lines.join("\n")).done();
}

#[tokio::test]
async fn an_export_is_brought_up_to_date_with_its_filters() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let token = token(&jeden);
    let server = jeden.serve(&SERVE);
    let flats = |hour, price: fn(u32) -> Option<i64>| -> Vec<String> {
        (0..12)
            .map(|number| line(number, hour, price(number)))
            .collect()
    };
    replay(
        &jeden,
        &flats(6, |number| Some(4_000_000 + i64::from(number) * 100_000)),
    );
    let filter = ["--filter", "priceMax=4600000"];
    let folder = exported(&jeden, &filter);
    let follower = Follower {
        jeden: &jeden,
        token: &token,
        folder: folder.path(),
    };
    let before = std::fs::metadata(folder.path().join("offers.parquet")).unwrap();
    follower.sync(&feed_of(&server), &[]).done();
    let unchanged = std::fs::metadata(folder.path().join("offers.parquet")).unwrap();
    assert_eq!(before.modified().unwrap(), unchanged.modified().unwrap());
    // Some become cheap enough, some too expensive, one goes.
    replay(
        &jeden,
        &flats(7, |number| match number {
            3 => None,
            number => Some(5_000_000 - i64::from(number) * 100_000),
        }),
    );
    let ran = follower.sync(&feed_of(&server), &filter);
    assert!(
        ran.stderr.contains("as of sequence number"),
        "{}",
        ran.stderr
    );
    ran.done();
    assert_is_current(&jeden, folder.path(), &filter);
    let other = follower.sync(&feed_of(&server), &["--filter", "priceMax=1"]);
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("other filters"), "{}", other.stderr);
}

#[tokio::test]
async fn a_folder_that_is_too_old_starts_over_from_the_database_or_says_how() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let token = token(&jeden);
    let server = jeden.serve(&SERVE);
    replay(&jeden, &[line(1, 6, Some(4_000_000))]);
    let folder = exported(&jeden, &[]);
    replay(&jeden, &[line(2, 7, Some(5_000_000))]);
    for (today, kept_since) in [(1, 0), (3, 2)] {
        let day = |number: i64| Timestamp(number * 86_400_000);
        record_events::delete_old(&database.db, day(today), day(kept_since))
            .await
            .unwrap();
    }
    let follower = Follower {
        jeden: &jeden,
        token: &token,
        folder: folder.path(),
    };
    let before = rows(folder.path());
    let refused = follower.sync(&feed_of(&server), &[]);
    assert_eq!(refused.code, 1);
    for said in ["no longer kept", "jeden export", "--from-database"] {
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
    assert_eq!(rows(folder.path()), before);
    follower
        .sync(&feed_of(&server), &["--from-database"])
        .done();
    assert_is_current(&jeden, folder.path(), &[]);
    // A new folder.
    let folder = tempfile::tempdir().unwrap();
    let follower = Follower {
        folder: folder.path(),
        ..follower
    };
    assert_eq!(follower.sync(&feed_of(&server), &[]).code, 1);
    assert!(!folder.path().join("manifest.json").exists());
    follower
        .sync(&feed_of(&server), &["--from-database"])
        .done();
    assert_is_current(&jeden, folder.path(), &[]);
    assert!(offers::last_change(&database.db).await.unwrap() > 1);
}

#[tokio::test]
async fn a_folder_that_cannot_follow_is_refused_with_the_reason() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    replay(&jeden, &[line(1, 6, Some(4_000_000))]);
    for (more, said) in [
        (&["--format", "csv"][..], "only Parquet files"),
        (&["--pairs"], "without --pairs"),
        (&["--filter", "includeInactive=true"], "expired records"),
    ] {
        let folder = exported(&jeden, more);
        let follower = Follower {
            jeden: &jeden,
            token: "jdn_x",
            folder: folder.path(),
        };
        let refused = follower.sync("http://127.0.0.1:1", &[]);
        assert_eq!(refused.code, 1);
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_up_quota_is_waited_out_and_a_failure_is_asked_again() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let answer = async || {
        let error =
            |code: &str| json!({"error": {"code": code, "message": "Wait."}, "requestId": "x"});
        let empty = json!({
            "data": [], "pagination": {"limit": 500, "count": 0, "hasMore": false, "nextAfter": 7},
        });
        let (status, body) = match ASKED.fetch_add(1, Ordering::SeqCst) {
            0 | 1 => (StatusCode::TOO_MANY_REQUESTS, error("quota-exceeded")),
            2 => (StatusCode::INTERNAL_SERVER_ERROR, error("internal-error")),
            _ => (StatusCode::OK, empty),
        };
        (status, [("retry-after", "0")], axum::Json(body))
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let from = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/changes", get(answer));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let folder = tempfile::tempdir().unwrap();
    let ran = tokio::task::block_in_place(|| {
        let follower = Follower {
            jeden: &jeden,
            token: "jdn_x",
            folder: folder.path(),
        };
        follower.sync(&from, &[])
    });
    assert!(ran.stderr.contains("Waiting"), "{}", ran.stderr);
    ran.done();
    assert_eq!(manifest(folder.path())["seq"], 7);
    assert_eq!(ASKED.load(Ordering::SeqCst), 4);
}
