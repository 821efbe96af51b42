//! On PostgreSQL only `jeden migrate` changes the schema.

use support::PostgresCluster;

use super::dumps;
use super::jeden::Jeden;

#[tokio::test]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn a_database_that_is_behind_is_refused_until_it_is_migrated() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    let jeden = Jeden::on(&cluster.create_database("fresh").await);
    let replay = ["replay", dumps::folder().to_str().unwrap()].map(str::to_owned);
    let replay = replay.each_ref().map(String::as_str);
    let commands: [&[&str]; 8] = [
        &replay,
        &["serve", "--listen", "127.0.0.1:0"],
        &["clusters"],
        &["account", "list"],
        &["explain", "x"],
        &["rejects", "list"],
        &["review", "list"],
        &["token", "list"],
    ];
    for command in commands {
        let run = jeden.run(command);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{command:?}");
        assert!(
            run.stderr.contains("jeden migrate"),
            "{command:?} says what to do: {}",
            run.stderr
        );
    }
    let migrated = jeden.run(&["migrate"]);
    assert_eq!(
        (migrated.code, migrated.stdout.as_str()),
        (0, ""),
        "{}",
        migrated.stderr
    );
    let again = jeden.run(&["migrate"]);
    assert!(
        again.code == 0 && again.stderr.contains("current"),
        "{}",
        again.stderr
    );
    jeden.replay(&[&dumps::folder()]);
    jeden
        .run(&["account", "create", "acme", "--plan", "proV2"])
        .done();
    let token = jeden.run(&["token", "create", "acme"]).done();
    let server = jeden.serve(&["serve"]);
    let url = format!("{}/v1/offers?limit=3", server.base);
    let answer = support::http_client()
        .get(url)
        .bearer_auth(token.trim())
        .send()
        .await
        .unwrap();
    let answer: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(answer["data"].as_array().map(Vec::len), Some(3), "{answer}");
}

#[test]
fn the_embedded_database_is_made_by_the_first_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new.db");
    let jeden = Jeden::on(&format!("sqlite://{}", file.display()));
    assert_eq!(
        jeden.run(&["clusters"]).done(),
        "siteId,offerId,clusterId\n"
    );
    assert!(file.exists());
    let migrate = jeden.run(&["migrate"]);
    assert!(
        migrate.code == 0 && migrate.stderr.contains("current"),
        "{}",
        migrate.stderr
    );
}
