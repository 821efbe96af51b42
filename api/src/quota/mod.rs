//! How often: the monthly quota of an account (spec, Limits).
//!
//! A request is counted before any work is done for it, and taken off again where it ends in a fault of the service or
//! a time-out. The count is committed before the answer leaves, and no two processes together pass the limit:
//! `reservations` commit in groups, each in one transaction of the store.

mod rate_limit;
mod reservations;

pub use rate_limit::RateLimit;
pub use reservations::{CountError, Outcome, Reservations};
