//! Sending one request, with retries.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{self, HeaderName};
use serde_json::Value;

use super::body::{self, BodyError};
use super::retry::{self, MAX_ATTEMPTS};
use super::{HttpValidators, PortalClient, RequestError};

/// A request at the portal's own URL.
pub(super) struct OutgoingRequest<'a> {
    pub(super) url: &'a Url,
    /// The JSON to POST; a GET if `None`.
    pub(super) body: Option<&'a Value>,
    /// The validators of the stored version.
    pub(super) known: Option<&'a HttpValidators>,
}

/// A response that needs no retry.
#[derive(Debug, Clone)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) location: Option<String>,
    pub(super) validators: HttpValidators,
    pub(super) body: String,
}

/// Why an attempt failed.
enum AttemptError {
    /// Another attempt may succeed.
    Transient {
        why: String,
        /// How long the portal asks us to wait.
        retry_after: Option<Duration>,
    },
    /// Another attempt would fail too.
    Permanent(RequestError),
}

impl PortalClient<'_> {
    /// Sends a request until it is answered or no attempt is left.
    pub(super) async fn send(
        &self,
        request: &OutgoingRequest<'_>,
    ) -> Result<Response, RequestError> {
        let url = || request.url.to_string();
        let mut attempt = 1;
        loop {
            let (why, retry_after) = match self.attempt(request).await {
                Ok(response) => return Ok(response),
                Err(AttemptError::Permanent(error)) => return Err(error),
                Err(AttemptError::Transient { why, retry_after }) => (why, retry_after),
            };
            if let Some(wait) = retry_after {
                self.pause(wait);
            }
            match retry_after {
                Some(wait) if wait > retry::LONGEST_RETRY_AFTER => {
                    return Err(RequestError::RetryTooLate {
                        url: url(),
                        seconds: wait.as_secs(),
                    });
                }
                _ if attempt == MAX_ATTEMPTS => {
                    return Err(RequestError::Unanswered {
                        url: url(),
                        attempts: attempt,
                        why,
                    });
                }
                _ => {}
            }
            tracing::debug!(url = %request.url, attempt, why, "retrying a request");
            let backoff = self.backoff(attempt);
            let wait = retry_after.map_or(backoff, |wait| wait.max(backoff / 4));
            self.or_stop(tokio::time::sleep(wait)).await?;
            attempt += 1;
        }
    }

    /// Lets no request be sent for this long: the portal asks every request to wait, not only the one that it refused.
    fn pause(&self, wait: Duration) {
        self.rate_limiter
            .pause(wait.min(retry::LONGEST_RETRY_AFTER));
        let until = retry::not_before((self.now)(), wait);
        let paused_until = self.paused_until.lock();
        let mut paused_until = paused_until.unwrap_or_else(PoisonError::into_inner);
        *paused_until = paused_until.max(Some(until));
    }

    async fn attempt(&self, request: &OutgoingRequest<'_>) -> Result<Response, AttemptError> {
        let _permit = self
            .or_stop(self.permits.acquire())
            .await
            .map_err(AttemptError::Permanent)?;
        self.or_stop(self.rate_limiter.wait())
            .await
            .map_err(AttemptError::Permanent)?;
        self.requests.fetch_add(1, Ordering::Relaxed);
        // A stop interrupts waiting, but never a request in flight.
        self.exchange(request).await
    }

    async fn exchange(&self, request: &OutgoingRequest<'_>) -> Result<Response, AttemptError> {
        let response = self
            .build(request)?
            .send()
            .await
            .map_err(connection_error)?;
        let status = response.status().as_u16();
        if retry::is_transient(status) {
            let retry_after = header_value(&response, &header::RETRY_AFTER)
                .and_then(|value| retry::parse_retry_after(&value, (self.now)()));
            return Err(AttemptError::Transient {
                why: format!("HTTP {status}"),
                retry_after,
            });
        }
        let content_type = header_value(&response, &header::CONTENT_TYPE);
        let location = header_value(&response, &header::LOCATION);
        let validators = HttpValidators {
            etag: header_value(&response, &header::ETAG),
            last_modified: header_value(&response, &header::LAST_MODIFIED),
        };
        let body = body::read_body(response)
            .await
            .map_err(|error| match error {
                BodyError::Broken(error) => connection_error(error),
                BodyError::TooLong => AttemptError::Permanent(RequestError::TooLong {
                    url: request.url.to_string(),
                    limit: body::MAX_BODY_BYTES,
                }),
            })?;
        self.bytes.fetch_add(body.len() as u64, Ordering::Relaxed);
        Ok(Response {
            status,
            location,
            validators,
            body: body::decode(&body, content_type.as_deref()),
        })
    }

    fn build(
        &self,
        request: &OutgoingRequest<'_>,
    ) -> Result<reqwest::RequestBuilder, AttemptError> {
        let target = match &self.settings.base_url {
            Some(base_url) => base_url.to_sent_url(request.url),
            None => Some(request.url.clone()),
        };
        let target = target.ok_or_else(|| {
            AttemptError::Permanent(RequestError::Url {
                url: request.url.to_string(),
                reason: "it cannot be combined with the base URL".to_owned(),
            })
        })?;
        let mut builder = match request.body {
            Some(body) => self.http.post(target).json(body),
            None => self.http.get(target),
        };
        for (name, value) in self.settings.policy.headers {
            builder = builder.header(*name, *value);
        }
        if let Some(known) = request.known {
            if let Some(etag) = &known.etag {
                builder = builder.header(header::IF_NONE_MATCH, etag);
            }
            if let Some(last_modified) = &known.last_modified {
                builder = builder.header(header::IF_MODIFIED_SINCE, last_modified);
            }
        }
        Ok(builder)
    }

    fn backoff(&self, attempt: u32) -> Duration {
        let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
        retry::backoff(attempt, self.settings.policy.pace, &mut *rng)
    }

    /// The output of `future`, unless the crawl is asked to stop first.
    async fn or_stop<T>(&self, future: impl Future<Output = T>) -> Result<T, RequestError> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => Err(RequestError::Stopped),
            output = future => Ok(output),
        }
    }
}

/// The connection failed, or broke within the answer.
fn connection_error(error: reqwest::Error) -> AttemptError {
    let error = error.without_url();
    let source = std::error::Error::source(&error)
        .map(|source| format!(": {source}"))
        .unwrap_or_default();
    AttemptError::Transient {
        why: format!("{error}{source}"),
        retry_after: None,
    }
}

fn header_value(response: &reqwest::Response, name: &HeaderName) -> Option<String> {
    response
        .headers()
        .get(name)
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned)
}
