//! The types' bounds, and the store on each database: one file a topic.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod based_documents;
mod blocking_keys;
mod commit_marks;
mod crawling;
mod crawls;
mod derivations;
mod enumerations;
mod gazetteer;
mod jobs;
mod listings;
mod lock;
mod market;
mod matches;
mod months;
mod municipalities;
mod notices;
mod observations;
mod offer_changes;
mod offer_detail;
mod offer_fields;
mod offers;
mod opening;
mod outage;
mod planner_statistics;
mod raw_listings;
mod record_events;
mod rejects;
mod reviews;
mod same_schema;
mod samples;
mod upgrading;
mod usage;
mod watching;

::support::check_requirements!();
