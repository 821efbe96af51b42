//! Matching on real databases, and what must hold of it over whole sets of listings: one file a topic.

#![expect(
    clippy::unwrap_used,
    reason = "clippy allows it in test functions only, not in what these call"
)]

mod apart;
mod arrival;
mod blocking;
mod districts;
mod engine;
mod evaluation;
mod evidence;
mod feeding;
mod ids;
mod index;
mod market;
mod merging;
mod model;
mod order;
mod registry;
mod reviews;
mod weights;

::support::check_requirements!();
