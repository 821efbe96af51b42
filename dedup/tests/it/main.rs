//! Matching on real databases and over whole sets of listings; one file for each topic.

#![expect(
    clippy::unwrap_used,
    reason = "clippy allows it in test functions only, not in what these call"
)]

mod arrival;
mod blocking;
mod certainty;
mod districts;
mod engine;
mod evaluation;
mod evidence;
mod feeding;
mod ids;
mod index;
mod kept;
mod list_rows;
mod market;
mod merging;
mod model;
mod order;
mod own_weights;
mod place;
mod registry;
mod reviews;
mod separation;
mod threshold;
mod weights;

::support::check_requirements!();
