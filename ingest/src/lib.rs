//! From what a portal sends to a stored listing.
//!
//! # Layout
//!
//! In the order of the flow:
//!
//! - [`crawl`] asks the portals as [`crawl_definition`] describes each, and [`dumps`] reads files of what was observed.
//! - [`portals`] has an adapter for each portal, which reads a payload into a listing. What adapters share is beside
//!   it: `json` reads fields of JSON leniently, [`pages`] reads HTML pages, [`notation`] reads Czech prices, areas, floors
//!   and the like, and `answers` tells a crawl what a portal's answer means. Agencies deliver their adverts as XML-RPC
//!   ([`xml_rpc`]).
//! - [`reading`] is what an adapter returns, and [`value_bounds`] leaves out implausible values.
//! - [`timeline`] folds the observations of a listing into its state, and `brief_form` says what a list item changes in it.
//! - [`intake`] writes all of it to the store.

mod answers;
mod brief_form;
pub mod crawl;
pub mod crawl_definition;
pub mod dumps;
pub mod intake;
mod json;
pub mod notation;
pub mod pages;
pub mod portals;
pub mod reading;
pub mod timeline;
pub mod value_bounds;
pub mod xml_rpc;
