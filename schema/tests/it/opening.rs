//! Opening, migrating, refusing.

use schema::store::housekeeping::{self, KeepSince};
use schema::store::{Backend, DatabaseSettings, Db, StoreError, accounts, listings};
use support::TestDatabase;

use crate::samples::{a_state, day, key};

/// Runs a statement behind the store's back.
pub(crate) async fn run(database: &TestDatabase, text: impl Into<String>) {
    let text = sqlx::AssertSqlSafe(text.into());
    match database.db.backend() {
        Backend::Sqlite => {
            let pool = sqlx::SqlitePool::connect(&database.url).await.unwrap();
            sqlx::raw_sql(text).execute(&pool).await.unwrap();
            pool.close().await;
        }
        Backend::Postgres => {
            let pool = sqlx::PgPool::connect(&database.url).await.unwrap();
            sqlx::raw_sql(text).execute(&pool).await.unwrap();
            pool.close().await;
        }
    }
}

#[tokio::test]
async fn a_current_database_needs_no_migration() {
    support::on_each_database(async |db| {
        let migrated = db.migrate().await.unwrap();
        assert_eq!(migrated.applied, 0);
        assert!(migrated.version > 0);
        db.ping().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_file_holds_no_statistics_that_it_could_outgrow() {
    let database = support::sqlite().await;
    assert_eq!(database.db.backend(), Backend::Sqlite);
    let mut tx = database.db.begin().await.unwrap();
    listings::save(&mut tx, &key("1"), &a_state(), true)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(listings::pending_count(&database.db).await.unwrap(), 1);
    let keep = KeepSince {
        jobs: day(1),
        crawls: day(1),
        entries: day(1),
        contents: None,
    };
    housekeeping::tidy(&database.db, keep).await.unwrap();
    database.db.close().await;
    let pool = sqlx::SqlitePool::connect(&database.url).await.unwrap();
    let found = "SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'";
    let found: Vec<String> = sqlx::query_scalar(found).fetch_all(&pool).await.unwrap();
    assert_eq!(found, Vec::<String>::new());
    pool.close().await;
}

#[tokio::test]
async fn postgres_is_refused_while_it_is_behind() {
    for database in support::databases().await {
        if database.db.backend() == Backend::Sqlite {
            continue;
        }
        let want = database.db.migrate().await.unwrap().version;
        run(
            &database,
            "DROP SCHEMA public CASCADE; CREATE SCHEMA public",
        )
        .await;
        let settings = DatabaseSettings::new(&database.url);
        let refused = Db::open(&settings).await.unwrap_err();
        assert!(
            matches!(refused, StoreError::Behind { have: 0, want: wanted } if wanted == want),
            "{refused}"
        );
        assert!(refused.to_string().contains("jeden migrate"));
        let db = Db::connect(&settings).await.unwrap();
        assert!(db.migrate().await.unwrap().applied > 0);
        assert_eq!(db.migrate().await.unwrap().applied, 0);
        db.close().await;
        Db::open(&settings).await.unwrap().close().await;
    }
}

#[tokio::test]
async fn a_migration_that_was_finished_after_a_later_one_is_applied_too() {
    for database in support::databases().await {
        run(&database, "DELETE FROM _sqlx_migrations WHERE version = 13").await;
        let settings = DatabaseSettings::new(&database.url);
        if database.db.backend() == Backend::Postgres {
            let refused = Db::open(&settings).await.unwrap_err();
            assert!(
                matches!(refused, StoreError::Behind { have: 12, .. }),
                "{refused}"
            );
        }
        let db = Db::connect(&settings).await.unwrap();
        assert_eq!(db.migrate().await.unwrap().applied, 1, "{}", database.name);
        db.close().await;
        Db::open(&settings).await.unwrap().close().await;
    }
}

#[tokio::test]
async fn a_database_of_a_newer_program_is_refused() {
    for database in support::databases().await {
        let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                     VALUES (999999, 'of the future', TRUE, '', 0)";
        run(&database, newer).await;
        let refused = Db::open(&DatabaseSettings::new(&database.url))
            .await
            .unwrap_err();
        assert!(
            matches!(refused, StoreError::Ahead { have: 999_999, .. }),
            "{refused}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_may_open_a_fresh_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let settings = DatabaseSettings::new(format!(
        "sqlite://{}",
        folder.path().join("new.db").display()
    ));
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            let settings = settings.clone();
            tokio::spawn(async move { Db::open(&settings).await })
        })
        .collect();
    for task in tasks {
        let db = task.await.unwrap().unwrap();
        assert_eq!(accounts::list(&db).await.unwrap(), []);
        db.close().await;
    }
}

#[tokio::test]
async fn a_useless_address_is_refused_without_its_password() {
    let useless = [
        "mysql://admin:hunter2@db.example/jeden",
        "jeden.db",
        "sqlite::memory:",
        "sqlite://",
        "sqlite://jeden.db?mode=memory",
        "postgres://admin:hunter2@db.example:notaport/jeden",
        "mysql:admin:hunter2@db.example",
    ];
    for url in useless {
        let refused = Db::connect(&DatabaseSettings::new(url)).await.unwrap_err();
        assert!(matches!(refused, StoreError::Url { .. }), "{refused}");
        assert!(
            !refused.to_string().contains("hunter2") && !format!("{refused:?}").contains("hunter2")
        );
    }
}

#[tokio::test]
async fn a_file_in_a_missing_folder_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing/jeden.db");
    let refused = Db::open(&DatabaseSettings::new(format!(
        "sqlite://{}",
        path.display()
    )))
    .await
    .unwrap_err();
    assert!(
        matches!(&refused, StoreError::Open { url, .. } if url.contains("missing")),
        "{refused}"
    );
}

#[tokio::test]
async fn a_value_that_makes_no_sense_is_named() {
    for database in support::databases().await {
        run(
            &database,
            "INSERT INTO accounts (id, name, plan, created_at) VALUES (7, 'Acme', 'gold', 0)",
        )
        .await;
        let corrupt = accounts::by_name(&database.db, "Acme").await.unwrap_err();
        assert!(
            corrupt
                .to_string()
                .starts_with("accounts.plan of 7 cannot be read: \"gold\""),
            "{corrupt}"
        );
    }
}
