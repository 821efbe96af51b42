//! How a portal is crawled: what it is asked, and how its answers are read.
//!
//! A portal's client is data and pure functions, one `client.rs` in the portal's folder. Who sends, waits, tries again
//! and stores is the crawl's: [`crate::crawl`].

use std::time::Duration;

use schema::CrawlScope;
use serde_json::Value;

/// How one portal is asked and understood.
#[derive(Debug, Clone, Copy)]
pub struct Client {
    /// What the portal's terms and robots.txt say of programs.
    pub access: Access,
    /// How it is treated.
    pub manners: Manners,
    /// The lists that together show every advert of the portal.
    pub sections: fn() -> Vec<Section>,
    /// The narrower lists to walk instead of one that shows `total` adverts: where the portal ends a list early. Empty
    /// where it can be walked as it is.
    pub split: fn(&Section, total: u64) -> Vec<Section>,
    /// Asks for a page of a list; the first is 0.
    pub page: fn(&Section, page: u32) -> Request,
    /// Reads a page of a list.
    pub read_page: fn(&Section, page: u32, &Answer) -> Result<IndexPage, Unexpected>,
    /// How many adverts one request for details may ask for: 1 for portals of pages.
    pub details_at_once: usize,
    /// Asks for the details of adverts, at most [`Client::details_at_once`]. Of what is asked for, number and address
    /// are known, not what a list says of it: the teaser is empty, and there is no payload. `None` where it takes the
    /// address of the page, and nobody knows it.
    pub details: fn(&[IndexEntry]) -> Option<Request>,
    /// Reads the details that were asked for, in the order of `asked` (as they are given to [`Client::details`]), one
    /// for each.
    pub read_details: fn(asked: &[IndexEntry], &Answer) -> Result<Vec<Detail>, Unexpected>,
    /// What differs from answer to answer though the advert is the same.
    pub volatile: Volatile,
}

/// Whether a portal lets programs read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Neither its terms nor its robots.txt forbid it.
    Open,
    /// They do: it is crawled only where the operator has said that they have permission.
    Forbidden {
        /// What forbids it, in words for the operator.
        by: &'static str,
    },
}

/// How a portal is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manners {
    /// The least time between the starts of two requests.
    pub pace: Duration,
    /// The most requests under way at once.
    pub concurrency: usize,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Whether it answers conditional requests (`ETag`, `Last-Modified`) for details.
    pub conditional: bool,
    /// Headers that it does not answer without, beside the honest `User-Agent`.
    pub headers: &'static [(&'static str, &'static str)],
}

impl Manners {
    /// One request after the other at this pace, each answered within half a minute.
    pub const fn one_by_one(pace: Duration) -> Self {
        Self {
            pace,
            concurrency: 1,
            timeout: Duration::from_secs(30),
            conditional: false,
            headers: &[],
        }
    }
}

/// A list of the portal that is walked page by page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its name, unique within the portal and lasting: a crawl that was stopped goes on by it.
    pub name: String,
    /// The kinds of advert that it shows. When every section of a scope was walked to its end, an advert of that scope
    /// that was in none of them is missing.
    pub scope: CrawlScope,
    /// What the portal is asked for, in its own terms: a path, a query, a filter.
    pub query: String,
}

/// A question to a portal.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The whole address, with the portal's own host.
    pub url: String,
    /// The JSON that is posted; `None` gets.
    pub body: Option<Value>,
}

/// What a portal answered in the end, redirects within its own hosts followed. Answers of 429 and 5xx never get this
/// far: they are tried again, and end the crawl when they last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The address that answered, with the portal's own host.
    pub url: String,
    /// The body as text.
    pub body: String,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexPage {
    /// The adverts on it, promoted ones included, neighbours and advertisements not.
    pub entries: Vec<IndexEntry>,
    /// How many adverts the list says it has in all, where it does.
    pub total: Option<u64>,
    /// Whether another page follows.
    pub more: bool,
}

impl IndexPage {
    /// What comes behind the last page.
    pub const END: Self = Self {
        entries: Vec::new(),
        total: None,
        more: false,
    };
}

/// An advert in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEntry {
    /// The portal's number of it.
    pub offer_id: String,
    /// Its page; empty where nobody knows it, which happens to listings that no list ever showed.
    pub url: String,
    /// What the list says of it and would say otherwise had the advert changed (price, title, area, place), in one
    /// text; without what changes by itself (places in the list, view counts, dates of bumps, signed image addresses).
    pub teaser: String,
    /// The payload, where the list carries all that its detail would: then no detail is asked for.
    pub payload: Option<Value>,
}

/// What a portal answered about one advert.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// The payload, as the portal's adapter reads it and as dumps hold it.
    Payload(Value),
    /// The advert is no longer there.
    Gone {
        /// How the portal said so: `HTTP 404`, `redirected to https://…`.
        reason: String,
    },
}

/// Parts of a payload that are left out where it is compared with the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Volatile {
    /// Members of JSON objects, wherever they stand.
    Members(&'static [&'static str]),
    /// Elements of a page by CSS selector; of the rest, the text that is shown and the addresses of links and images
    /// count.
    Elements(&'static [&'static str]),
}

/// An answer that is none of those the portal is known to give: blocked, or its layout has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{url} answered {found}; expected {expected}")]
pub struct Unexpected {
    /// What was asked.
    pub url: String,
    /// What came: a status, the beginning of a body, a part that is missing.
    pub found: String,
    /// What was expected.
    pub expected: &'static str,
}
