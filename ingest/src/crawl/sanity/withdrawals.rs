//! How many ends of one crawl are believed.

/// So many always are: of a small portal a few are a large share.
const ALWAYS: u64 = 20;

/// How many of `live` listings a crawl may end: 15 in a hundred.
pub(in crate::crawl) fn bound(live: u64) -> u64 {
    (live * 15 / 100).max(ALWAYS)
}
