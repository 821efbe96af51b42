//! Heads and bodies that are malformed, too large or late, and what their clients are told.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{SOON, answer, api, connect, rest};

/// Request headers: this many lines, each with this many letters.
fn headers(lines: usize, letters: usize) -> String {
    format!("X-A: {}\r\n", "b".repeat(letters)).repeat(lines)
}

#[tokio::test]
async fn a_head_that_is_too_large_is_431_with_the_envelope() {
    let (api, _database) = api(|_| ()).await;
    let mut stream = connect(&api).await;
    for (headers, status) in [
        (headers(63, 1), 200),
        (headers(64, 1), 431),
        (headers(99, 1), 431),
        (headers(1, 32_000), 200),
        (headers(1, 33_000), 431),
        (headers(6, 10_000), 431),
    ] {
        let request = format!("GET /health HTTP/1.1\r\nHost: x\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let (head, body) = answer(&mut stream).await;
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{head}");
        if status == 431 {
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(body["error"]["code"], "invalid-request", "{body}");
            assert!(
                head.contains(
                    &format!("x-request-id: {}", body["requestId"])
                        .replace('"', "")
                        .to_lowercase()
                )
            );
        }
    }
}

/// Requests that the HTTP library cannot parse: it answers them itself and closes the connection.
#[tokio::test]
async fn malformed_requests_are_answered_without_a_body() {
    let (api, _database) = api(|_| ()).await;
    let good = "GET /health HTTP/1.1\r\nHost: x\r\n";
    for (request, status) in [
        (format!("{good}{}\r\n", headers(200, 1)), 431),
        (format!("{good}{}\r\n", headers(1, 100_000)), 431),
        (
            format!(
                "GET /health?{} HTTP/1.1\r\nHost: x\r\n\r\n",
                "x".repeat(100_000)
            ),
            431,
        ),
        ("hello\r\n\r\n".to_owned(), 400),
        ("GET /hea lth HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(), 400),
        ("GET /health HTTP/3.0\r\nHost: x\r\n\r\n".to_owned(), 400),
        (format!("{good}No Name: x\r\n\r\n"), 400),
        (
            format!("{good}Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
            400,
        ),
    ] {
        let mut stream = connect(&api).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        let refused = String::from_utf8(rest(&mut stream).await)
            .unwrap()
            .to_lowercase();
        assert!(
            refused.starts_with(&format!("http/1.1 {status}")),
            "{refused}"
        );
        assert!(
            refused.contains("content-length: 0") && refused.ends_with("\r\n\r\n"),
            "{refused}"
        );
    }
    assert_eq!(api.get("/health").await.status, 200);
}

#[tokio::test]
async fn a_request_whose_body_never_comes_is_answered_and_told_that_the_connection_closes() {
    let (api, _database) = api(|config| config.connections.head_timeout = SOON).await;
    for announced in ["Content-Length: 1000", "Transfer-Encoding: chunked"] {
        let mut stream = connect(&api).await;
        let request = format!("GET /health HTTP/1.1\r\nHost: x\r\n{announced}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let (head, _) = answer(&mut stream).await;
        assert!(head.starts_with("http/1.1 200"), "{announced}: {head}");
        assert!(head.contains("connection: close"), "{announced}: {head}");
        assert!(rest(&mut stream).await.is_empty(), "{announced}");
    }
}

#[tokio::test]
async fn a_connection_stays_open_after_a_small_body_that_arrives_late() {
    let (api, _database) = api(|_| ()).await;
    let mut stream = connect(&api).await;
    for (announced, parts) in [
        ("Content-Length: 4", ["ab", "cd"]),
        ("Transfer-Encoding: chunked", ["2\r\nab\r\n", "0\r\n\r\n"]),
        ("Content-Length: 0", ["", ""]),
    ] {
        let head = format!("GET /health HTTP/1.1\r\nHost: x\r\n{announced}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        for part in parts {
            stream.flush().await.unwrap();
            tokio::task::yield_now().await;
            stream.write_all(part.as_bytes()).await.unwrap();
        }
        let (head, _) = answer(&mut stream).await;
        assert!(head.starts_with("http/1.1 200"), "{announced}: {head}");
        assert!(!head.contains("connection: close"), "{announced}: {head}");
    }
}

#[tokio::test]
async fn a_chunked_body_over_the_limit_is_413_like_a_counted_one() {
    let (api, _database) = api(|_| ()).await;
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(4096));
    for (chunks, status) in [(4, 200), (5, 413), (100, 413)] {
        let mut stream = connect(&api).await;
        let head = "GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        let request = format!("{head}{}0\r\n\r\n", chunk.repeat(chunks));
        stream.write_all(request.as_bytes()).await.unwrap();
        let (head, body) = answer(&mut stream).await;
        assert!(
            head.starts_with(&format!("http/1.1 {status}")),
            "{chunks}: {head}"
        );
        if status == 413 {
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(body["error"]["code"], "payload-too-large", "{body}");
            assert!(head.contains("connection: close"), "{head}");
            assert!(rest(&mut stream).await.is_empty());
        }
    }
}

/// RFC 9112, 3.2.
#[tokio::test]
async fn a_request_names_exactly_one_host() {
    let (api, _database) = api(|_| ()).await;
    for (version, hosts, status) in [
        ("1.1", "Host: x\r\n", 200),
        ("1.1", "Host: [::1]:8080\r\n", 200),
        ("1.1", "Host:\r\n", 200),
        ("1.1", "", 400),
        ("1.1", "Host: x\r\nHost: x\r\n", 400),
        ("1.1", "Host: x y\r\n", 400),
        ("1.1", "Host: me@x\r\n", 400),
        ("1.0", "", 200),
        ("1.0", "Host: x\r\nHost: y\r\n", 400),
    ] {
        let mut stream = connect(&api).await;
        let request = format!("GET /health HTTP/{version}\r\n{hosts}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let (head, body) = answer(&mut stream).await;
        let answered = format!("http/{version} {status}");
        assert!(head.starts_with(&answered), "{version} {hosts:?}: {head}");
        if status == 400 {
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(body["error"]["code"], "invalid-request", "{body}");
            let message = body["error"]["message"].as_str().unwrap();
            assert!(message.contains("exactly one Host header"), "{message}");
        }
    }
}

#[tokio::test]
async fn a_client_that_is_still_sending_gets_its_answer_without_a_reset() {
    let (api, _database) = api(|_| ()).await;
    for _ in 0..5 {
        let mut stream = connect(&api).await;
        let (mut reader, mut writer) = stream.split();
        let upload = async {
            writer
                .write_all(b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n")
                .await?;
            writer.write_all(&vec![b'x'; 4_000_000]).await
        };
        let mut bytes = Vec::new();
        let (sent, read) = tokio::join!(upload, reader.read_to_end(&mut bytes));
        sent.expect("the server reads and drops what is sent");
        read.expect("the answer is complete");
        let answer = String::from_utf8(bytes).unwrap();
        assert!(
            answer.contains(" 413 ") && answer.contains("payload-too-large"),
            "{answer}"
        );
    }
}
