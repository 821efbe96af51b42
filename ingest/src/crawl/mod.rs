//! Crawling: walking a portal's lists and reading what is new or changed, as a guest does.
//!
//! # Layout
//!
//! A portal's client says what to ask and how answers are read ([`Client`]), the operator how the portal is treated
//! ([`CrawlOptions`]), and [`run()`] does it. In the order of the flow: a `Guest` asks (`guest`), the lists are walked
//! (`walk`), what is due is read (`details`), what no list showed is asked for (`missing`), and all of it is noted
//! (`crawler`). Whether two details are of one content is told by `sameness`, whether they are to be believed by
//! `sanity`; what is not is an `alarm`.

mod alarm;
mod client;
mod crawler;
mod details;
mod error;
mod guest;
mod halt;
mod missing;
mod options;
mod position;
mod report;
mod run;
mod sameness;
mod sanity;
mod walk;

pub use client::{
    Access, Answer, Client, Detail, IndexEntry, IndexPage, Manners, Request, Section, Unexpected,
    Volatile,
};
pub use error::CrawlError;
pub use options::CrawlOptions;
pub use report::{CrawlProgress, CrawlReport, CrawlStep};
pub use run::{Surroundings, run};
