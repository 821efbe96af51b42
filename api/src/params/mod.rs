//! Query parameters: a table of what is accepted, and a parser that reports all errors at once.
//!
//! # Layout
//!
//! `definitions` lists the parameters of a search, and `changes` those of a read of changes; the OpenAPI descriptions
//! are written from them. `param` has the types of
//! that table. `query` splits a query string, `value` parses one value, `parsed` parses a whole query, `search` turns it
//! into a search, `rules` checks parameters that depend on each other. `suggestion` finds what a wrong name or value was
//! probably meant to be. Unknown names, repeated parameters, and empty or undecodable values are errors, never ignored.

mod changes;
mod definitions;
mod errors;
mod param;
mod parsed;
mod query;
mod rules;
mod search;
mod suggestion;
mod value;

pub use changes::{CHANGES_PARAMS, ChangesParams, MOST_CHANGES, parse_changes};
pub use definitions::SEARCH_PARAMS;
pub use errors::{ParamError, ParamErrors};
pub use param::{Param, ParamName, ParamType};
pub(crate) use parsed::{no_parameters, only_token};
pub(crate) use query::has_token_param;
pub use query::token_in_query;
pub use search::{Centre, SearchParams, parse_search};
pub(crate) use value::quoted;
