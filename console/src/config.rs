//! The settings of the console, and what the program lends to it.

use std::fmt;
use std::sync::Arc;

use api::{ApiState, Clock};
use dedup::addresses::Addresses;
use futures::future::BoxFuture;
use schema::Timestamp;

use crate::street_map::StreetMap;

/// Gives the search engine. The first call may take as long as loading it takes.
pub type SearchSource = Arc<dyn Fn() -> BoxFuture<'static, Result<ApiState, String>> + Send + Sync>;

/// Gives what reads addresses, with the edition of the registry that is on this machine now.
pub type AddressSource =
    Arc<dyn Fn() -> BoxFuture<'static, Result<Addresses, String>> + Send + Sync>;

/// Brings the records up to date with the decisions, now or by a worker.
pub type Deduplicate = Arc<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// Says why a portal must not be crawled or scheduled, if so.
pub type MayCrawl = Arc<dyn Fn(&str) -> Result<(), String> + Send + Sync>;

/// The id of the edition of the address registry on this machine.
pub type EditionHere = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// What the program lends to the console.
#[derive(Clone)]
pub struct ProgramParts {
    /// The clock.
    pub clock: Clock,
    /// The search engine.
    pub search: SearchSource,
    /// What reads addresses.
    pub addresses: AddressSource,
    /// Brings the records up to date.
    pub deduplicate: Deduplicate,
    /// Whether a portal may be crawled.
    pub may_crawl: MayCrawl,
    /// The edition of the registry file.
    pub edition_here: EditionHere,
}

/// The settings of the console.
#[derive(Clone)]
pub struct ConsoleConfig {
    /// The hosts that a request may name, with their port unless it is the default: `127.0.0.1:8090`.
    pub hosts: Vec<String>,
    /// Whether browsers reach the console by HTTPS; cookies are then sent by HTTPS only.
    pub has_tls: bool,
    /// The header in which a reverse proxy names the person it has identified; `None` trusts no header.
    pub person_header: Option<String>,
    /// The street map beneath the maps; `None` shows none.
    pub street_map: Option<Arc<StreetMap>>,
    /// What the program lends.
    pub program: ProgramParts,
}

impl ConsoleConfig {
    /// Whose data the street map shows, if there is one.
    pub(crate) fn streets(&self) -> Option<&str> {
        self.street_map.as_ref().map(|map| map.attribution())
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.program.clock)()
    }
}

impl fmt::Debug for ConsoleConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsoleConfig")
            .field("hosts", &self.hosts)
            .field("has_tls", &self.has_tls)
            .field("person_header", &self.person_header)
            .field("street_map", &self.street_map.is_some())
            .finish_non_exhaustive()
    }
}
