//! GET /health.

use schema::Plan;
use schema::store::{DatabaseSettings, Db};
use support::{PostgresCluster, databases};

use crate::support::{TestApi, on_each};

/// Spec, health 1: it needs no token and does not count.
/// Spec, health 2: 200 is the constant status ok.
/// Spec, Limits 3: requests that end in 500 or 504 are not counted, nor is /health.
#[tokio::test]
async fn it_is_public_and_not_counted() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let answer = api.get_as(&account, "/health").await;
        assert_eq!(
            (answer.status, answer.bytes.as_slice()),
            (200, br#"{"status":"ok"}"#.as_slice())
        );
        assert_eq!(answer.rate_limit(), (0, 0, 1_785_542_400));
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(api.get("/health").await.status, 200);
        assert_eq!(api.used(&account).await, 0);
    })
    .await;
}

/// Spec, health 3: 503 while a backing database is unreachable.
/// Spec, Silent 22: /health 503 has the error envelope, internal-error.
#[tokio::test]
async fn it_is_503_while_the_database_cannot_be_reached() {
    for database in databases().await {
        let api = TestApi::start(database.db.clone(), |_| ()).await;
        database.db.close().await;
        let answer = api.get("/health").await;
        assert_eq!(
            (answer.status, answer.code()),
            (503, "internal-error"),
            "{}",
            database.name
        );
    }
}

/// Spec, health 3: 503 while a backing database is unreachable.
#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn it_is_503_while_the_server_is_down_and_200_once_it_is_back() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    let url = cluster.create_database("health").await;
    let db = Db::connect(&DatabaseSettings::new(&url)).await.unwrap();
    db.migrate().await.unwrap();
    let api = TestApi::start(db, |_| ()).await;
    assert_eq!(api.get("/health").await.status, 200);
    cluster.stop();
    assert_eq!(api.get("/health").await.status, 503);
    cluster.restart();
    assert_eq!(api.get("/health").await.status, 200);
}

#[tokio::test]
async fn unknown_parameters_are_refused() {
    on_each(async |api| {
        let answer = api.get("/health?deep=true").await;
        assert_eq!((answer.status, answer.faulty()), (400, vec!["deep"]));
    })
    .await;
}
