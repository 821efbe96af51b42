//! Asking a portal as a guest: at its pace, by its robots.txt, patient where it is busy, and under an honest name.
//!
//! Addresses are the portal's own everywhere; only in the moment of sending another host may take its place
//! ([`Base`]).

mod base;
mod body;
mod hosts;
mod http;
mod pace;
mod patience;
mod robots;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand::rngs::StdRng;
use reqwest::Url;
use schema::Timestamp;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::client::{Answer, Request};
use super::options::Treatment;
use hosts::Hosts;
use http::Reply;
use pace::Pace;

pub(super) use base::Base;

/// How many redirects are followed.
const HOPS: usize = 5;

/// Whoever asks a portal.
pub(super) struct Guest<'a> {
    http: reqwest::Client,
    treatment: Treatment,
    pace: Pace,
    /// Requests that may be under way.
    places: Semaphore,
    hosts: Hosts,
    chance: Mutex<StdRng>,
    now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    stop: CancellationToken,
    requests: AtomicU64,
    bytes: AtomicU64,
}

/// What a guest is given.
pub(super) struct Provisions<'a> {
    pub(super) now: &'a (dyn Fn() -> Timestamp + Send + Sync),
    pub(super) seed: u64,
    pub(super) stop: CancellationToken,
}

/// Marks of the version of a page that is known already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Marks {
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

/// An answer, and the marks of its version.
#[derive(Debug, Clone)]
pub(super) struct Answered {
    pub(super) answer: Answer,
    pub(super) marks: Marks,
}

/// Why a portal gave no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum GuestError {
    /// The crawl was asked to stop.
    #[error("stopped")]
    Stopped,
    /// The portal's robots.txt does not allow it.
    #[error("{url} is not asked for: {why}")]
    Disallowed { url: String, why: String },
    /// It was tried again and again.
    #[error("{url} was tried {attempts} times; the last answer was {why}")]
    Unanswered {
        url: String,
        attempts: u32,
        why: String,
    },
    /// The portal wants to be left alone for long.
    #[error("{url} asks to come back in {seconds} s")]
    Later { url: String, seconds: u64 },
    /// An answer longer than any page is.
    #[error("{url} answers more than {limit} bytes")]
    TooLong { url: String, limit: usize },
    /// An address that is none.
    #[error("{url:?} is no address: {reason}")]
    Address { url: String, reason: String },
}

impl<'a> Guest<'a> {
    /// A guest who treats the portal so.
    ///
    /// # Errors
    /// Where no TLS can be had.
    pub(super) fn new(
        treatment: Treatment,
        provisions: Provisions<'a>,
    ) -> Result<Self, reqwest::Error> {
        // A provider that is there already will do.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .user_agent(&treatment.user_agent)
            .timeout(treatment.manners.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self {
            http,
            pace: Pace::of(treatment.manners.pace),
            places: Semaphore::new(treatment.manners.concurrency),
            hosts: Hosts::default(),
            chance: Mutex::new(StdRng::seed_from_u64(provisions.seed)),
            now: provisions.now,
            stop: provisions.stop,
            requests: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            treatment,
        })
    }

    /// How many requests were sent, and how many bytes the bodies of their answers had.
    pub(super) fn spent(&self) -> (u64, u64) {
        (
            self.requests.load(Ordering::Relaxed),
            self.bytes.load(Ordering::Relaxed),
        )
    }

    /// How many requests may be under way at once.
    pub(super) fn concurrency(&self) -> usize {
        self.treatment.manners.concurrency
    }

    /// The time.
    pub(super) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// Asks, follows redirects within the portal, and tries again where the portal is busy. With `known`, an answer of
    /// 304 says that that version is still the one.
    pub(super) async fn ask(
        &self,
        request: &Request,
        known: Option<&Marks>,
    ) -> Result<Answered, GuestError> {
        let mut url = parse(&request.url)?;
        let mut body = request.body.as_ref();
        for hop in 0..=HOPS {
            if self.treatment.obey_robots {
                self.may_ask(&url).await?;
            }
            let question = http::Question {
                url: &url,
                body,
                known,
            };
            let reply = self.send(&question).await?;
            let Some(target) = self.redirect(&url, &reply).filter(|_| hop < HOPS) else {
                return Ok(answered(&url, reply));
            };
            if matches!(reply.status, 301..=303) {
                body = None;
            }
            url = target;
        }
        Err(GuestError::Address {
            url: url.into(),
            reason: "it redirects again and again".to_owned(),
        })
    }

    /// Where the reply leads, within the portal.
    fn redirect(&self, from: &Url, reply: &Reply) -> Option<Url> {
        if !matches!(reply.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let location = reply.location.as_deref()?;
        let target = match &self.treatment.base {
            Some(base) => base.portal_address(from, location)?,
            None => from.join(location).ok()?,
        };
        base::same_portal(from, &target).then_some(target)
    }
}

fn parse(url: &str) -> Result<Url, GuestError> {
    let refused = |reason: String| GuestError::Address {
        url: url.to_owned(),
        reason,
    };
    let parsed = Url::parse(url).map_err(|error| refused(error.to_string()))?;
    if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() {
        Ok(parsed)
    } else {
        Err(refused("it is neither http:// nor https://".to_owned()))
    }
}

fn answered(url: &Url, reply: Reply) -> Answered {
    Answered {
        answer: Answer {
            status: reply.status,
            url: url.to_string(),
            body: reply.body,
        },
        marks: reply.marks,
    }
}
