//! The five endpoints, one file each; `page` finds the offers of one page of a search.

mod address_headers;
mod detail;
mod health;
mod me;
mod openapi;
mod page;
mod search;

pub(crate) use detail::{detail, find_shown};
pub(crate) use health::health;
pub(crate) use me::{described, me};
pub(crate) use openapi::openapi;
pub(crate) use search::{
    Asker, check, deadline, locate, matching, search, search_as, search_from_inside,
};
