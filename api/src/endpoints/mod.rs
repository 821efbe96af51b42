//! The five endpoints, one file each; `page` finds the offers of one page of a search.

mod detail;
mod health;
mod me;
mod openapi;
mod page;
mod search;

pub use detail::detail;
pub use health::health;
pub use me::me;
pub use openapi::openapi;
pub use search::search;
