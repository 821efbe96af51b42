//! The limits on connections: slow clients, idle ones, too many, and harmful use of HTTP/2.

use std::io::ErrorKind;
use std::time::Duration;

use api::ApiConfig;
use support::TestDatabase;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::TestApi;

/// The limit that a test sets if it waits until the limit is reached.
const SOON: Duration = Duration::from_millis(100);
/// Longer than anything that is expected to happen.
const NEVER: Duration = Duration::from_secs(20);

const HEALTH: &[u8] = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n";

/// An API on SQLite, because connections do not depend on the database.
async fn api(configure: impl FnOnce(&mut ApiConfig)) -> (TestApi, TestDatabase) {
    let database = support::sqlite().await;
    (
        TestApi::start(database.db.clone(), configure).await,
        database,
    )
}

async fn connect(api: &TestApi) -> TcpStream {
    TcpStream::connect(api.url.trim_start_matches("http://"))
        .await
        .unwrap()
}

/// Everything until the connection closes in any way; fails if it stays open.
async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    match timeout(NEVER, stream.read_to_end(&mut bytes))
        .await
        .expect("the connection closes")
    {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("{error}"),
        _ => bytes,
    }
}

/// The head of one answer, and its body.
async fn answer(stream: &mut TcpStream) -> (String, Vec<u8>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(
            timeout(NEVER, stream.read_u8())
                .await
                .expect("an answer arrives")
                .unwrap(),
        );
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).await.unwrap();
    (head, body)
}

#[tokio::test]
async fn a_head_that_is_never_complete_is_cut_off_even_if_bytes_keep_coming() {
    let (api, _database) = api(|config| config.connections.head_timeout = SOON).await;
    let mut stream = connect(&api).await;
    let drip = async {
        stream
            .write_all(b"GET /health HTTP/1.1\r\nX-Slow: ")
            .await?;
        loop {
            stream.write_all(b"x").await?;
            tokio::time::sleep(SOON / 10).await;
        }
    };
    let ended: std::io::Result<()> = timeout(NEVER, drip).await.expect("the connection ends");
    ended.unwrap_err();
}

#[tokio::test]
async fn the_head_of_a_later_request_must_be_complete_in_time_too() {
    let (api, _database) = api(|config| config.connections.head_timeout = SOON).await;
    let mut stream = connect(&api).await;
    stream.write_all(HEALTH).await.unwrap();
    assert!(answer(&mut stream).await.0.starts_with("http/1.1 200"));
    stream.write_all(b"GET /health HT").await.unwrap();
    assert!(rest(&mut stream).await.is_empty());
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let (api, _database) = api(|config| config.connections.idle_timeout = SOON).await;
    let mut silent = connect(&api).await;
    assert!(rest(&mut silent).await.is_empty());
    let mut used = connect(&api).await;
    used.write_all(HEALTH).await.unwrap();
    assert!(answer(&mut used).await.0.starts_with("http/1.1 200"));
    assert!(rest(&mut used).await.is_empty());
}

#[tokio::test]
async fn the_idle_timeout_is_longer_than_the_head_timeout() {
    let (api, _database) = api(|config| config.connections.head_timeout = SOON).await;
    let mut stream = connect(&api).await;
    for _ in 0..2 {
        stream.write_all(HEALTH).await.unwrap();
        assert!(answer(&mut stream).await.0.starts_with("http/1.1 200"));
        tokio::time::sleep(SOON * 3).await;
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answers_is_disconnected() {
    let (api, _database) = api(|config| config.connections.answer_timeout = SOON).await;
    let mut stream = connect(&api).await;
    let flood = async {
        loop {
            stream
                .write_all(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
                .await?;
        }
    };
    let ended: std::io::Result<()> = timeout(NEVER, flood).await.expect("the connection ends");
    ended.unwrap_err();
    assert_eq!(api.get("/health").await.status, 200);
}

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

/// A connection from another address of this machine.
async fn connect_from(api: &TestApi, address: &str) -> TcpStream {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket
        .bind(format!("{address}:0").parse().unwrap())
        .unwrap();
    let server = api.url.trim_start_matches("http://").parse().unwrap();
    socket.connect(server).await.unwrap()
}

#[tokio::test]
async fn one_address_cannot_take_all_connections_without_a_token() {
    let (api, _database) = api(|config| config.connections.open = 4).await;
    let account = api.account(schema::Plan::Pro).await;
    let with_token = format!(
        "GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Api-Key: {}\r\n\r\n",
        account.token
    );
    let mut customer = connect_from(&api, "127.0.0.2").await;
    customer.write_all(with_token.as_bytes()).await.unwrap();
    assert!(answer(&mut customer).await.0.starts_with("http/1.1 200"));
    let mut silent = Vec::new();
    for _ in 0..6 {
        silent.push(connect_from(&api, "127.0.0.2").await);
    }
    let mut elsewhere = connect_from(&api, "127.0.0.3").await;
    elsewhere.write_all(HEALTH).await.unwrap();
    assert!(answer(&mut elsewhere).await.0.starts_with("http/1.1 200"));
    // Its oldest connections made room, and not the one with a token.
    for mut oldest in silent.drain(..4) {
        assert!(rest(&mut oldest).await.is_empty());
    }
    for open in &mut silent {
        open.write_all(HEALTH).await.unwrap();
        assert!(answer(open).await.0.starts_with("http/1.1 200"));
    }
    customer.write_all(with_token.as_bytes()).await.unwrap();
    assert!(answer(&mut customer).await.0.starts_with("http/1.1 200"));
}

#[tokio::test]
async fn the_number_of_connections_is_bounded() {
    let (api, _database) = api(|config| config.connections.open = 2).await;
    let mut one = connect_from(&api, "127.0.0.2").await;
    let mut other = connect_from(&api, "127.0.0.3").await;
    for stream in [&mut one, &mut other] {
        stream.write_all(HEALTH).await.unwrap();
        assert!(answer(stream).await.0.starts_with("http/1.1 200"));
    }
    let mut third = connect(&api).await;
    third.write_all(HEALTH).await.unwrap();
    assert!(
        timeout(SOON, third.read_u8()).await.is_err(),
        "the third waits"
    );
    drop(one);
    assert!(answer(&mut third).await.0.starts_with("http/1.1 200"));
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

/// The start of a connection with settings, each an identifier and a value.
fn preface(settings: &[(u16, u32)]) -> Vec<u8> {
    let settings = settings.iter().flat_map(|(name, value)| {
        name.to_be_bytes()
            .into_iter()
            .chain(value.to_be_bytes())
            .collect::<Vec<u8>>()
    });
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(SETTINGS, 0, 0, &settings.collect::<Vec<u8>>()));
    bytes
}

/// A complete request without a body: GET (2 of HPACK's static table), http (6), the path (a literal with name 4), and an
/// authority (a literal with name 1).
fn get(stream: u32, path: &str) -> Vec<u8> {
    let mut block = vec![0x82, 0x86, 0x04, path.len() as u8];
    block.extend(path.as_bytes());
    block.extend([0x01, 1, b'x']);
    frame(HEADERS, 0x4 | 0x1, stream, &block)
}

/// The received frames: kind, stream, payload.
fn frames(mut bytes: &[u8]) -> Vec<(u8, u32, Vec<u8>)> {
    let mut frames = Vec::new();
    while let Some((head, rest)) = bytes.split_at_checked(9) {
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let Some((payload, rest)) = rest.split_at_checked(length) else {
            break;
        };
        frames.push((head[3], stream, payload.to_vec()));
        bytes = rest;
    }
    frames
}

#[tokio::test]
async fn an_idle_http_2_connection_gets_goaway() {
    let (api, _database) = api(|config| config.connections.idle_timeout = SOON).await;
    let mut stream = connect(&api).await;
    stream.write_all(&preface(&[])).await.unwrap();
    stream.write_all(&get(1, "/health")).await.unwrap();
    let frames = frames(&rest(&mut stream).await);
    assert!(
        frames
            .iter()
            .any(|(kind, stream, _)| (*kind, *stream) == (HEADERS, 1)),
        "it is answered: {frames:?}"
    );
    assert!(
        frames.iter().any(|(kind, ..)| *kind == GOAWAY),
        "{frames:?}"
    );
}

#[tokio::test]
async fn an_http_2_client_that_accepts_no_data_is_disconnected() {
    let (api, _database) = api(|config| config.connections.answer_timeout = SOON).await;
    let mut stream = connect(&api).await;
    // The window of every stream is zero.
    stream.write_all(&preface(&[(0x4, 0)])).await.unwrap();
    stream.write_all(&get(1, "/openapi.json")).await.unwrap();
    let frames = frames(&rest(&mut stream).await);
    assert!(
        frames.iter().any(|(kind, ..)| *kind == HEADERS),
        "{frames:?}"
    );
    assert!(frames.iter().all(|(kind, ..)| *kind != DATA), "{frames:?}");
}

#[tokio::test]
async fn no_more_work_is_done_for_an_http_2_client_that_reads_nothing() {
    let (api, _database) = api(|config| {
        config.connections.answers = 2;
        config.connections.answer_timeout = SOON * 5;
    })
    .await;
    let mut stream = connect(&api).await;
    stream.write_all(&preface(&[(0x4, 0)])).await.unwrap();
    for request in 0..10 {
        stream
            .write_all(&get(2 * request + 1, "/openapi.json"))
            .await
            .unwrap();
    }
    let frames = frames(&rest(&mut stream).await);
    assert_eq!(
        frames.iter().filter(|(kind, ..)| *kind == HEADERS).count(),
        2
    );
}

#[tokio::test]
async fn http_2_streams_are_bounded_and_the_client_is_told() {
    let (api, _database) = api(|config| {
        config.connections.streams = 7;
        config.connections.idle_timeout = SOON;
    })
    .await;
    let mut stream = connect(&api).await;
    stream.write_all(&preface(&[])).await.unwrap();
    let frames = frames(&rest(&mut stream).await);
    let (_, _, settings) = frames.iter().find(|(kind, ..)| *kind == SETTINGS).unwrap();
    let told = settings
        .chunks(6)
        .any(|setting| setting == [0, 3, 0, 0, 0, 7]);
    assert!(told, "{settings:?}");
}

#[tokio::test]
async fn immediately_cancelled_requests_end_the_connection() {
    let (api, _database) = api(|_| ()).await;
    let mut stream = connect(&api).await;
    let mut flood = preface(&[]);
    for request in 0..2_000 {
        flood.extend(get(2 * request + 1, "/health"));
        flood.extend(frame(RST_STREAM, 0, 2 * request + 1, &8_u32.to_be_bytes()));
    }
    // The connection may close before everything is sent.
    let _sent = stream.write_all(&flood).await;
    let frames = frames(&rest(&mut stream).await);
    let (_, _, goaway) = frames
        .iter()
        .find(|(kind, ..)| *kind == GOAWAY)
        .expect("a GOAWAY frame");
    let enhance_your_calm = 11_u32.to_be_bytes();
    assert_eq!(goaway[4..8], enhance_your_calm, "{goaway:?}");
    assert_eq!(api.get("/health").await.status, 200);
}
