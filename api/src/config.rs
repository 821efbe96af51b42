//! What the caller of the API decides: addresses, limits of number and time, and the clock.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use schema::{Location, Timestamp};

/// Where the API reads the time: the binary passes the machine's clock, a test its own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A geocoder outside the process, asked for an address that the own gazetteer does not know. It answers `None` where
/// it knows no place either, and wherever it cannot be reached: a search never fails because of it.
pub type OutsideGeocoder =
    Arc<dyn Fn(String) -> BoxFuture<'static, Option<Location>> + Send + Sync>;

/// The bounds of connections: how many there are, and how long each may keep the service waiting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections open at a time; more wait in the system's queue.
    pub open: usize,
    /// How long the head of a request may take to arrive, once it has begun to.
    pub head_timeout: Duration,
    /// How long a connection stays open that nothing is asked or answered on. Longer than the 60 seconds of common load
    /// balancers, so that it is they who close, and never under a request that is just being sent.
    pub idle_timeout: Duration,
    /// How long a client may take to fetch an answer.
    pub answer_timeout: Duration,
    /// Streams of an HTTP/2 connection at a time.
    pub streams: u32,
    /// Requests of one connection that are worked on, or whose answers wait to be fetched, at a time.
    pub answers: usize,
    /// How long idle connections of HTTP/1.1 stay open once a shutdown began, for requests that are on their way.
    pub grace: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            open: 4096,
            head_timeout: Duration::from_secs(15),
            idle_timeout: Duration::from_secs(75),
            answer_timeout: Duration::from_mins(1),
            streams: 100,
            answers: 8,
            grace: Duration::from_secs(1),
        }
    }
}

impl ConnectionLimits {
    /// How often a connection is looked at: often enough to be a quarter of the shortest limit late, at most.
    pub(crate) fn looked_at_every(&self) -> Duration {
        let shortest = self
            .head_timeout
            .min(self.idle_timeout)
            .min(self.answer_timeout);
        (shortest / 4).clamp(Duration::from_millis(5), Duration::from_secs(1))
    }
}

/// The bounds of the work that is taken on: beyond them requests wait, and beyond that they are turned away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkLimits {
    /// Requests under `/v1` that are worked on at a time.
    pub at_once: usize,
    /// Requests that may wait for their turn.
    pub waiting: usize,
    /// How long each of them may wait.
    pub patience: Duration,
}

impl Default for WorkLimits {
    fn default() -> Self {
        Self {
            at_once: 128,
            waiting: 8192,
            patience: Duration::from_secs(5),
        }
    }
}

/// The settings of one API process.
#[derive(Clone)]
pub struct ApiConfig {
    /// The address clients reach the API at, without a trailing slash; written into the OpenAPI description.
    pub base_url: String,
    /// How long a search may run before it is stopped and answered 504; zero stops every search.
    pub search_timeout: Duration,
    /// Browser origins that may call the API, for example `https://example.org`; `*` allows every origin.
    pub cors_origins: Vec<String>,
    /// The time of day.
    pub clock: Clock,
    /// How long a token that was looked up is believed. A revocation or another plan takes effect after this at the
    /// latest; the interface promises 60 seconds.
    pub token_ttl: Duration,
    /// How many requests without a valid token a network may send a minute before its wrong tokens are no longer looked
    /// up; 0 allows any number. Requests with a valid token are never hindered.
    pub failed_attempts: u32,
    /// How often the search index looks for changed offers.
    pub index_poll: Duration,
    /// How long the database may take to answer a health check.
    pub health_timeout: Duration,
    /// How long the result of a health check is believed, so that no number of them keeps the database busy.
    pub health_ttl: Duration,
    /// How long others may keep an embedded database from being written before that is a fault: as long as a batch of a
    /// replay does.
    pub health_busy: Duration,
    /// How long the database may take to say whose a token is and to count its request, and as long to show one listing:
    /// longer than a batch of a replay keeps an embedded one busy. A search has its own limit.
    pub store_timeout: Duration,
    /// The bounds of connections.
    pub connections: ConnectionLimits,
    /// The bounds of the work that is taken on.
    pub work: WorkLimits,
    /// How long requests in flight may take to end once a shutdown began.
    pub drain_timeout: Duration,
    /// File of the compiled address registry. It may be missing; whenever it is there, or is another one, it is read
    /// within a minute.
    pub gazetteer: Option<PathBuf>,
    /// Asked when the own gazetteer knows no answer.
    pub outside_geocoder: Option<OutsideGeocoder>,
}

impl ApiConfig {
    /// The default settings at `base_url`, with the given clock.
    pub fn new(base_url: impl Into<String>, clock: Clock) -> Self {
        Self {
            base_url: base_url.into().trim_end_matches('/').to_owned(),
            search_timeout: Duration::from_secs(10),
            cors_origins: Vec::new(),
            clock,
            token_ttl: Duration::from_secs(20),
            failed_attempts: 60,
            index_poll: Duration::from_secs(1),
            health_timeout: Duration::from_secs(2),
            health_ttl: Duration::from_millis(500),
            health_busy: Duration::from_secs(5),
            store_timeout: Duration::from_secs(8),
            connections: ConnectionLimits::default(),
            work: WorkLimits::default(),
            // As long as a request takes at the very longest, and before a supervisor's patience (30 s as a rule) ends.
            drain_timeout: Duration::from_secs(25),
            gazetteer: None,
            outside_geocoder: None,
        }
    }

    /// The time now, by the configured clock.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }
}

impl fmt::Debug for ApiConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiConfig")
            .field("base_url", &self.base_url)
            .field("search_timeout", &self.search_timeout)
            .field("cors_origins", &self.cors_origins)
            .field("token_ttl", &self.token_ttl)
            .field("failed_attempts", &self.failed_attempts)
            .field("index_poll", &self.index_poll)
            .field("health_timeout", &self.health_timeout)
            .field("health_ttl", &self.health_ttl)
            .field("health_busy", &self.health_busy)
            .field("store_timeout", &self.store_timeout)
            .field("connections", &self.connections)
            .field("work", &self.work)
            .field("drain_timeout", &self.drain_timeout)
            .field("gazetteer", &self.gazetteer)
            .field("outside_geocoder", &self.outside_geocoder.is_some())
            .finish_non_exhaustive()
    }
}
