//! Accounts and tokens from creation to revocation. A token is never stored.

use support::{databases, http_client, sqlite};

use super::jeden::Jeden;

/// Creates a token, which must be printed alone on stdout and nowhere else.
fn token(jeden: &Jeden, account: &str) -> (String, String) {
    let run = jeden.run(&["token", "create", account]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let token = run.stdout.strip_suffix('\n').expect("a line").to_owned();
    assert!(
        token.len() >= 32 && !token.contains(char::is_whitespace),
        "{token:?}"
    );
    assert!(!run.stderr.contains(&token), "{}", run.stderr);
    let listed = jeden.run(&["token", "list", account]).done();
    assert!(
        !listed.contains(&token),
        "the list never shows a token:\n{listed}"
    );
    let id = listed
        .lines()
        .last()
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .to_owned();
    (token, id)
}

async fn status(url: &str, token: &str) -> u16 {
    http_client()
        .get(url)
        .bearer_auth(token)
        .send()
        .await
        .unwrap()
        .status()
        .as_u16()
}

#[tokio::test]
async fn a_token_is_valid_until_it_is_revoked() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        jeden
            .run(&["account", "create", "acme", "--plan", "proV2"])
            .done();
        let ((kept, _), (revoked, id)) = (token(&jeden, "acme"), token(&jeden, "acme"));
        let mut server = jeden.serve(&["serve"]);
        let me = format!("{}/v1/me", server.base);
        assert_eq!(
            (status(&me, &kept).await, status(&me, &revoked).await),
            (200, 200)
        );
        assert_eq!(status(&me, "made-up").await, 401);
        jeden.run(&["token", "revoke", &id]).done();
        jeden.run(&["token", "revoke", &id]).done();
        server.stop();
        // A running server caches the token for a while; one that starts now does not know it.
        let server = jeden.serve(&["serve"]);
        let me = format!("{}/v1/me", server.base);
        assert_eq!(
            (status(&me, &kept).await, status(&me, &revoked).await),
            (200, 401),
            "{}",
            database.name
        );
    }
}

/// Spec, Silent 28: no token is in a log, however it is sent.
#[tokio::test]
async fn a_token_is_in_no_log_however_it_is_sent_and_whatever_is_logged() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    jeden
        .run(&["account", "create", "acme", "--plan", "investor"])
        .done();
    let (token, _) = token(&jeden, "acme");
    let mut server = jeden.serve(&["serve", "--log", "trace"]);
    let base = server.base.clone();
    let client = http_client();
    let requests = [
        client.get(format!("{base}/v1/me?token={token}")),
        client.get(format!("{base}/v1/me")).bearer_auth(&token),
        client
            .get(format!("{base}/v1/me"))
            .header("X-Api-Key", &token),
    ];
    for request in requests {
        assert_eq!(request.send().await.unwrap().status().as_u16(), 200);
    }
    let wrong = client
        .get(format!("{base}/v1/offers?token={token}x&limit=x"))
        .send()
        .await
        .unwrap();
    assert_eq!(wrong.status().as_u16(), 401);
    let (code, log, stdout) = server.stop();
    assert_eq!(
        (code, stdout.as_str()),
        (Some(0), ""),
        "the server shuts down gracefully"
    );
    assert!(log.contains("/v1/me"), "requests are logged:\n{log}");
    let secret: String = token.chars().skip(token.chars().count() / 2).collect();
    assert!(!log.contains(&secret), "a token is in the log");
}

#[tokio::test]
async fn accounts_keep_the_plan_they_were_created_with() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let made = jeden.run(&["account", "create", "acme", "--plan", "free"]);
        assert_eq!(
            (made.code, made.stdout.as_str()),
            (0, ""),
            "{}",
            made.stderr
        );
        let again = jeden.run(&["account", "create", "acme", "--plan", "free"]);
        assert_eq!(again.code, 1);
        assert!(again.stderr.contains("acme"), "{}", again.stderr);
        let override_of_free = jeden.run(&[
            "account",
            "create",
            "other",
            "--plan",
            "free",
            "--requests-per-month",
            "9",
        ]);
        assert_ne!(
            override_of_free.code, 0,
            "the override is for customV2 only"
        );
        let custom = [
            "account",
            "create",
            "big",
            "--plan",
            "customV2",
            "--requests-per-month",
            "123456",
        ];
        jeden.run(&custom).done();
        jeden
            .run(&["account", "set-plan", "acme", "investor"])
            .done();
        let list = jeden.run(&["account", "list"]).done();
        let row = |name: &str| {
            list.lines()
                .find(|line| line.trim_start().starts_with(name))
                .unwrap_or_default()
        };
        assert!(row("acme").to_lowercase().contains("investor"), "{list}");
        assert!(row("big").contains("123456"), "{list}");
        assert!(row("other").is_empty(), "{list}");
        jeden
            .run(&[
                "account",
                "set-plan",
                "acme",
                "customV2",
                "--requests-per-month",
                "4321",
            ])
            .done();
        jeden
            .run(&["account", "set-plan", "big", "customV2"])
            .done();
        let list = jeden.run(&["account", "list"]).done();
        assert!(list.contains("4321") && list.contains("123456"), "{list}");
    }
}

/// Spec, Silent 27: the quota is exact over concurrent requests to several processes.
#[tokio::test]
async fn a_quota_is_shared_by_all_servers_of_a_database() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let custom = [
            "account",
            "create",
            "small",
            "--plan",
            "customV2",
            "--requests-per-month",
            "7",
        ];
        jeden.run(&custom).done();
        let (token, _) = token(&jeden, "small");
        let servers = [jeden.serve(&["serve"]), jeden.serve(&["serve"])];
        let mut served = 0;
        for turn in 0..12 {
            let url = format!("{}/v1/offers", servers[turn % 2].base);
            match status(&url, &token).await {
                200 => served += 1,
                status => assert_eq!(status, 429),
            }
        }
        assert_eq!(served, 7, "on {}", database.name);
    }
}
