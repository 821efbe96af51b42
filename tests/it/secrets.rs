//! A token appears in no log line, no answer and no file.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use reqwest::{Client, Method};
use support::{http_client, sqlite};

use super::jeden::Jeden;

/// Paths and queries in which a client may put a token, correctly or by mistake. `§` stands for the token.
const ADDRESSES: [&str; 34] = [
    "/v1/me?token=§",
    "/v1/offers?token=§",
    "/v1/offers/none?token=§",
    "/v1/offers?token=§&token=§",
    "/v1/offers?token=§&limit=0",
    "/v1/offers?token=§&limit=%zz",
    "/v1/offers?token=§%zz",
    "/v1/offers?token=§%ff",
    "/v1/offers?token=%§",
    "/v1/offers?token%=§",
    "/v1/offers?token%ff=§",
    "/v1/offers?tok%65n=§",
    "/v1/offers?Token=§",
    "/v1/offers?TOKEN=§&api_key=§&apikey=§&access_token=§",
    "/v1/offers?token=§;limit=1",
    "/v1/offers?limit=§",
    "/v1/offers?limit=§%zz",
    "/v1/offers?limit=1&limit=§",
    "/v1/offers?type=§",
    "/v1/offers?includeInactive=§",
    "/v1/offers?cursor=§",
    "/v1/offers?district=§&neighborhood=§",
    "/v1/offers?address=§",
    "/v1/offers?address=Praha;token=§",
    "/v1/offers?address=x&lat=§",
    "/v1/offers?§",
    "/v1/offers?§=1&§=2",
    "/v1/offers?limit=%6Adn_§",
    "/v1/offers/§",
    "/v1/offers/§/§",
    "/health?token=§",
    "/openapi.json?token=§",
    "/§",
    "/v1/%6Adn%5F§",
];

/// HTTP/1.1 requests that no HTTP library would send.
const RAW: [&str; 10] = [
    "GET /v1/me?token=§ x HTTP/1.1\r\nHost: x\r\n",
    "GET /v1/me?token=§{}<>\"^` HTTP/1.1\r\nHost: x\r\n",
    "GET /v1/me?token=§\u{e9} HTTP/1.1\r\nHost: x\r\n",
    "GET http://x/v1/me?token=§ HTTP/1.1\r\nHost: x\r\n",
    "GET /v1/me#token=§ HTTP/1.1\r\nHost: x\r\n",
    "§ /v1/me HTTP/1.1\r\nHost: x\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: §\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Api-Key: §\u{1}\r\n",
    "GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization Bearer §\r\n",
    "GET /v1/me?token=§",
];

/// Headers that may contain a token.
const HEADERS: [(&str, &str); 14] = [
    ("Authorization", "Bearer §"),
    ("Authorization", "bearer  §"),
    ("Authorization", "Basic §"),
    ("Authorization", "§"),
    ("Authorization", "Bearer §,§"),
    ("X-Api-Key", "§"),
    ("X-Api-Key", "§ §"),
    ("Cookie", "token=§"),
    ("Referer", "http://x/?token=§"),
    ("User-Agent", "§"),
    ("X-Request-Id", "§"),
    ("If-None-Match", "\"§\""),
    ("Origin", "https://§"),
    ("Accept-Encoding", "§"),
];

/// A server, and the texts that must not be found.
struct Search<'a> {
    base: &'a str,
    token: &'a str,
    client: Client,
}

impl Search<'_> {
    fn with_token(&self, text: &str) -> String {
        // If the request has the prefix in percent-encoded form already, only the rest is inserted.
        let rest = self.token.trim_start_matches("jdn_");
        text.replace("dn_§", &format!("dn_{rest}"))
            .replace("%5F§", &format!("%5F{rest}"))
            .replace('§', self.token)
    }

    /// The secret part of the token, and the parts that would suffice to guess the rest.
    fn is_in(&self, text: &str) -> bool {
        let secret = self.token.as_bytes();
        secret[4..]
            .windows(12)
            .any(|part| text.contains(std::str::from_utf8(part).unwrap()))
    }

    async fn ask(&self, method: Method, address: &str, headers: &[(&str, String)]) {
        let mut request = self
            .client
            .request(method.clone(), format!("{}{address}", self.base));
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let response = request.send().await.unwrap();
        let mut answer = format!("{:?}", response.headers());
        answer.push_str(&response.text().await.unwrap());
        assert!(
            !self.is_in(&answer),
            "{method} {address} {headers:?}: {answer}"
        );
    }

    async fn ask_everywhere(&self) {
        for address in ADDRESSES.map(|address| self.with_token(address)) {
            for method in [Method::GET, Method::HEAD, Method::POST] {
                self.ask(method, &address, &[]).await;
            }
            // An authenticated request gets errors about the rest of the request.
            self.ask(
                Method::GET,
                &address,
                &[("X-Api-Key", self.token.to_owned())],
            )
            .await;
        }
        for path in [
            "/v1/me",
            "/v1/offers",
            "/v1/offers/none",
            "/v1/offers?limit=x",
            "/health",
            "/nowhere",
        ] {
            for (name, value) in HEADERS {
                self.ask(Method::GET, path, &[(name, self.with_token(value))])
                    .await;
            }
        }
    }

    /// Sends bytes and returns the answer, until the server closes the connection or the expected answer has arrived.
    fn exchange(&self, request: &[u8], is_enough: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.base.trim_start_matches("http://")).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_mins(1)))
            .unwrap();
        stream.write_all(request).unwrap();
        let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
        while !is_enough(&answer) {
            match stream.read(&mut buffer) {
                Ok(read @ 1..) => answer.extend_from_slice(&buffer[..read]),
                _ => break,
            }
        }
        answer
    }

    fn send_raw(&self) {
        for request in RAW {
            // Latin-1, so that some requests are not UTF-8. The last one is truncated.
            let request = self.with_token(request);
            let mut bytes: Vec<u8> = request.chars().map(|char| char as u8).collect();
            if request.contains("HTTP/1.1") {
                bytes.extend_from_slice(b"Connection: close\r\n\r\n");
                let answer = self.exchange(&bytes, |_| false);
                assert!(!self.is_in(&String::from_utf8_lossy(&answer)), "{request}");
            } else {
                self.exchange(&bytes, |_| true);
            }
        }
    }

    /// The same over HTTP/2, whose library has its own log messages.
    fn send_frames(&self) {
        for (path, authority, more) in [
            ("/v1/me?token=§", "x", ""),
            ("/v1/me?token=§ x", "x", ""),
            ("/v1/me?token=§{}<>\"^`", "x", ""),
            ("/v1/me", "§ x", ""),
            ("/v1/me", "x", "§"),
            ("/v1/me", "x", "§\n"),
            ("v1/me?token=§", "x", ""),
        ] {
            let [path, authority, more] = [path, authority, more].map(|text| self.with_token(text));
            // GET and http by their numbers in HPACK's table; path, authority and X-Api-Key as literals.
            let mut block = vec![0x82, 0x86];
            literal(&mut block, &[0x04], &path);
            literal(&mut block, &[0x01], &authority);
            if !more.is_empty() {
                block.push(0);
                literal(&mut block, &[], "x-api-key");
                literal(&mut block, &[], &more);
            }
            let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
            frame(&mut bytes, (4, 0, 0), &[]);
            // The complete head of stream 1, without a body.
            frame(&mut bytes, (1, 5, 1), &block);
            let answer = self.exchange(&bytes, is_answered);
            assert!(
                is_answered(&answer),
                "{path:?} {authority:?} {more:?}: no answer"
            );
        }
    }
}

fn literal(block: &mut Vec<u8>, name: &[u8], value: &str) {
    block.extend_from_slice(name);
    block.push(u8::try_from(value.len()).unwrap());
    block.extend_from_slice(value.as_bytes());
}

fn frame(bytes: &mut Vec<u8>, (kind, flags, stream): (u8, u8, u32), payload: &[u8]) {
    bytes.extend_from_slice(&u32::try_from(payload.len()).unwrap().to_be_bytes()[1..]);
    bytes.extend_from_slice(&[kind, flags]);
    bytes.extend_from_slice(&stream.to_be_bytes());
    bytes.extend_from_slice(payload);
}

/// The complete frames: kind and stream.
fn frames(bytes: &[u8]) -> impl Iterator<Item = (u8, u32)> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (head, after) = rest.split_at_checked(9)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        rest = after.get(length..).unwrap_or_default();
        Some((
            head[3],
            u32::from_be_bytes([head[5], head[6], head[7], head[8]]),
        ))
    })
}

/// Whether stream 1 was answered or the connection was closed with GOAWAY.
fn is_answered(bytes: &[u8]) -> bool {
    frames(bytes).any(|(kind, stream)| stream == 1 || kind == 7)
}

/// Spec, Silent 28: no token is in a log, however it is sent.
#[tokio::test]
async fn a_token_is_in_no_log_line_answer_or_file_wherever_a_client_puts_it() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let account = [
        "account",
        "create",
        "acme",
        "--plan",
        "customV2",
        "--requests-per-month",
        "1000000",
    ];
    jeden.run(&account).done();
    let token = jeden
        .run(&["token", "create", "acme"])
        .done()
        .trim_end()
        .to_owned();
    // All levels of all libraries.
    let mut server = jeden.serve(&[
        "serve",
        "--log",
        "trace,h2=trace,h2::server=trace,hyper=trace",
    ]);
    let base = server.base.clone();
    let search = Search {
        base: &base,
        token: &token,
        client: http_client(),
    };
    assert!(search.is_in(&format!("x{token}y")) && !search.is_in("none"));
    search.ask_everywhere().await;
    search.send_raw();
    search.send_frames();
    let (code, log, stdout) = server.stop();
    assert_eq!(code, Some(0), "{log}");
    for line in log.lines().chain(stdout.lines()) {
        assert!(!search.is_in(line), "{line}");
    }
    assert!(
        log.lines().filter(|line| line.contains("answered")).count() > 150,
        "requests are logged:\n{log}"
    );
    // The database is a file and contains only the hash of the token.
    let file = database.url.trim_start_matches("sqlite://");
    for file in [file.to_owned(), format!("{file}-wal")] {
        let bytes = std::fs::read(&file).unwrap_or_default();
        assert!(!search.is_in(&String::from_utf8_lossy(&bytes)), "{file}");
    }
}
