//! Crawling: walking a portal's lists and reading what is new or changed, as a guest does.
//!
//! # Layout
//!
//! In the order of the flow: a portal's client says what to ask and how answers are read ([`Client`]), the operator how
//! ([`CrawlOptions`]), [`run()`] does it. The [`guest`] asks.

mod client;
mod error;
mod guest;
mod options;
mod report;
mod run;

pub use client::{
    Access, Answer, Client, Detail, IndexEntry, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
pub use error::CrawlError;
pub use options::CrawlOptions;
pub use report::{CrawlProgress, CrawlReport, CrawlStep};
pub use run::{Surroundings, run};
