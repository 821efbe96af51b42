//! How many listings one crawl may end.

/// A crawl may always end this many: in a small portal, a few listings are a large share.
const ALWAYS_ALLOWED: u64 = 20;

/// The share of listings that may still be there after a day.
const LEAST_KEPT_A_DAY: f64 = 0.85;

/// However long no crawl was complete, one crawl may not end more than this share.
const LARGEST_SHARE: f64 = 0.5;

/// How many of `live` listings one crawl may end, `days` days after the last complete crawl: 15 % after a day, 39 %
/// after three days, never more than half.
pub(in crate::crawl) fn withdrawal_limit(live: u64, days: f64) -> u64 {
    let share = (1.0 - LEAST_KEPT_A_DAY.powf(days)).min(LARGEST_SHARE);
    ((live as f64 * share) as u64).max(ALWAYS_ALLOWED)
}

#[cfg(test)]
mod tests {
    use super::withdrawal_limit;

    #[test]
    fn the_longer_no_crawl_was_complete_the_more_may_end() {
        let limits = [1.0, 3.0, 30.0].map(|days| withdrawal_limit(1000, days));
        assert_eq!(limits, [150, 385, 500]);
        assert_eq!(withdrawal_limit(60, 1.0), 20);
    }
}
