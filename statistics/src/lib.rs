//! Figures about the market, from the merged records: each property counts once, with its own last asking price.
//!
//! # Layout
//!
//! `change` and `quartiles` are the arithmetic. `market` reads the records page by page and collects what the figures need;
//! `sample` holds the numbers of one group, `kind` is what may be compared. `figures` makes [`Table`]s of them, `page` a page
//! of charts (`chart`).
//!
//! Nothing is told about fewer than [`LEAST`] properties: the median of a few says more about them than about a place, and
//! might tell one of them.

mod change;
mod chart;
mod figures;
mod kind;
mod market;
mod page;
mod quartiles;
mod sample;
mod table;

pub use change::{days_between, percent_between, price_per_area};
pub use kind::Kind;
pub use market::Market;
pub use page::page;
pub use quartiles::{LEAST, Quartiles};
pub use sample::{GroupFigures, Groups, LeftOut};
pub use table::{Cell, Table};
