//! Sending signed messages: to the operator, who is told what needs a person, and to those who want to know of changes.
//!
//! Each message is a POST of JSON. Its header `x-jeden-signature` is `sha256=` and the HMAC-SHA256 of the body with the
//! secret of the webhook, in hexadecimal digits, so that the receiver can tell it from a forged one.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Context;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use schema::Timestamp;
use schema::store::notices::DueNotice;
use serde::Serialize;
use sha2::Sha256;

/// How long the receiver may take to answer.
pub const TIMEOUT: Duration = Duration::from_secs(10);

const USER_AGENT: &str = concat!("jeden/", env!("CARGO_PKG_VERSION"));

/// The header with the signature.
const SIGNATURE: &str = "x-jeden-signature";

/// Sends messages to receivers.
#[derive(Debug, Clone)]
pub struct Sender {
    http: Client,
}

/// Where messages are sent, and the key that signs them.
#[derive(Clone)]
pub struct Receiver {
    url: Url,
    key: Hmac<Sha256>,
}

impl Receiver {
    /// The receiver at this address, with its secret.
    pub fn new(url: Url, secret: &str) -> anyhow::Result<Self> {
        let key = Hmac::new_from_slice(secret.as_bytes()).context("the key of the webhook")?;
        Ok(Self { url, key })
    }

    fn signature(&self, body: &[u8]) -> String {
        let mut key = self.key.clone();
        key.update(body);
        let bytes = key.finalize().into_bytes();
        bytes.iter().fold("sha256=".to_owned(), |mut text, byte| {
            // Writing to a text cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

impl Sender {
    /// A sender, which keeps connections for the next messages.
    pub fn new() -> anyhow::Result<Self> {
        // This fails if a provider is installed already, which is fine.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder()
            .user_agent(USER_AGENT)
            .timeout(TIMEOUT)
            .redirect(Policy::none())
            .build()?;
        Ok(Self { http })
    }

    /// Sends a body of JSON. The error says why it was not accepted, without the address, which may hold a password.
    pub async fn send(&self, to: &Receiver, body: Vec<u8>) -> Result<(), String> {
        let request = self
            .http
            .post(to.url.clone())
            .header("content-type", "application/json")
            .header(SIGNATURE, to.signature(&body))
            .body(body);
        let answer = request
            .send()
            .await
            .map_err(|error| error.without_url().to_string())?;
        if answer.status().is_success() {
            Ok(())
        } else {
            Err(format!("it answered {}", answer.status()))
        }
    }
}

/// The operator's webhook.
pub struct Webhook {
    sender: Sender,
    receiver: Receiver,
}

/// What is sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    /// Numbers the messages of a database: one that arrives twice has the same number.
    id: i64,
    about: &'a str,
    what: &'a str,
    todo: &'a str,
    noticed_at: Timestamp,
}

impl Webhook {
    /// The webhook at this address, with the operator's secret.
    pub fn new(url: Url, secret: &str) -> anyhow::Result<Self> {
        Ok(Self {
            sender: Sender::new()?,
            receiver: Receiver::new(url, secret)?,
        })
    }

    /// Sends a notice. The error says why it was not accepted.
    pub async fn send(&self, due: &DueNotice) -> Result<(), String> {
        let message = Message {
            id: due.id,
            about: &due.notice.about,
            what: &due.notice.what,
            todo: &due.notice.todo,
            noticed_at: due.noticed_at,
        };
        let body = serde_json::to_vec(&message).map_err(|error| error.to_string())?;
        self.sender.send(&self.receiver, body).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, test case 2.
    #[test]
    fn a_message_is_signed_with_the_secret() {
        let url = Url::parse("http://127.0.0.1/").unwrap();
        let receiver = Receiver::new(url, "Jefe").unwrap();
        assert_eq!(
            receiver.signature(b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
