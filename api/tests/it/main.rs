//! The API over real HTTP, on every database there is.

mod support;

mod authentication;
mod caching;
mod cors;
mod cursors;
mod errors;
mod health;
mod index;
mod logging;
mod me;
mod offers_detail;
mod offers_search;
mod openapi;
mod params;
mod quota;
mod serving;
