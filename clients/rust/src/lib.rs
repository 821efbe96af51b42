#![doc = include_str!("../README.md")]

mod client;
mod error;
mod records;

pub use client::{Client, Offers, Pages};
pub use error::{Error, Refusal};
pub use records::*;
