//! The feed of changes over HTTP: one file a topic.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod changes;
mod description;
mod quota;
mod running;
mod streams;
mod waiting;

::support::check_requirements!();
