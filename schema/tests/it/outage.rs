//! A database that goes away is noticed.

use schema::Plan;
use schema::store::{DatabaseSettings, Db, StoreError, accounts};

use crate::samples::day;

#[tokio::test]
async fn a_deleted_file_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jeden.db");
    let settings = DatabaseSettings::new(format!("sqlite://{}", path.display()));
    let db = Db::open(&settings).await.unwrap();
    db.ping().await.unwrap();
    std::fs::rename(&path, folder.path().join("away.db")).unwrap();
    assert!(matches!(
        db.ping().await,
        Err(StoreError::Unreachable { .. })
    ));
    std::fs::write(&path, b"something else").unwrap();
    let error = db.ping().await.unwrap_err();
    assert!(error.to_string().contains("no longer the file"), "{error}");
    std::fs::rename(folder.path().join("away.db"), &path).unwrap();
    db.ping().await.unwrap();
}

#[tokio::test]
async fn a_busy_writer_is_no_outage() {
    let folder = tempfile::tempdir().unwrap();
    let settings = DatabaseSettings::new(format!(
        "sqlite://{}",
        folder.path().join("jeden.db").display()
    ));
    let db = Db::open(&settings).await.unwrap();
    let tx = db.begin().await.unwrap();
    db.ping().await.unwrap();
    tx.rollback().await.unwrap();
}

#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn a_server_that_stops_is_noticed_and_found_again() {
    let Some(cluster) = support::PostgresCluster::start() else {
        return;
    };
    let url = cluster.create_database("jeden").await;
    let settings = DatabaseSettings {
        read_url: Some(url.clone()),
        ..DatabaseSettings::new(&url)
    };
    let db = Db::connect(&settings).await.unwrap();
    db.migrate().await.unwrap();
    let account = accounts::create(&db, "Acme", Plan::Free, None, day(1))
        .await
        .unwrap();
    // Several connections that were used a moment ago, and are broken after the restart.
    let (first, second, third) = tokio::join!(
        accounts::list(&db),
        accounts::list(&db),
        accounts::list(&db)
    );
    assert!(first.is_ok() && second.is_ok() && third.is_ok());

    cluster.stop();
    cluster.restart();
    db.ping().await.unwrap();

    cluster.stop();
    assert!(matches!(
        db.ping().await,
        Err(StoreError::Unreachable { .. })
    ));
    assert!(matches!(
        accounts::list(&db).await,
        Err(StoreError::Database(_))
    ));

    cluster.restart();
    // A connection that was used a moment ago is not tested before it is used again. Each failure removes one.
    let mut listed = accounts::list(&db).await;
    for _ in 0..settings.connections {
        if listed.is_ok() {
            break;
        }
        listed = accounts::list(&db).await;
    }
    assert_eq!(listed.unwrap(), [account]);
    db.ping().await.unwrap();
    db.close().await;
}

#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn a_replica_that_is_gone_is_noticed() {
    let Some(primary) = support::PostgresCluster::start() else {
        return;
    };
    let Some(replica) = support::PostgresCluster::start() else {
        return;
    };
    let mut settings = DatabaseSettings::new(primary.create_database("jeden").await);
    settings.read_url = Some(replica.create_database("jeden").await);
    let db = Db::connect(&settings).await.unwrap();
    db.ping().await.unwrap();
    replica.stop();
    assert!(matches!(
        db.ping().await,
        Err(StoreError::Unreachable { .. })
    ));
    db.close().await;
}
