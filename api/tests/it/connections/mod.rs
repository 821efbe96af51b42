//! The limits on connections: slow clients, idle ones and too many.

mod http_2;
mod requests;

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
