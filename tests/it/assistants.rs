//! `jeden mcp` and `jeden serve --mcp-listen`.

use serde_json::{Value, json};

use super::dumps;
use super::jeden::Jeden;

fn new_token(jeden: &Jeden) -> String {
    jeden
        .run(&["account", "create", "somebody", "--plan", "investor"])
        .done();
    jeden
        .run(&["token", "create", "somebody"])
        .done()
        .trim()
        .to_owned()
}

/// The answers of `jeden mcp` to calls of tools, by their order, after the handshake.
fn talk(jeden: &Jeden, token: &str, calls: &[(&str, Value)]) -> Vec<Value> {
    let handshake = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}
    });
    let mut lines = vec![
        json!({"jsonrpc": "2.0", "id": 1000, "method": "initialize", "params": handshake}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    lines.extend(calls.iter().enumerate().map(|(id, (tool, arguments))| {
        let params = json!({"name": tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    }));
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let input = lines.join("\n") + "\n";
    let output = jeden
        .run_with(&["mcp", "--mcp-token", token, "--log", "warn"], &input)
        .done();
    let answers: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("only messages on stdout"))
        .collect();
    (0..calls.len())
        .map(|id| {
            let answer = answers.iter().find(|answer| answer["id"] == id);
            let result = &answer.expect("every call is answered before the end")["result"];
            assert_eq!(result["isError"], false, "{result}");
            result["structuredContent"].clone()
        })
        .collect()
}

#[tokio::test]
async fn an_assistant_on_the_same_machine_searches_and_is_told_why_adverts_are_one() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let token = new_token(&jeden);
        let clusters = jeden.run(&["clusters"]).done();
        let records: Vec<&str> = clusters
            .lines()
            .skip(1)
            .filter_map(|line| line.rsplit(',').next())
            .collect();
        let largest = records
            .iter()
            .max_by_key(|id| records.iter().filter(|it| it == id).count())
            .unwrap();
        let answers = talk(
            &jeden,
            &token,
            &[
                (
                    "search_offers",
                    json!({"type": "apartment", "offerType": "sale"}),
                ),
                ("explain_offer", json!({"id": largest})),
                ("recent_changes", json!({"limit": 50})),
                // Nothing was removed, so its handle is the last one.
                ("recent_changes", json!({"kinds": ["removed"]})),
            ],
        );
        assert_eq!(answers[0]["offers"].as_array().unwrap().len(), 10);
        let explained = &answers[1];
        let adverts = explained["adverts"].as_array().unwrap();
        assert!(adverts.len() > 1, "{explained}");
        let links = explained["links"].as_array().unwrap();
        assert_eq!(links.len(), adverts.len() - 1, "{explained}");
        assert!(
            !links[0]["for"].as_array().unwrap().is_empty(),
            "{explained}"
        );
        let kinds = |answer: &Value| -> Vec<String> {
            let changes = answer["changes"].as_array().unwrap().iter();
            changes
                .map(|it| it["kind"].as_str().unwrap().to_owned())
                .collect()
        };
        assert!(kinds(&answers[2]).contains(&"new".to_owned()));
        let flat = |price: i64| json!({"offerType": "sale", "type": "apartment", "city": "Brno", "priceTotal": price, "location": null});
        for (hour, key, value) in [
            (6, "listing", flat(5_000_000)),
            (7, "listing", flat(4_500_000)),
            (8, "gone", json!(true)),
        ] {
            let at = format!("2026-07-01T0{hour}:00:00Z");
            let line = json!({"siteId": "mine", "offerId": "1", "observedAt": at, key: value});
            jeden.run_with(&["replay", "-"], &line.to_string()).done();
        }
        let after = json!({"after": answers[3]["handle"]});
        let since = talk(&jeden, &token, &[("recent_changes", after)]);
        assert_eq!(kinds(&since[0]), ["new", "price_drop", "gone"]);
        let usage = talk(&jeden, &token, &[("get_usage", json!({}))]);
        assert_eq!(usage[0]["usage"]["requestsUsed"], 5);
    }
}

#[tokio::test]
async fn without_a_valid_token_an_assistant_is_not_served_and_told_why() {
    let database = support::sqlite().await;
    let jeden = Jeden::on(&database.url);
    let missing = jeden.run(&["mcp"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (1, ""));
    assert!(
        missing.stderr.contains("JEDEN_MCP_TOKEN"),
        "{}",
        missing.stderr
    );
    let wrong = jeden.run(&["mcp", "--mcp-token", "jdn_wrong"]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong.stderr.contains("unknown or was revoked"),
        "{}",
        wrong.stderr
    );
    assert!(!wrong.stderr.contains("jdn_wrong"), "{}", wrong.stderr);
}

#[tokio::test]
async fn assistants_are_served_beside_the_api_and_counted_together() {
    let database = support::sqlite().await;
    let jeden = Jeden::on(&database.url);
    let token = new_token(&jeden);
    let mut server = jeden.serve(&["serve", "--mcp-listen", "127.0.0.1:0"]);
    let client = support::http_client();
    let counted = client
        .get(format!("{}/v1/offers", server.base))
        .bearer_auth(&token);
    assert_eq!(counted.send().await.unwrap().status(), 200);
    let said = server.said();
    let url = said
        .lines()
        .find_map(|line| line.strip_prefix("Assistants are served on "))
        .unwrap();
    let params = json!({"name": "search_offers", "arguments": {}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = client
        .post(url.trim_end_matches('.'))
        .bearer_auth(&token)
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json")
        .body(body.to_string());
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["x-ratelimit-remaining"], "998");
    let (code, stderr, _) = server.stop();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!stderr.contains(&token));
}
