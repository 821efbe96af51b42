//! Databases of earlier versions of the program.

use std::fmt::Write as _;

use schema::store::jobs::{self, Job, Task};
use schema::store::observations::{self, Sighting};
use schema::store::raw_listings::{self, RawId};
use schema::store::{
    Backend, DatabaseSettings, Db, blocking_keys, listings, offers, value_rejects,
};
use schema::{ListingId, Timestamp};
use support::TestDatabase;

use crate::opening::run;
use crate::samples::{an_offer, key, stored, stored_raw};

/// The version of each migration that a release had, and the first eight bytes of its checksum on SQLite and on
/// PostgreSQL. A database refuses a migration whose checksum differs from the one that it was applied with.
const RELEASED: [(i64, &str, &str); 15] = [
    (1, "3c0d9b88f844d319", "f9114c1e615fb4fe"),
    (2, "3ee5cce6560fed43", "035b462f01d7660d"),
    (3, "b9d31ee93a7cdaa2", "c4826f625fc08193"),
    (4, "8844b6986740849c", "ae137a6817a7f4a0"),
    (5, "e6f5246a08c58a9d", "c51d7a13bdd2d144"),
    (6, "7d5c81d434d4493d", "9c5d03ba79810370"),
    (7, "76d1b30eb0064bc0", "692bfc634c71c053"),
    (8, "79554b02e2b51b30", "79554b02e2b51b30"),
    (9, "8772f41e837289d6", "9f8d706d33a6aacf"),
    (10, "1e679aea0f9cd924", "3d26d7efe1a98d6b"),
    (11, "ac73200d4d681d4d", "282bc01fe0c88fc2"),
    (12, "cf5151e5cdb9d78e", "d3351a7227bf94e2"),
    (13, "d68e79abc1473c35", "158f1d9aaca21882"),
    (17, "46b90d0c27322adc", "afc517ab1b6f9f81"),
    (20, "c4cbd2a023db5415", "c4cbd2a023db5415"),
];

/// The checksums that a database keeps, as in [`RELEASED`].
async fn checksums(database: &TestDatabase) -> Vec<(i64, String)> {
    let statement = "SELECT version, checksum FROM _sqlx_migrations ORDER BY version";
    let rows: Vec<(i64, Vec<u8>)> = match database.db.backend() {
        Backend::Sqlite => {
            let pool = sqlx::SqlitePool::connect(&database.url).await.unwrap();
            sqlx::query_as(statement).fetch_all(&pool).await.unwrap()
        }
        Backend::Postgres => {
            let pool = sqlx::PgPool::connect(&database.url).await.unwrap();
            sqlx::query_as(statement).fetch_all(&pool).await.unwrap()
        }
    };
    let hex = |bytes: &[u8]| {
        bytes.iter().take(8).fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    };
    rows.into_iter()
        .map(|(version, checksum)| (version, hex(&checksum)))
        .collect()
}

#[tokio::test]
async fn a_released_migration_keeps_its_checksum() {
    for database in support::databases().await {
        let checksums = checksums(&database).await;
        for (version, sqlite, postgres) in RELEASED {
            let released = match database.db.backend() {
                Backend::Sqlite => sqlite,
                Backend::Postgres => postgres,
            };
            assert!(
                checksums.contains(&(version, released.to_owned())),
                "migration {version} on {} was changed after its release: {checksums:?}",
                database.name
            );
        }
    }
}

/// The queue's tables as the library apalis made them, as far as they are read.
const OLD_SQLITE: &str = "
    DELETE FROM _sqlx_migrations WHERE version = 21;
    DROP TABLE queued_jobs; DROP TABLE job_workers;
    CREATE TABLE Workers (id TEXT NOT NULL UNIQUE, worker_type TEXT NOT NULL);
    CREATE TABLE Jobs (
        job BLOB NOT NULL, id TEXT NOT NULL UNIQUE, job_type TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'Pending',
        run_at INTEGER NOT NULL, lock_by TEXT, idempotency_key TEXT, PRIMARY KEY (id),
        FOREIGN KEY (lock_by) REFERENCES Workers (id)
    );
    CREATE TABLE _apalis_migrations (version BIGINT PRIMARY KEY);
    INSERT INTO Workers VALUES ('dead', 'upkeep');
    INSERT INTO Jobs VALUES (WAITING, 'A', 'upkeep', 'Pending', 1000, NULL, 'waits#1');
    INSERT INTO Jobs VALUES (RUNNING, 'B', 'portals', 'Running', 2000, 'dead', 'runs#0');
    INSERT INTO Jobs VALUES (RUNNING, 'C', 'upkeep', 'Done', 3000, 'dead', 'done#0');";
const OLD_POSTGRES: &str = "
    DELETE FROM _sqlx_migrations WHERE version = 21;
    DROP TABLE queued_jobs; DROP TABLE job_workers;
    CREATE SCHEMA apalis;
    CREATE TABLE apalis.workers (id TEXT PRIMARY KEY, worker_type TEXT NOT NULL);
    CREATE TABLE apalis.jobs (
        job BYTEA NOT NULL, id TEXT PRIMARY KEY, job_type TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'Pending',
        run_at TIMESTAMPTZ NOT NULL, lock_by TEXT REFERENCES apalis.workers (id), idempotency_key TEXT
    );
    INSERT INTO apalis.workers VALUES ('dead', 'upkeep');
    INSERT INTO apalis.jobs VALUES (WAITING, 'A', 'upkeep', 'Pending', to_timestamp(1000), NULL, 'waits#1');
    INSERT INTO apalis.jobs VALUES (RUNNING, 'B', 'portals', 'Running', to_timestamp(2000), 'dead', 'runs#0');
    INSERT INTO apalis.jobs VALUES (RUNNING, 'C', 'upkeep', 'Done', to_timestamp(3000), 'dead', 'done#0');";

#[tokio::test]
async fn jobs_of_the_former_queue_move_over() {
    let waiting = r#"{"task":{"kind":"dedup"},"key":"waits","turn":1,"failures":1,"askedAt":"1970-01-01T00:00:00.005Z"}"#;
    let running = r#"{"task":{"kind":"crawl","siteId":"example"},"key":"runs","turn":0,"failures":0,
        "askedAt":"1970-01-01T00:00:00.006Z"}"#;
    for database in support::databases().await {
        let (old, bytes): (_, fn(&str) -> String) = match database.db.backend() {
            Backend::Sqlite => (OLD_SQLITE, |job| format!("CAST('{job}' AS BLOB)")),
            Backend::Postgres => (OLD_POSTGRES, |job| format!("convert_to('{job}', 'UTF8')")),
        };
        let old = old
            .replace("WAITING", &bytes(waiting))
            .replace("RUNNING", &bytes(running));
        run(&database, old).await;
        let db = Db::connect(&DatabaseSettings::new(&database.url))
            .await
            .unwrap();
        assert_eq!(db.migrate().await.unwrap().applied, 1, "{}", database.name);
        let dedup = Job {
            requeues: 1,
            failures: 1,
            ..Job::new(Task::Dedup, "waits", Timestamp(5))
        };
        let crawl = Job::new(Task::crawl("example"), "runs", Timestamp(6));
        let left = jobs::unfinished(&db).await.unwrap();
        let left: Vec<_> = left
            .iter()
            .map(|one| (&one.job, one.run_at, &one.worker))
            .collect();
        assert_eq!(
            left,
            [
                (&dedup, Timestamp(1_000_000), &None),
                (&crawl, Timestamp(2_000_000), &None)
            ],
            "{}",
            database.name
        );
        db.close().await;
    }
}

/// Contents and sightings as they were stored before there were dictionaries: two contents of listing `LISTING`.
const SINGLE_SIGHTINGS: &str = "
    DELETE FROM _sqlx_migrations WHERE version = 25;
    DROP TABLE sightings; DROP TABLE value_rejects; DROP TABLE raw_listings; DROP TABLE content_dictionaries;
    CREATE TABLE raw_listings (
        id BIGINT PRIMARY KEY, listing_id BIGINT NOT NULL REFERENCES listings (id), content_hash BYTES NOT NULL,
        form SMALLINT NOT NULL, url TEXT, body_size BIGINT NOT NULL, body BYTES NOT NULL,
        first_seen_at BIGINT NOT NULL, last_seen_at BIGINT NOT NULL, base BIGINT, UNIQUE (listing_id, content_hash)
    );
    CREATE TABLE sightings (
        listing_id BIGINT NOT NULL REFERENCES listings (id), at BIGINT NOT NULL,
        raw_id BIGINT NOT NULL REFERENCES raw_listings (id), PRIMARY KEY (listing_id, at, raw_id)
    );
    INSERT INTO raw_listings VALUES (7, LISTING, HASH_1, 0, NULL, 4, BODY, 0, 0, NULL);
    INSERT INTO raw_listings VALUES (8, LISTING, HASH_2, 0, NULL, 4, BODY, 0, 0, NULL);
    INSERT INTO sightings VALUES (LISTING, 1700000000000, 7), (LISTING, 1700000000001, 8), (LISTING, 1700086400000, 7),
        (LISTING, -5, 7), (LISTING, 1700172800000, 7);";

#[tokio::test]
async fn sightings_and_contents_of_the_former_tables_stay() {
    for database in support::databases().await {
        let mut tx = database.db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        tx.commit().await.unwrap();
        let body = zstd::bulk::compress(b"text", 3).unwrap();
        let bytes = |bytes: &[u8]| {
            let hex: String = bytes.iter().fold(String::new(), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            });
            match database.db.backend() {
                Backend::Sqlite => format!("X'{hex}'"),
                Backend::Postgres => format!("'\\x{hex}'::bytea"),
            }
        };
        let type_name = match database.db.backend() {
            Backend::Sqlite => "BLOB",
            Backend::Postgres => "BYTEA",
        };
        let old = SINGLE_SIGHTINGS
            .replace("BYTES", type_name)
            .replace("LISTING", &listing.0.to_string())
            .replace("HASH_1", &bytes(&[1; 32]))
            .replace("HASH_2", &bytes(&[2; 32]))
            .replace("BODY", &bytes(&body));
        run(&database, old).await;
        let db = Db::connect(&DatabaseSettings::new(&database.url))
            .await
            .unwrap();
        assert_eq!(db.migrate().await.unwrap().applied, 1, "{}", database.name);
        let mut tx = db.begin().await.unwrap();
        let seen = |at, raw| Sighting {
            at: Timestamp(at),
            raw: Some(RawId(raw)),
        };
        assert_eq!(
            observations::of_listing(&mut tx, listing).await.unwrap(),
            [
                seen(-5, 7),
                seen(1_700_000_000_000, 7),
                seen(1_700_000_000_001, 8),
                seen(1_700_086_400_000, 7),
                seen(1_700_172_800_000, 7)
            ],
            "{}",
            database.name
        );
        // What is seen afterwards joins what was seen before.
        for (at, is_new) in [(1_700_086_400_000, false), (1_700_100_000_000, true)] {
            let new = observations::record(&mut tx, listing, Timestamp(at), Some(RawId(7)));
            assert_eq!(new.await.unwrap(), is_new);
        }
        assert_eq!(
            observations::of_listing(&mut tx, listing)
                .await
                .unwrap()
                .len(),
            6
        );
        let contents = raw_listings::of_listing(&mut tx, listing).await.unwrap();
        let bodies: Vec<&str> = contents.iter().map(|(_, raw)| raw.body.as_str()).collect();
        assert_eq!(bodies, ["text", "text"]);
        tx.rollback().await.unwrap();
        db.close().await;
    }
}

/// Listings, records and values that were left out as they were stored before they were made small.
const WIDE: &str = "
    DELETE FROM _sqlx_migrations WHERE version IN (27, 43);
    ALTER TABLE raw_listings DROP COLUMN base;
    CREATE TABLE old_bodies (
        listing_id BIGINT PRIMARY KEY REFERENCES listings (id), url TEXT, listing TEXT NOT NULL
    );
    INSERT INTO old_bodies VALUES (LISTING_ID, 'URL', 'LISTING_JSON');
    DROP TABLE listing_bodies;
    ALTER TABLE old_bodies RENAME TO listing_bodies;
    CREATE TABLE offer_summaries (row BIGINT PRIMARY KEY, body BYTES NOT NULL);
    CREATE TABLE offer_details (row BIGINT PRIMARY KEY, body BYTES NOT NULL);
    INSERT INTO offer_summaries SELECT row, SUMMARY FROM offers;
    INSERT INTO offer_details SELECT row, DETAIL FROM offers;
    DROP TABLE offer_documents;
    DROP TABLE value_rejects;
    DROP TABLE value_reject_reasons;
    CREATE TABLE value_rejects (
        id BIGINT PRIMARY KEY, raw_id BIGINT NOT NULL REFERENCES raw_listings (id),
        site_id TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, reason TEXT NOT NULL
    );
    INSERT INTO value_rejects VALUES (3, RAW, 'sreality', 'floor', '900', 'too high');
    INSERT INTO value_rejects VALUES (5, RAW, 'sreality', 'floor', '901', 'too high');";

#[tokio::test]
async fn listings_records_and_values_of_the_former_tables_stay() {
    for database in support::databases().await {
        let mut tx = database.db.begin().await.unwrap();
        let listing = stored(&mut tx, "1").await;
        let raw = stored_raw(&mut tx, listing, "a").await;
        let offer = an_offer("offer");
        offers::save(&mut tx, &offer, 1).await.unwrap();
        let before = listings::load(&mut tx, &[key("1")]).await.unwrap();
        tx.commit().await.unwrap();
        let found = offers::detail(&database.db, &offer.offer.id).await.unwrap();
        let rows: Vec<i64> = (1..100).collect();
        let documents = offers::documents(&database.db, &rows).await.unwrap();
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec())
                .unwrap()
                .replace('\'', "''");
            match database.db.backend() {
                Backend::Sqlite => format!("CAST('{text}' AS BLOB)"),
                Backend::Postgres => format!("convert_to('{text}', 'UTF8')"),
            }
        };
        let state = &before[&key("1")].state;
        let json = serde_json::to_string(&state.listing).unwrap();
        let type_name = match database.db.backend() {
            Backend::Sqlite => "BLOB",
            Backend::Postgres => "BYTEA",
        };
        let old = WIDE
            .replace("BYTES", type_name)
            .replace("LISTING_ID", &listing.0.to_string())
            .replace("LISTING_JSON", &json.replace('\'', "''"))
            .replace("URL", state.url.as_deref().unwrap())
            .replace("SUMMARY", &text(&documents[0].summary))
            .replace("DETAIL", &text(&documents[0].detail_only))
            .replace("RAW", &raw.to_string());
        run(&database, old).await;
        let db = Db::connect(&DatabaseSettings::new(&database.url))
            .await
            .unwrap();
        assert_eq!(db.migrate().await.unwrap().applied, 2, "{}", database.name);
        let mut tx = db.begin().await.unwrap();
        assert_eq!(listings::load(&mut tx, &[key("1")]).await.unwrap(), before);
        tx.rollback().await.unwrap();
        assert_eq!(offers::documents(&db, &rows).await.unwrap(), documents);
        assert_eq!(offers::detail(&db, &offer.offer.id).await.unwrap(), found);
        let left_out = value_rejects::list(&db, None, None, 10).await.unwrap();
        let values: Vec<_> = left_out
            .iter()
            .map(|one| {
                (
                    one.id,
                    one.reject.value.as_str(),
                    one.reject.reason.as_str(),
                )
            })
            .collect();
        let expected = [("900", 1), ("901", 2)];
        assert_eq!(
            values,
            expected.map(|(value, number)| ((raw.0, number), value, "too high"))
        );
        db.close().await;
    }
}

/// Blocking keys as they were stored when they had 64 bits and an index by listing.
const WIDE_KEYS: &str = "
    DELETE FROM _sqlx_migrations WHERE version = 33;
    DROP TABLE listing_keys;
    CREATE INDEX blocking_keys_listing ON blocking_keys (listing_id);
    INSERT INTO blocking_keys VALUES (-4, 1), (5, 1), (9223372036854775804, 1), (5, 2);";

#[tokio::test]
async fn keys_of_the_former_table_stay() {
    for database in support::databases().await {
        run(&database, WIDE_KEYS.to_owned()).await;
        let db = Db::connect(&DatabaseSettings::new(&database.url))
            .await
            .unwrap();
        assert_eq!(db.migrate().await.unwrap().applied, 1, "{}", database.name);
        let mut tx = db.begin().await.unwrap();
        let both = [ListingId(1), ListingId(2)];
        let keys = blocking_keys::of_listings(&mut tx, &both).await.unwrap();
        let highest = (1 << 47) - 4;
        assert_eq!(keys, [(both[0], 5), (both[0], highest), (both[1], 5)]);
        let members = blocking_keys::members(&mut tx, &[5, highest], 10)
            .await
            .unwrap();
        assert_eq!(members, [(5, both[0]), (5, both[1]), (highest, both[0])]);
        tx.rollback().await.unwrap();
        db.close().await;
    }
}
