//! The monthly quota of an account (spec, Limits).
//!
//! A request is counted before any work is done for it. If the service fails or the request times out, the count is
//! given back. The count is committed before the answer is sent, and several processes together never exceed the
//! limit. `reservations` counts concurrent requests in groups, with one statement for each group. `usage_reader` reads
//! counts in groups in the same way.

mod rate_limit;
mod reservations;
mod usage_reader;

pub(crate) use rate_limit::RateLimit;
pub(crate) use reservations::{Outcome, Reservations};
pub(crate) use usage_reader::UsageReader;
