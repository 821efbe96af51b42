//! Crawling: walking a portal's lists and reading what is new or changed, as a guest does.

mod client;

pub use client::{
    Access, Answer, Client, Detail, IndexEntry, IndexPage, Manners, Request, Section, Unexpected, Volatile,
};
