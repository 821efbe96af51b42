//! An outside geocoder, and what happens to a search when it fails.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use support::sqlite;

use super::jeden::{Jeden, Server};

/// A Nominatim server that knows one place and fails for another.
struct Nominatim {
    url: String,
    asked: Arc<AtomicUsize>,
    /// The request line and the headers of the last request.
    question: Arc<Mutex<String>>,
}

impl Nominatim {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/geocoder/", listener.local_addr().unwrap());
        let (asked, question) = (
            Arc::new(AtomicUsize::new(0)),
            Arc::new(Mutex::new(String::new())),
        );
        let (count, last) = (Arc::clone(&asked), Arc::clone(&question));
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let request = read_request(&connection);
                count.fetch_add(1, Ordering::SeqCst);
                // The test looks at the question as soon as it has the answer.
                last.lock().unwrap().clone_from(&request);
                respond(connection, &request);
            }
        });
        Self {
            url,
            asked,
            question,
        }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn read_request(connection: &TcpStream) -> String {
    let lines = BufReader::new(connection).lines().map_while(Result::ok);
    lines
        .take_while(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

fn respond(mut connection: TcpStream, request: &str) {
    let first = request.lines().next().unwrap_or_default();
    let (status, body) = if first.contains("Qwxzkj") {
        (
            "200 OK",
            r#"[{"lat":"49.7437","lon":"15.3386","display_name":"Qwxzkj"}]"#,
        )
    } else if first.contains("Vbnmpl") {
        ("500 Internal Server Error", "")
    } else if first.contains("Wvkjqx") {
        ("200 OK", r#"[{"lat":"36.42","lon":"-5.14"}]"#)
    } else {
        ("200 OK", "[]")
    };
    let length = body.len();
    let answer =
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
    connection.write_all(answer.as_bytes()).unwrap();
}

async fn search(server: &Server, token: &str, address: &str) -> u16 {
    let url = format!("{}/v1/offers", server.base);
    let request = support::http_client()
        .get(url)
        .query(&[("address", address)]);
    request
        .bearer_auth(token)
        .send()
        .await
        .unwrap()
        .status()
        .as_u16()
}

#[tokio::test]
async fn the_geocoder_is_asked_once_for_unknown_addresses_and_may_fail() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    jeden
        .run(&["account", "create", "acme", "--plan", "proV2"])
        .done();
    let token = jeden.run(&["token", "create", "acme"]).done();
    let token = token.trim();
    let outside = Nominatim::start();
    let mut server = jeden.serve(&[
        "serve",
        "--geocoder-url",
        &outside.url,
        "--geocoder-pace",
        "0s",
        "--log",
        "debug",
    ]);

    assert_eq!(
        (search(&server, token, "Brno").await, outside.asked()),
        (200, 0),
        "known here"
    );
    assert_eq!(
        (search(&server, token, "Qwxzkj").await, outside.asked()),
        (200, 1),
        "known there"
    );
    let question = outside.question.lock().unwrap().to_lowercase();
    assert!(question.starts_with("get /geocoder/search?"), "{question}");
    assert!(
        question.contains("countrycodes=cz") && question.contains("user-agent: jeden/"),
        "{question}"
    );
    assert_eq!(
        (search(&server, token, "QWXZKJ ").await, outside.asked()),
        (200, 1),
        "kept"
    );
    assert_eq!(
        (search(&server, token, "Zxcvbq").await, outside.asked()),
        (400, 2),
        "known nowhere"
    );
    assert_eq!(
        (search(&server, token, "Zxcvbq").await, outside.asked()),
        (400, 2),
        "cached as well"
    );
    assert_eq!(
        (search(&server, token, "Wvkjqx").await, outside.asked()),
        (400, 3),
        "in another country"
    );
    assert_eq!(
        (search(&server, token, "Vbnmpl").await, outside.asked()),
        (400, 4),
        "failed"
    );
    assert_eq!(
        (search(&server, token, "Vbnmpl").await, outside.asked()),
        (400, 5),
        "asked again"
    );
    let (_, log, _) = server.stop();
    assert!(log.contains("the outside geocoder"), "{log}");
    assert!(
        !log.to_lowercase().contains("vbnmpl&"),
        "the text is in the log:\n{log}"
    );
}

#[tokio::test]
async fn if_the_geocoder_is_unreachable_the_gazetteers_error_is_returned() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    jeden
        .run(&["account", "create", "acme", "--plan", "proV2"])
        .done();
    let token = jeden.run(&["token", "create", "acme"]).done();
    // A port that was just released, so that nothing listens on it.
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let server = jeden.serve(&["serve", "--geocoder-url", &format!("http://{gone}")]);
    assert_eq!(search(&server, token.trim(), "Brno").await, 200);
    assert_eq!(search(&server, token.trim(), "Qwxzkj").await, 400);
}

#[test]
fn an_invalid_geocoder_url_is_refused_at_start() {
    let folder = tempfile::tempdir().unwrap();
    let jeden = Jeden::on(&format!(
        "sqlite://{}",
        folder.path().join("new.db").display()
    ));
    for url in ["nominatim", "ftp://nominatim.example"] {
        let run = jeden.run(&["serve", "--listen", "127.0.0.1:0", "--geocoder-url", url]);
        assert!(
            run.code == 1 && run.stderr.contains("JEDEN_GEOCODER_URL"),
            "{}",
            run.stderr
        );
    }
}
