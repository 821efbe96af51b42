//! The feed of changes: what happened to the merged records since a number, for followers that keep a copy.
//!
//! # Layout
//!
//! - `change` is one change as it is sent; `page` reads the changes after a number that a filter shows.
//! - `news` learns that there are new changes. `reading` reads a page, or waits for one.
//! - `endpoint` answers `GET /changes`, as one JSON document or, with `stream`, as server-sent events. [`openapi`]
//!   describes it.
//! - [`saved_search()`] reads the filter of a webhook, whose messages are the same changes.
//! - [`serve`] is the listener. Tokens, plans, the quota, limits and errors are those of the API (`api::beside`).
//!
//! `docs/FEED.md` says how a follower uses it.

mod change;
mod endpoint;
mod news;
pub mod openapi;
mod page;
mod reading;
mod saved_search;
mod service;
mod stream;

pub use change::Change;
pub use page::{Page, PageError, Wanted, read_page};
pub use saved_search::saved_search;
pub use service::{FeedConfig, serve};
