//! How Czech texts write names, addresses, floors and order numbers.
//!
//! Address search (`gazetteer`), the portal adapters (`ingest`) and matching (`dedup`) all read Czech text. Whatever
//! two of them need to know about the language is here, once. Every function is pure: text in, value out.
//!
//! # Layout
//!
//! From letters to meaning:
//!
//! | module | knows |
//! |---|---|
//! | [`fold`](mod@fold) | one form for all spellings: lower case, no diacritics |
//! | [`text`] | cleaning published text: spaces, invisible characters |
//! | [`tokens`] | three ways to cut a text up: running text, address lines, text for comparison |
//! | [`names`] | match keys of streets and places |
//! | [`inflection`] | names in other cases than the nominative: `v Praze` |
//! | [`countries`] | the Czech Republic and other countries in an advert |
//! | [`numbered_parts`] | towns with numbered parts: `Praha 5`, `Plzeň 3` |
//! | [`house_number`] | building, registration and orientation numbers |
//! | [`street_in_text`](mod@street_in_text) | the street that a running text announces |
//! | [`floor`] | floors, in fields and in running text |
//! | [`order_code`] | the agency's order number in running text |
//!
//! Values whose types belong to the listing (prices, areas, room layouts) are read in `ingest::notation`, because this
//! crate does not know those types. Distances are methods of `schema::Location`.

pub mod countries;
pub mod floor;
pub mod fold;
pub mod house_number;
pub mod inflection;
pub mod names;
pub mod numbered_parts;
pub mod order_code;
pub mod street_in_text;
pub mod text;
pub mod tokens;

pub use fold::{fold, fold_name};
