//! A streaming replica that lags, catches up and is promoted.

use std::time::{Duration, Instant};

use serde_json::Value;
use support::{PostgresCluster, http_client};

use super::dumps;
use super::jeden::{Jeden, Server};

const DATABASE: &str = "replicated";

/// An account and a token of it.
fn token(jeden: &Jeden, account: &str) -> String {
    jeden
        .run(&["account", "create", account, "--plan", "investor"])
        .done();
    let token = jeden.run(&["token", "create", account]).done();
    token.trim().to_owned()
}

/// The status and body of an answer.
async fn get(server: &Server, path: &str, token: &str) -> (u16, Value) {
    let request = http_client().get(format!("{}{path}", server.base));
    let answer = request.bearer_auth(token).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// How many records a search finds, all pages together.
async fn records(server: &Server, token: &str) -> usize {
    let (mut found, mut cursor) = (0, String::new());
    loop {
        let path = format!("/v1/offers?limit=25&includeInactive=true{cursor}");
        let (status, body) = get(server, &path, token).await;
        assert_eq!(status, 200, "{body}");
        found += body["data"].as_array().unwrap().len();
        match body["pagination"]["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn a_replica_that_lags_answers_nothing_that_must_be_current_and_a_promoted_one_loses_nothing()
{
    let Some(primary) = PostgresCluster::start() else {
        return;
    };
    let database = primary.migrated_database(DATABASE).await;
    let jeden = Jeden::on(&database.url);
    jeden
        .run_with(&["replay", "-"], &dumps::authored("sreality").join("\n"))
        .done();
    let early = token(&jeden, "early");
    let replica = primary.replica();
    let settings = ["serve", "--database-read-url", &replica.url(DATABASE)];
    let server = jeden.serve(&settings);
    let before = records(&server, &early).await;

    replica
        .execute(DATABASE, "SELECT pg_wal_replay_pause()")
        .await;
    let late = token(&jeden, "late");
    jeden
        .run_with(&["replay", "-"], &dumps::authored("idnes").join("\n"))
        .done();
    let (status, me) = get(&server, "/v1/me", &late).await;
    assert_eq!(status, 200, "a token is read from the primary: {me}");
    assert_eq!(
        records(&server, &late).await,
        before,
        "records are those of the replica"
    );
    let (_, counted) = get(&server, "/v1/me", &late).await;
    let direct = jeden.serve(&["serve"]);
    let all = records(&direct, &early).await;
    assert!(
        all > before,
        "{all} records on the primary, {before} on the replica"
    );
    drop(direct);

    replica
        .execute(DATABASE, "SELECT pg_wal_replay_resume()")
        .await;
    let deadline = Instant::now() + Duration::from_mins(1);
    while records(&server, &early).await != all {
        assert!(Instant::now() < deadline, "the server follows the replica");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(server);
    replica.catch_up_with(&primary).await;
    database.db.close().await;
    primary.stop();
    replica.promote();
    let promoted = Jeden::on(&replica.url(DATABASE));
    let server = promoted.serve(&["serve"]);
    assert_eq!(records(&server, &early).await, all);
    let (_, me) = get(&server, "/v1/me", &late).await;
    assert_eq!(me, counted, "no count is lost");
    primary.restart();
}
