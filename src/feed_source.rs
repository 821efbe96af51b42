//! Reading the feed of changes of another server.

use std::time::Duration;

use anyhow::{Context, anyhow};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::progress::say;

/// The largest page, which is also the fastest to read.
const LIMIT: &str = "500";
/// How long an answer may take to arrive.
const TIMEOUT: Duration = Duration::from_mins(2);
/// How often a request is sent before the feed counts as unreachable.
const ATTEMPTS: u32 = 5;
/// The wait after the first failed attempt; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait before asking again whether the quota has room: a larger plan takes effect within a minute.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// A page of changes.
#[derive(Debug, Deserialize)]
pub struct Page {
    /// The changes, in the order of their numbers.
    pub data: Vec<Change>,
    /// Where the next page begins.
    pub pagination: Pagination,
}

/// Where the next page begins.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// Whether there are more changes already.
    pub has_more: bool,
    /// The number after which the next page is.
    pub next_after: i64,
}

/// A change of a record.
#[derive(Debug, Deserialize)]
pub struct Change {
    /// The record.
    pub id: String,
    /// Its detail; `None` if it is no longer among those that are followed.
    pub offer: Option<Box<RawValue>>,
}

/// Why there is no page.
#[derive(Debug)]
pub enum Failure {
    /// The feed cannot bring a copy up to date that knows this number only: the changes since are no longer kept, or its
    /// database was restored from a backup.
    CannotGoOn(String),
    /// Another one; [`Unreachable`] is among its causes if the feed may answer later.
    Other(anyhow::Error),
}

/// The feed does not answer.
#[derive(Debug)]
pub struct Unreachable;

impl std::fmt::Display for Unreachable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the feed of changes does not answer")
    }
}

#[derive(Deserialize)]
struct Envelope {
    error: ErrorBody,
}

#[derive(Deserialize)]
struct ErrorBody {
    code: String,
    message: String,
    #[serde(default)]
    details: Vec<ErrorDetail>,
}

#[derive(Deserialize)]
struct ErrorDetail {
    path: String,
    message: String,
}

/// The feed of a server, read with a token.
pub struct FeedSource {
    http: Client,
    url: Url,
    token: String,
}

impl FeedSource {
    /// The feed at this address, such as `https://feed.example.org`, with the filters of a query.
    ///
    /// # Errors
    /// If the address is not an http or https URL.
    pub fn new(address: &str, filters: &str, token: &str) -> anyhow::Result<Self> {
        let changes = format!("{}/changes", address.trim_end_matches('/'));
        let url = Url::parse(&changes).ok();
        let mut url = url
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .with_context(|| {
                format!("--from {address:?} is not an http or https URL such as https://feed.example.org")
            })?;
        url.set_query(Some(filters).filter(|query| !query.is_empty()));
        // This fails if a provider is installed already, which is fine.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder()
            .user_agent(concat!("jeden/", env!("CARGO_PKG_VERSION")))
            .timeout(TIMEOUT)
            .build()?;
        Ok(Self {
            http,
            url,
            token: token.to_owned(),
        })
    }

    /// The page after a number. Asks again if the feed does not answer, and waits while the quota is used up.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn page(&self, after: i64) -> Result<Page, Failure> {
        let (mut attempts, mut wait, mut is_waiting) = (0, FIRST_WAIT, false);
        loop {
            let failure = match self.ask(after).await {
                Ok((200, _, body)) => match serde_json::from_slice(&body) {
                    Ok(page) => return Ok(page),
                    Err(error) => {
                        let error =
                            anyhow!(error).context("the answer is not one of a feed of changes");
                        return Err(Failure::Other(error));
                    }
                },
                Ok((429, headers, body)) => {
                    if !is_waiting {
                        say(&format!("The feed answers: {} Waiting.", message(&body)));
                        is_waiting = true;
                    }
                    tokio::time::sleep(retry_after(&headers).min(LONGEST_WAIT)).await;
                    continue;
                }
                Ok((status, _, body)) if status < 500 => {
                    return Err(refusal(status, &body));
                }
                Ok((status, _, body)) => anyhow!("it answered {status}: {}", message(&body)),
                Err(error) => anyhow!(error.without_url()),
            };
            attempts += 1;
            if attempts == ATTEMPTS {
                return Err(Failure::Other(failure.context(Unreachable)));
            }
            tokio::time::sleep(wait).await;
            wait *= 2;
        }
    }

    /// The status, the headers and the body of an answer.
    async fn ask(&self, after: i64) -> reqwest::Result<(u16, HeaderMap, Vec<u8>)> {
        let request = self.http.get(self.url.clone()).bearer_auth(&self.token);
        let request = request.query(&[("after", &*after.to_string()), ("limit", LIMIT)]);
        let answer = request.send().await?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        Ok((status, headers, answer.bytes().await?.to_vec()))
    }
}

/// How long the feed asks to wait.
fn retry_after(headers: &HeaderMap) -> Duration {
    let seconds = headers
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok());
    let seconds = seconds.and_then(|text| text.trim().parse().ok());
    seconds.map_or(LONGEST_WAIT, Duration::from_secs)
}

fn refusal(status: u16, body: &[u8]) -> Failure {
    let Ok(Envelope { error }) = serde_json::from_slice(body) else {
        return Failure::Other(anyhow!("the feed answered {status}"));
    };
    let of_number = error.details.iter().find(|detail| detail.path == "after");
    match of_number {
        _ if error.code == "changes-expired" => Failure::CannotGoOn(error.message),
        Some(detail) => Failure::CannotGoOn(format!("after {}", detail.message)),
        None => {
            let details = error
                .details
                .iter()
                .map(|detail| format!("; {} {}", detail.path, detail.message));
            let details: String = details.collect();
            Failure::Other(anyhow!(
                "the feed answered {status}: {}{details}",
                error.message
            ))
        }
    }
}

/// What an answer says, in its own words if it is an error of a feed.
fn message(body: &[u8]) -> String {
    match serde_json::from_slice::<Envelope>(body) {
        Ok(envelope) => envelope.error.message,
        Err(_) => "without a reason".to_owned(),
    }
}
