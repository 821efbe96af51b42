//! What the protocol demands: revisions, headers, definitions of tools.

use reqwest::StatusCode;
use schema::Plan;
use serde_json::{Value, json};

use crate::support::{flat, on_each, save};

const NAMES: [&str; 8] = [
    "search_offers",
    "get_offer",
    "compare_offers",
    "locate_place",
    "price_statistics",
    "recent_changes",
    "explain_offer",
    "get_usage",
];

#[tokio::test]
async fn the_newest_revision_needs_no_handshake() {
    on_each(async |server| {
        save(&server.db, flat("a")).await;
        let account = server.account(Plan::Pro).await;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}
        });
        let send = async |method: &str, mut params: Value, name: &str| {
            params["_meta"] = meta.clone();
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            let mut request = server
                .post(&body)
                .bearer_auth(&account.token)
                .header("mcp-protocol-version", "2026-07-28")
                .header("mcp-method", method);
            if !name.is_empty() {
                request = request.header("mcp-name", name);
            }
            let response = request.send().await.unwrap();
            let status = response.status();
            let body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
            (status, body)
        };
        let (status, found) = send("server/discover", json!({}), "").await;
        assert_eq!(status, StatusCode::OK, "{found}");
        assert_eq!(found["result"]["ttlMs"], 3_600_000, "{found}");
        let (_, tools) = send("tools/list", json!({}), "").await;
        assert_eq!(tools["result"]["ttlMs"], 3_600_000);
        assert_eq!(tools["result"]["cacheScope"], "public");
        let call = json!({"name": "get_offer", "arguments": {"id": "a"}});
        let (_, called) = send("tools/call", call.clone(), "get_offer").await;
        assert_eq!(called["result"]["isError"], false, "{called}");
        let (status, refused) = send("tools/call", call, "search_offers").await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(refused["error"]["code"], -32020, "{refused}");
        assert_eq!(server.used(&account).await, 1);
    })
    .await;
}

#[tokio::test]
async fn older_revisions_are_answered_with_a_handshake_and_without_a_session() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            let params = json!({
                "protocolVersion": revision,
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}
            });
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
            let request = server.post(&body).bearer_auth(&account.token);
            let response = request.send().await.unwrap();
            assert!(response.headers().get("mcp-session-id").is_none());
            let found: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
            assert_eq!(found["result"]["protocolVersion"], revision, "{found}");
            let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            let said = server
                .post(&said)
                .bearer_auth(&account.token)
                .send()
                .await
                .unwrap();
            assert_eq!(said.status(), StatusCode::ACCEPTED);
        }
    })
    .await;
}

#[tokio::test]
async fn another_host_and_a_foreign_origin_are_refused() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        for (name, value) in [
            ("host", "attacker.example"),
            ("origin", "https://attacker.example"),
        ] {
            let request = server
                .post(&body)
                .bearer_auth(&account.token)
                .header(name, value);
            assert_eq!(
                request.send().await.unwrap().status(),
                StatusCode::FORBIDDEN,
                "{name}"
            );
        }
        let own = server.post(&body).bearer_auth(&account.token);
        let own = own.header("origin", "http://localhost:3000");
        assert_eq!(own.send().await.unwrap().status(), StatusCode::OK);
    })
    .await;
}

#[tokio::test]
async fn a_message_over_64_kilobytes_is_413() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let long = "x".repeat(70_000);
        let body =
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": long}});
        let response = server
            .post(&body)
            .bearer_auth(&account.token)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
        let text = response.text().await.unwrap();
        assert!(
            text.contains("payload-too-large") && text.contains("smaller"),
            "{text}"
        );
    })
    .await;
}

#[tokio::test]
async fn another_path_is_404_and_another_method_405() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let client = support::http_client();
        for (path, status) in [
            ("/other", StatusCode::NOT_FOUND),
            ("/mcp", StatusCode::METHOD_NOT_ALLOWED),
        ] {
            let request = client
                .get(format!("http://{}{path}", server.address))
                .header("accept", "text/event-stream")
                .bearer_auth(&account.token);
            assert_eq!(request.send().await.unwrap().status(), status, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn tools_are_listed_in_one_order_with_schemas_and_all_annotations() {
    on_each(async |server| {
        let account = server.account(Plan::Free).await;
        let listed = server.ask(&account, "tools/list", json!({})).await;
        let tools = listed["tools"].as_array().unwrap();
        let names: Vec<&str> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, NAMES);
        for tool in tools {
            let hints = &tool["annotations"];
            assert_eq!(hints["readOnlyHint"], true);
            assert_eq!(hints["destructiveHint"], false);
            assert_eq!(hints["idempotentHint"], true);
            assert_eq!(hints["openWorldHint"], false);
            for schema in ["inputSchema", "outputSchema"] {
                assert_eq!(
                    tool[schema]["type"], "object",
                    "{schema} of {}",
                    tool["name"]
                );
            }
            assert_eq!(tool["inputSchema"]["additionalProperties"], false);
            let properties = tool["inputSchema"]["properties"].as_object().unwrap();
            for (name, property) in properties {
                assert!(
                    property["description"].is_string(),
                    "{name} of {}",
                    tool["name"]
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn prompts_and_districts_are_completed() {
    on_each(async |server| {
        let mut kladno = flat("a");
        kladno.attributes.district = Some("Kladno".to_owned());
        save(&server.db, kladno).await;
        save(&server.db, flat("b")).await;
        let account = server.account(Plan::Free).await;
        let prompts = server.ask(&account, "prompts/list", json!({})).await;
        assert_eq!(prompts["prompts"].as_array().unwrap().len(), 2);
        let get = json!({"name": "find_home", "arguments": {"district": "Kladno", "priceMax": "4000000"}});
        let prompt = server.ask(&account, "prompts/get", get).await;
        let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(text.contains("Kladno") && text.contains("priceMax 4000000"), "{text}");
        let complete = json!({
            "ref": {"type": "ref/prompt", "name": "find_home"},
            "argument": {"name": "district", "value": "kl"}
        });
        let completed = server.ask(&account, "completion/complete", complete).await;
        assert_eq!(completed["completion"]["values"], json!(["Kladno"]));
        let missing = json!({"name": "find_home", "arguments": {}});
        let answer = server.answer(&account, "prompts/get", missing).await;
        assert_eq!(answer["error"]["code"], -32602);
        assert_eq!(server.used(&account).await, 0);
    })
    .await;
}
