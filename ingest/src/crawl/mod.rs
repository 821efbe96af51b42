//! Crawling: walking a portal's sections and reading the adverts that are new or changed.
//!
//! # Layout
//!
//! A portal's [definition](crate::crawl_definition) says what to request and how to read the answers. The operator's
//! [`CrawlOptions`] say how to crawl. [`run()`] does it, in this order:
//!
//! 1. `walk`: walk every section; an advert that is shown unchanged is still there.
//! 2. `details`: fetch and read the details that are due.
//! 3. `missing`: ask for every live listing that no section showed.
//! 4. `run`: end the listings that are gone and store the outcome.
//!
//! `portal_client` sends the requests, `crawler` stores what was found together with the crawl's position,
//! `stable_hash` tells whether a detail has really changed, and `plausibility` raises an `alarm` if answers cannot be
//! trusted.

mod alarm;
mod crawler;
mod details;
mod error;
mod interruption;
mod missing;
mod options;
mod plausibility;
mod portal_client;
mod position;
mod report;
mod run;
mod run_log;
mod stable_hash;
mod walk;

pub use error::CrawlError;
pub use options::CrawlOptions;
pub use position::step_of;
pub use report::{CrawlProgress, CrawlReport, CrawlStep};
pub use run::{CrawlContext, run};
