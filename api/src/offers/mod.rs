//! The offers: searching them, and one of them in full.

mod detail;
mod page;
mod search;
mod window;

pub use detail::detail;
pub use search::search;
