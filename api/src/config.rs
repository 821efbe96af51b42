//! The settings of the API: addresses, limits, timeouts and the clock.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use schema::{Location, Timestamp};

/// Returns the time. The program passes the machine's clock, a test passes its own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A geocoder outside the process. It is asked for addresses that the gazetteer does not know. It returns `None` if it
/// does not know the place, and also if it cannot be reached, so that no search fails because of it.
pub type OutsideGeocoder =
    Arc<dyn Fn(String) -> BoxFuture<'static, Option<Location>> + Send + Sync>;

/// Limits on connections: how many are open, and how long each may keep the service waiting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections open at once; further ones wait in the queue of the operating system. One network may have half of
    /// them without a valid token.
    pub open: usize,
    /// How long the head of a request may take to arrive, from its first byte.
    pub head_timeout: Duration,
    /// How long an idle connection stays open. Common load balancers close theirs after 60 seconds; this is longer, so
    /// that the service never closes a connection on which a balancer is sending a request.
    pub idle_timeout: Duration,
    /// How long a client may take to read an answer.
    pub answer_timeout: Duration,
    /// Concurrent streams of an HTTP/2 connection.
    pub streams: u32,
    /// Requests of one connection that are worked on, or whose answers the client has not read, at once.
    pub answers: usize,
    /// How long idle HTTP/1.1 connections stay open after a shutdown has begun, for requests that are already on their
    /// way.
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
    /// How many connections one network may have on which no valid token was sent: half of all.
    pub(crate) fn tokenless_share(&self) -> usize {
        self.open / 2
    }

    /// How often the limits of a connection are checked: a limit is enforced at most a quarter of the shortest limit
    /// late.
    pub(crate) fn check_interval(&self) -> Duration {
        let shortest = self
            .head_timeout
            .min(self.idle_timeout)
            .min(self.answer_timeout);
        (shortest / 4).clamp(Duration::from_millis(5), Duration::from_secs(1))
    }
}

/// Limits on the requests worked on at once: further requests wait, and if too many wait, they are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkLimits {
    /// Requests under `/v1` that are worked on at once.
    pub at_once: usize,
    /// Requests that may wait.
    pub waiting: usize,
    /// How long a request may wait.
    pub longest_wait: Duration,
}

impl Default for WorkLimits {
    fn default() -> Self {
        Self {
            at_once: 128,
            waiting: 8192,
            longest_wait: Duration::from_secs(5),
        }
    }
}

/// The settings of one API process.
#[derive(Clone)]
pub struct ApiConfig {
    /// The URL at which clients reach the API, without a trailing slash; written into the OpenAPI description.
    pub base_url: String,
    /// How the operator can be reached, in the OpenAPI description: the address of a page, or for mail.
    pub contact: Option<String>,
    /// How long a search may run before it is stopped and answered with 504; zero stops every search.
    pub search_timeout: Duration,
    /// Browser origins that may call the API, for example `https://example.org`; `*` allows every origin.
    pub cors_origins: Vec<String>,
    /// The clock.
    pub clock: Clock,
    /// How long the result of looking up a token is cached. A revocation or a change of plan takes effect within this
    /// time; the interface promises 60 seconds.
    pub token_ttl: Duration,
    /// How many requests without a valid token a network may send per minute. Beyond that, its unknown tokens are no
    /// longer looked up. 0 means no limit. Requests with a valid token are always answered.
    pub failed_attempts: u32,
    /// How often the search index is updated with changed offers.
    pub index_poll: Duration,
    /// How long the database may take to answer a health check.
    pub health_timeout: Duration,
    /// How long the result of a health check is cached, so that frequent checks do not burden the database.
    pub health_ttl: Duration,
    /// How long another process may hold the write lock of an embedded database before the service counts as
    /// unhealthy: as long as a batch of a replay may take.
    pub health_busy: Duration,
    /// How long the database may take to look up a token and count the request, and again how long to read one listing.
    /// This is longer than a batch of a replay locks an embedded database. A search has its own limit.
    pub store_timeout: Duration,
    /// Limits on connections.
    pub connections: ConnectionLimits,
    /// Limits on the requests worked on at once.
    pub work: WorkLimits,
    /// How long requests in flight may take to finish after a shutdown has begun.
    pub drain_timeout: Duration,
    /// How many bytes of compressed bodies are kept for the same answers later; 0 keeps none.
    pub encoded_bodies: u64,
    /// Folder for the temporary file of documents, a little larger than the records' JSON. If it cannot be used, or
    /// without one, the file is in the system's folder for temporary files, which should not be in memory.
    pub documents: Option<PathBuf>,
    /// File of the compiled address registry. It may be missing. A new or changed file is loaded within a minute.
    pub gazetteer: Option<PathBuf>,
    /// Asked for addresses that the gazetteer does not know.
    pub outside_geocoder: Option<OutsideGeocoder>,
}

impl ApiConfig {
    /// The default settings at `base_url`, with the given clock.
    pub fn new(base_url: impl Into<String>, clock: Clock) -> Self {
        Self {
            base_url: base_url.into().trim_end_matches('/').to_owned(),
            contact: None,
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
            // Longer than any request takes, and shorter than a supervisor waits (usually 30 s).
            drain_timeout: Duration::from_secs(25),
            encoded_bodies: 8 << 20,
            documents: None,
            gazetteer: None,
            outside_geocoder: None,
        }
    }

    /// The current time of the configured clock.
    pub(crate) fn now(&self) -> Timestamp {
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
            .field("encoded_bodies", &self.encoded_bodies)
            .field("documents", &self.documents)
            .field("gazetteer", &self.gazetteer)
            .field("outside_geocoder", &self.outside_geocoder.is_some())
            .finish_non_exhaustive()
    }
}
