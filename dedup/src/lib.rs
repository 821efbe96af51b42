//! Which listings are one property.
//!
//! # Layout
//!
//! In the order of the flow: a listing in comparable form ([`profile`], its address by [`addresses`]), what only the
//! whole set tells of it ([`survey`]), which pairs are worth a look ([`blocking`]), field by field ([`comparison`]), the
//! match weight and what forbids a match ([`scoring`]), who belongs together ([`clustering`]), all of that over listings
//! in memory ([`engine`]) and as they change ([`index`]), the merged record ([`merging`]) and its id ([`identity`]).
//! Those are pure: no I/O, no clock, no chance.
//!
//! [`worker`] feeds them from the store and writes back; [`explanation`] answers why two adverts are one, or are not;
//! [`evaluation`] how well all of it does against what is known; [`questions`] what to ask a person.

pub mod addresses;
pub mod blocking;
pub mod clustering;
pub mod comparison;
pub mod engine;
pub mod evaluation;
pub mod explanation;
pub mod identity;
pub mod index;
pub mod merging;
pub mod profile;
pub mod questions;
pub mod scoring;
pub mod survey;
pub mod worker;
