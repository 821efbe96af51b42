//! How a portal is crawled, declared as data and pure functions.
//!
//! Each portal fills in one [`CrawlDefinition`], in the file `crawl.rs` of its folder. A definition says what to request
//! and how to read the answers. It does no I/O: the [crawler](crate::crawl) sends requests, waits, retries and stores.

use std::time::Duration;

use schema::CrawlScope;
use serde_json::Value;

/// How one portal is crawled.
#[derive(Debug, Clone, Copy)]
pub struct CrawlDefinition {
    /// What the portal's terms and robots.txt say about programs.
    pub access: Access,
    /// How often and how the portal may be asked.
    pub policy: CrawlPolicy,
    /// The sections that together show every advert of the portal.
    pub sections: fn() -> Vec<Section>,
    /// The narrower sections to walk instead of one that has `total` adverts, if the portal cuts a section that long
    /// short. Empty if the section can be walked as it is.
    pub split: fn(&Section, total: u64) -> Vec<Section>,
    /// The request for an index page of a section. Pages count from 0.
    pub page: fn(&Section, page: u32) -> Request,
    /// Reads an index page of a section.
    pub read_page: fn(&Section, page: u32, &Answer) -> Result<IndexPage, UnexpectedAnswer>,
    /// How many adverts one request for details may name: 1 for portals that serve HTML pages.
    pub details_per_request: usize,
    /// The request for the details of at most [`details_per_request`](Self::details_per_request) adverts.
    ///
    /// Of each advert, only the number and the address are known here: the teaser is empty and there is no payload.
    /// `None` if the request needs the advert's URL and the URL is unknown.
    pub details: fn(&[IndexEntry]) -> Option<Request>,
    /// Reads the details that were requested: one for each advert in `asked`, in the same order. `asked` is what
    /// [`details`](Self::details) was given.
    pub read_details: fn(asked: &[IndexEntry], &Answer) -> Result<Vec<Detail>, UnexpectedAnswer>,
    /// The parts of a payload that change although the advert does not.
    pub volatile: Volatile,
}

/// Whether a portal lets programs read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Neither the terms nor robots.txt forbid it.
    Open,
    /// The terms or robots.txt forbid it. The portal is crawled only if the operator states that they have permission.
    Forbidden {
        /// What forbids it, worded for the operator.
        by: &'static str,
    },
}

/// How often and how a portal may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrawlPolicy {
    /// The least time between the starts of two requests.
    pub pace: Duration,
    /// The most requests in flight at once.
    pub concurrency: usize,
    /// How long one answer may take.
    pub timeout: Duration,
    /// Whether the portal answers conditional requests (`ETag`, `Last-Modified`) for details.
    pub conditional: bool,
    /// Headers that the portal requires, in addition to our `User-Agent`.
    pub headers: &'static [(&'static str, &'static str)],
}

impl CrawlPolicy {
    /// One request at a time at this pace, with a timeout of 30 seconds.
    pub const fn sequential(pace: Duration) -> Self {
        Self {
            pace,
            concurrency: 1,
            timeout: Duration::from_secs(30),
            conditional: false,
            headers: &[],
        }
    }
}

/// A part of a portal's index that is walked page by page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name: unique within the portal and stable, because an interrupted crawl resumes by it.
    pub name: String,
    /// The kinds of advert that it shows. Once every section of a scope has been walked to its end, an advert of that
    /// scope that none of them showed is missing.
    pub scope: CrawlScope,
    /// What to request, in the portal's own terms: a path, a query or a filter.
    pub query: String,
}

/// A request to a portal.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The absolute URL, on the portal's own host.
    pub url: String,
    /// The JSON to POST; a GET if `None`.
    pub body: Option<Value>,
}

/// A portal's final answer to a request, after redirects within the portal's hosts.
///
/// Statuses 429 and 5xx never appear here: the request is retried, and the crawl fails if they persist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The URL that answered, on the portal's own host.
    pub url: String,
    /// The decoded body.
    pub body: String,
}

/// One page of a section.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexPage {
    /// The adverts on it, including promoted ones, without similar adverts and advertisements.
    pub entries: Vec<IndexEntry>,
    /// How many adverts the section has in all, if the page says so.
    pub total: Option<u64>,
    /// Whether another page follows.
    pub more: bool,
}

impl IndexPage {
    /// The page after the last one.
    pub const END: Self = Self {
        entries: Vec::new(),
        total: None,
        more: false,
    };
}

/// An advert on an index page.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEntry {
    /// The portal's number of the advert.
    pub offer_id: String,
    /// The URL of the advert's page. Empty if it is unknown, as for some listings that no index page ever showed.
    pub url: String,
    /// What the index page says about the advert, as one text: price, title, area, place. It changes if the advert
    /// changes, and leaves out what changes by itself: positions, view counts, bump dates, signed image addresses.
    pub teaser: String,
    /// The payload, if the index page carries everything that the detail would. Then no detail is requested.
    pub payload: Option<Value>,
}

/// What a portal answered about one advert.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// The payload that the portal's adapter reads and that dumps hold.
    Payload(Value),
    /// The advert is no longer there.
    Gone {
        /// How the portal said so: `HTTP 404`, `redirected to https://…`.
        reason: String,
    },
}

/// The parts of a payload that are ignored when it is compared with the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Volatile {
    /// Members of JSON objects with these names, at any depth.
    Members(&'static [&'static str]),
    /// Elements of an HTML page, as CSS selectors. Of the remaining page, the visible text and the addresses of links
    /// and images are compared.
    Elements(&'static [&'static str]),
}

/// An answer that the portal is not known to give: it blocks us, or its layout has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{url} answered {found}; expected {expected}")]
pub struct UnexpectedAnswer {
    /// The URL that was requested.
    pub url: String,
    /// What came instead: a status, the beginning of a body, a missing part.
    pub found: String,
    /// What was expected.
    pub expected: &'static str,
}
