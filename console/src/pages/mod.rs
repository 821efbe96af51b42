//! The pages: one file for each, with what can be done on it.

pub(crate) mod addresses;
pub(crate) mod audit;
pub(crate) mod changes;
pub(crate) mod country;
pub(crate) mod crawl;
pub(crate) mod left_out;
pub(crate) mod listing;
pub(crate) mod login;
pub(crate) mod overview;
pub(crate) mod pair;
pub(crate) mod portal;
pub(crate) mod record;
pub(crate) mod records;
pub(crate) mod review;
pub(crate) mod review_log;
pub(crate) mod street_map;
pub(crate) mod weights;

mod audited;
mod facts;
mod figures;
mod marked_text;
mod matrix;
mod pair_view;
mod reading;
mod run_rows;
mod selects;

use askama::Template;
use axum::response::Html;

use crate::error::ConsoleError;

/// A rendered page.
type Page = Result<Html<String>, ConsoleError>;

fn page(template: &impl Template) -> Page {
    let rendered = template.render();
    rendered
        .map(Html)
        .map_err(|error| ConsoleError::Failed(error.to_string()))
}
