//! The server process when it is stopped under load, has few open files, or cannot write files.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use reqwest::StatusCode;
use support::{databases, sqlite};

use super::jeden::{Jeden, Server};

/// More requests than any test sends.
const REQUESTS: u32 = 1_000_000;

/// An account without a practical limit.
fn token(jeden: &Jeden) -> String {
    let requests = REQUESTS.to_string();
    jeden
        .run(&[
            "account",
            "create",
            "acme",
            "--plan",
            "customV2",
            "--requests-per-month",
            &requests,
        ])
        .done();
    jeden
        .run(&["token", "create", "acme"])
        .done()
        .trim()
        .to_owned()
}

fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.base.trim_start_matches("http://")).unwrap()
}

/// Sends a request and reads its whole answer. Returns the head in lower case.
fn ask(stream: &mut TcpStream, token: &str) -> String {
    let request = format!("GET /v1/offers HTTP/1.1\r\nHost: x\r\nX-Api-Key: {token}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream
            .read_exact(&mut byte)
            .expect("the request is answered");
        head.extend(byte);
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .unwrap();
    stream
        .read_exact(&mut vec![0; length.parse().unwrap()])
        .expect("the answer is complete");
    head
}

fn remaining(head: &str) -> u32 {
    let line = head
        .lines()
        .find_map(|line| line.strip_prefix("x-ratelimit-remaining: "));
    line.unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_server_stopped_under_load_answers_every_request_it_received() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let token = token(&jeden);
        let mut server = jeden.serve(&["serve"]);
        let clients: Vec<_> = (0..20)
            .map(|_| {
                let (mut stream, token) = (connect(&server), token.clone());
                std::thread::spawn(move || {
                    for answered in 1_u32.. {
                        let head = ask(&mut stream, &token);
                        assert!(head.starts_with("http/1.1 200"), "{head}");
                        if head.contains("connection: close") {
                            return (answered, remaining(&head));
                        }
                    }
                    (0, 0)
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(500));
        let (code, log, _) = server.stop();
        let (answered, remaining): (Vec<u32>, Vec<u32>) = clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .unzip();
        assert_eq!(code, Some(0), "{log}");
        let counted = REQUESTS - remaining.into_iter().min().unwrap();
        assert_eq!(
            counted,
            answered.into_iter().sum::<u32>(),
            "a counted request was answered"
        );
    }
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[tokio::test]
async fn a_server_raises_its_limit_of_open_files() {
    if !has("prlimit") {
        eprintln!("prlimit is not installed: the test of few open files is skipped");
        return;
    }
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let token = token(&jeden);
    let server = jeden.serve_under(&["prlimit", "--nofile=64:1024"], &["serve"]);
    let mut streams: Vec<TcpStream> = (0..300).map(|_| connect(&server)).collect();
    for stream in &mut streams {
        assert!(ask(stream, &token).starts_with("http/1.1 200"));
    }
}

/// Files cannot grow, as on a full disk but with another error.
#[tokio::test]
async fn a_server_whose_files_cannot_grow_answers_500_until_they_can() {
    if !has("prlimit") {
        eprintln!("prlimit is not installed: the test of files that may not grow is skipped");
        return;
    }
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let token = token(&jeden);
    let server = jeden.serve_under(
        &["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""],
        &["serve"],
    );
    let client = support::http_client();
    let status = async |path: &str| {
        let request = client
            .get(format!("{}{path}", server.base))
            .bearer_auth(&token);
        request.send().await.unwrap().status()
    };
    let may_grow_to = |size: &str| {
        let process = server.process().to_string();
        let set = Command::new("prlimit")
            .args([&format!("--fsize={size}:"), "--pid", &process])
            .status();
        assert!(set.unwrap().success());
    };
    assert_eq!(status("/v1/offers").await, StatusCode::OK);
    may_grow_to("4096");
    for _ in 0..3 {
        assert_eq!(
            status("/v1/offers").await,
            StatusCode::INTERNAL_SERVER_ERROR
        );
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(status("/health").await, StatusCode::SERVICE_UNAVAILABLE);
    may_grow_to("unlimited");
    assert_eq!(status("/v1/offers").await, StatusCode::OK);
    let me = client
        .get(format!("{}/v1/me", server.base))
        .bearer_auth(&token)
        .send()
        .await
        .unwrap();
    let me = me.text().await.unwrap();
    assert!(
        me.contains("\"requestsUsed\":2"),
        "only what was answered is counted: {me}"
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(status("/health").await, StatusCode::OK);
}
