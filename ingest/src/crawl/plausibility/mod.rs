//! Whether a portal's answers are plausible. One advert may say anything; many at once may not.

mod baseline;
mod details;
mod fields;
mod listed;
mod pages;
mod withdrawals;

pub(super) use details::{CheckedDetail, DetailChecks};
pub(super) use listed::ListedAdverts;
pub(super) use pages::{PageChecks, ends_early, has_shrunk};
pub(super) use withdrawals::withdrawal_limit;
