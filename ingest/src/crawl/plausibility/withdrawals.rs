//! How many listings one crawl may end.

/// A crawl may always end this many: in a small portal, a few listings are a large share.
const ALWAYS_ALLOWED: u64 = 20;

/// How many of `live` listings one crawl may end: 15 %.
pub(in crate::crawl) fn withdrawal_limit(live: u64) -> u64 {
    (live * 15 / 100).max(ALWAYS_ALLOWED)
}
