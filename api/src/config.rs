//! What the caller of the API decides: addresses, limits of time, and the clock.

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
pub type OutsideGeocoder = Arc<dyn Fn(String) -> BoxFuture<'static, Option<Location>> + Send + Sync>;

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
    /// How often the search index looks for changed offers.
    pub index_poll: Duration,
    /// How long the database may take to answer a health check.
    pub health_timeout: Duration,
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
            index_poll: Duration::from_secs(1),
            health_timeout: Duration::from_secs(2),
            // Twice the longest search, and well before a supervisor's patience (30 s as a rule) ends.
            drain_timeout: Duration::from_secs(20),
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
            .field("index_poll", &self.index_poll)
            .field("health_timeout", &self.health_timeout)
            .field("drain_timeout", &self.drain_timeout)
            .field("gazetteer", &self.gazetteer)
            .field("outside_geocoder", &self.outside_geocoder.is_some())
            .finish_non_exhaustive()
    }
}
