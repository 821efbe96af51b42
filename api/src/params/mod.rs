//! Query parameters: one table of what is accepted, and a reader that reports every fault at once.
//!
//! # Layout
//!
//! `table` says which parameters a search takes; the OpenAPI description is written from it. `query` takes a raw
//! query string apart, `value` reads one value, `nearest` knows what a refused one most likely means, `search` reads a
//! whole search and holds the rules between parameters. Unknown names, repeated parameters, empty values and undecodable ones are faults, never ignored.

mod faults;
mod nearest;
mod query;
mod search;
mod table;
mod value;

pub use faults::{Fault, Faults};
pub use query::{TOKEN, sends_token, token_of};
pub use search::{Centre, SearchParams, no_parameters, no_parameters_but_token, search};
pub use table::{Field, Kind, Param, SEARCH};
pub(crate) use value::shown;
