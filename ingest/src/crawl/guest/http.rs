//! One request, sent until it is answered.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderName};
use reqwest::{Response, Url};
use serde_json::Value;

use super::body::{self, Unread};
use super::patience::{self, ATTEMPTS};
use super::{Guest, GuestError, Marks};

/// What is asked, at the portal's own address.
pub(super) struct Question<'a> {
    pub(super) url: &'a Url,
    /// What is posted; `None` gets.
    pub(super) body: Option<&'a Value>,
    /// The version that is known already.
    pub(super) known: Option<&'a Marks>,
}

/// What came.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) location: Option<String>,
    pub(super) marks: Marks,
    pub(super) body: String,
}

/// An attempt that is to be repeated.
struct Passing {
    why: String,
    /// How long the portal asks to wait.
    asked: Option<Duration>,
}

enum Failure {
    Passing(Passing),
    Lasting(GuestError),
}

impl Guest<'_> {
    /// Sends until there is an answer that is no passing failure.
    pub(super) async fn send(&self, question: &Question<'_>) -> Result<Reply, GuestError> {
        let mut attempt = 1;
        loop {
            let passing = match self.attempt(question).await {
                Ok(reply) => return Ok(reply),
                Err(Failure::Lasting(error)) => return Err(error),
                Err(Failure::Passing(passing)) => passing,
            };
            let url = || question.url.to_string();
            if let Some(asked) = passing
                .asked
                .filter(|asked| *asked > patience::LONGEST_ASKED)
            {
                return Err(GuestError::Later {
                    url: url(),
                    seconds: asked.as_secs(),
                });
            }
            if attempt == ATTEMPTS {
                return Err(GuestError::Unanswered {
                    url: url(),
                    attempts: attempt,
                    why: passing.why,
                });
            }
            tracing::debug!(url = %question.url, attempt, why = passing.why, "trying again");
            let wait = self.backoff(attempt);
            if let Some(asked) = passing.asked {
                // It is meant for whoever asks, not for this one question.
                self.pace.pause(asked);
            }
            self.unless_stopped(tokio::time::sleep(
                passing.asked.map_or(wait, |asked| asked.max(wait / 4)),
            ))
            .await?;
            attempt += 1;
        }
    }

    async fn attempt(&self, question: &Question<'_>) -> Result<Reply, Failure> {
        let place = self
            .unless_stopped(self.places.acquire())
            .await
            .map_err(Failure::Lasting)?;
        self.unless_stopped(self.pace.turn())
            .await
            .map_err(Failure::Lasting)?;
        self.requests.fetch_add(1, Ordering::Relaxed);
        // What is under way is finished: only waiting is cut short.
        let reply = self.exchange(question).await;
        drop(place);
        reply
    }

    async fn exchange(&self, question: &Question<'_>) -> Result<Reply, Failure> {
        let response = self.request(question)?.send().await.map_err(interrupted)?;
        let status = response.status().as_u16();
        if patience::is_passing(status) {
            let asked = header(&response, &header::RETRY_AFTER);
            let asked = asked.and_then(|value| patience::retry_after(&value, (self.now)()));
            return Err(Failure::Passing(Passing {
                why: format!("HTTP {status}"),
                asked,
            }));
        }
        let content_type = header(&response, &header::CONTENT_TYPE);
        let location = header(&response, &header::LOCATION);
        let marks = Marks {
            etag: header(&response, &header::ETAG),
            last_modified: header(&response, &header::LAST_MODIFIED),
        };
        let body = body::read(response).await.map_err(|unread| match unread {
            Unread::Broken(error) => interrupted(error),
            Unread::TooLong => Failure::Lasting(GuestError::TooLong {
                url: question.url.to_string(),
                limit: body::LONGEST,
            }),
        })?;
        self.bytes.fetch_add(body.len() as u64, Ordering::Relaxed);
        Ok(Reply {
            status,
            location,
            marks,
            body: body::text(&body, content_type.as_deref()),
        })
    }

    fn request(&self, question: &Question<'_>) -> Result<reqwest::RequestBuilder, Failure> {
        let address = match &self.treatment.base {
            Some(base) => base.address(question.url),
            None => Some(question.url.clone()),
        };
        let address = address.ok_or_else(|| {
            let (url, reason) = (
                question.url.to_string(),
                "the base URL does not take it".to_owned(),
            );
            Failure::Lasting(GuestError::Address { url, reason })
        })?;
        let mut request = match question.body {
            Some(body) => self.http.post(address).json(body),
            None => self.http.get(address),
        };
        for (name, value) in self.treatment.manners.headers {
            request = request.header(*name, *value);
        }
        if let Some(known) = question.known {
            if let Some(etag) = &known.etag {
                request = request.header(header::IF_NONE_MATCH, etag);
            }
            if let Some(modified) = &known.last_modified {
                request = request.header(header::IF_MODIFIED_SINCE, modified);
            }
        }
        Ok(request)
    }

    fn backoff(&self, attempt: u32) -> Duration {
        let mut chance = self.chance.lock().unwrap_or_else(PoisonError::into_inner);
        patience::backoff(attempt, self.treatment.manners.pace, &mut *chance)
    }

    /// What comes of waiting for `what`, unless the crawl is asked to stop first.
    async fn unless_stopped<T>(&self, what: impl Future<Output = T>) -> Result<T, GuestError> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(GuestError::Stopped),
            done = what => Ok(done),
        }
    }
}

/// The connection failed, or the answer broke off.
fn interrupted(error: reqwest::Error) -> Failure {
    let why = error.without_url();
    let cause = std::error::Error::source(&why)
        .map(|source| format!(": {source}"))
        .unwrap_or_default();
    Failure::Passing(Passing {
        why: format!("{why}{cause}"),
        asked: None,
    })
}

fn header(response: &Response, name: &HeaderName) -> Option<String> {
    let headers: &HeaderMap = response.headers();
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}
