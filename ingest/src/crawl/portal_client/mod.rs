//! The client that sends requests to a portal: at the policy's pace, obeying robots.txt, retrying while the portal is
//! busy, and naming itself honestly.
//!
//! URLs are always the portal's own. Only when a request is sent may another host take the portal's place
//! ([`BaseUrl`]).

mod base_url;
mod body;
mod rate_limiter;
mod retry;
mod robots_cache;
mod robots_txt;
mod send;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::Url;
use schema::Timestamp;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::options::ClientSettings;
use crate::crawl_definition::{Answer, Request};
use rate_limiter::RateLimiter;
use robots_cache::RobotsCache;
use send::Response;

pub(super) use base_url::BaseUrl;

/// How many redirects are followed.
const MAX_REDIRECTS: usize = 5;

/// Sends requests to one portal.
pub(super) struct PortalClient<'a> {
    http: reqwest::Client,
    settings: ClientSettings,
    rate_limiter: RateLimiter,
    /// The latest time until which the portal asked us to wait.
    paused_until: Mutex<Option<Timestamp>>,
    /// One permit for each request that may be in flight.
    permits: Semaphore,
    robots: RobotsCache,
    rng: Mutex<StdRng>,
    now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    stop: CancellationToken,
    requests: AtomicU64,
    bytes: AtomicU64,
}

/// What a client takes from its caller: the clock, the randomness and the stop signal.
pub(super) struct ClientContext<'a> {
    pub(super) now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    pub(super) seed: u64,
    pub(super) stop: CancellationToken,
}

/// The validators of a stored version of a page (RFC 9110, 8.8).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct HttpValidators {
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

/// An answer with the validators of its version.
#[derive(Debug, Clone)]
pub(super) struct FetchedAnswer {
    pub(super) answer: Answer,
    pub(super) validators: HttpValidators,
}

/// Why a request got no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum RequestError {
    /// The crawl was asked to stop.
    #[error("stopped")]
    Stopped,
    /// robots.txt does not allow the URL.
    #[error("{url} was not requested: {why}")]
    Disallowed { url: String, why: String },
    /// Every attempt failed.
    #[error("{url} failed {attempts} times, the last time with {why}")]
    Unanswered {
        url: String,
        attempts: u32,
        why: String,
    },
    /// The portal asks for a longer wait than a crawl waits.
    #[error("{url} asks us to come back in {seconds} s")]
    RetryTooLate { url: String, seconds: u64 },
    /// The body is longer than any page.
    #[error("{url} answers with more than {limit} bytes")]
    TooLong { url: String, limit: usize },
    /// The URL cannot be requested.
    #[error("cannot request {url:?}: {reason}")]
    Url { url: String, reason: String },
}

impl<'a> PortalClient<'a> {
    /// A client with these settings.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub(super) fn new(
        settings: ClientSettings,
        context: ClientContext<'a>,
    ) -> Result<Self, reqwest::Error> {
        // Fails if a provider is already installed, which will do.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .user_agent(&settings.user_agent)
            .timeout(settings.policy.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self {
            http,
            rate_limiter: RateLimiter::new(settings.policy.pace),
            paused_until: Mutex::new(None),
            permits: Semaphore::new(settings.policy.concurrency),
            robots: RobotsCache::default(),
            rng: Mutex::new(StdRng::seed_from_u64(context.seed)),
            now: context.now,
            stop: context.stop,
            requests: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            settings,
        })
    }

    /// How many requests were sent, and how many bytes the bodies of the answers had.
    pub(super) fn traffic(&self) -> (u64, u64) {
        (
            self.requests.load(Ordering::Relaxed),
            self.bytes.load(Ordering::Relaxed),
        )
    }

    /// How many requests may be in flight at once.
    pub(super) fn concurrency(&self) -> usize {
        self.settings.policy.concurrency
    }

    /// The current time.
    pub(super) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// Before this time the portal does not want to be asked. `None` if it never said so, or the time has passed.
    pub(super) fn not_before(&self) -> Option<Timestamp> {
        let paused_until = self.paused_until.lock();
        let until = *paused_until.unwrap_or_else(PoisonError::into_inner);
        until.filter(|until| *until > self.now())
    }

    /// Sends a request, follows redirects within the portal, and retries while the portal is busy.
    ///
    /// With `known`, the request is conditional: status 304 means that the version with these validators is current.
    pub(super) async fn fetch(
        &self,
        request: &Request,
        known: Option<&HttpValidators>,
    ) -> Result<FetchedAnswer, RequestError> {
        let mut url = parse_url(&request.url)?;
        let mut body = request.body.as_ref();
        for redirects in 0..=MAX_REDIRECTS {
            if self.settings.obey_robots {
                self.check_robots(&url).await?;
            }
            let outgoing = send::OutgoingRequest {
                url: &url,
                body,
                known,
            };
            let response = self.send(&outgoing).await?;
            let target = self.redirect_target(&url, &response);
            let Some(target) = target.filter(|_| redirects < MAX_REDIRECTS) else {
                return Ok(fetched(&url, response));
            };
            if matches!(response.status, 301..=303) {
                body = None;
            }
            url = target;
        }
        Err(RequestError::Url {
            url: url.into(),
            reason: "it redirects too often".to_owned(),
        })
    }

    /// Where a response redirects to, if that is within the portal.
    fn redirect_target(&self, from: &Url, response: &Response) -> Option<Url> {
        if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let location = response.location.as_deref()?;
        let target = match &self.settings.base_url {
            Some(base_url) => base_url.to_portal_url(from, location)?,
            None => from.join(location).ok()?,
        };
        base_url::same_portal(from, &target).then_some(target)
    }
}

fn parse_url(url: &str) -> Result<Url, RequestError> {
    let error = |reason: String| RequestError::Url {
        url: url.to_owned(),
        reason,
    };
    let parsed = Url::parse(url).map_err(|invalid| error(invalid.to_string()))?;
    if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() {
        Ok(parsed)
    } else {
        Err(error("it is neither http:// nor https://".to_owned()))
    }
}

fn fetched(url: &Url, response: Response) -> FetchedAnswer {
    FetchedAnswer {
        answer: Answer {
            status: response.status,
            url: url.to_string(),
            body: response.body,
        },
        validators: response.validators,
    }
}
