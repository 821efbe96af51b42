//! When a request is retried, and after which wait.
//!
//! Written here because the retry crates do not obey `Retry-After` for all requests at once.

use std::ops::RangeInclusive;
use std::time::{Duration, UNIX_EPOCH};

use rand::{Rng, RngExt};
use schema::Timestamp;

/// How often a request is sent before it fails.
pub(super) const MAX_ATTEMPTS: u32 = 5;

/// Limits of the first wait, which is twice the portal's pace. Each further wait is twice as long.
const FIRST_WAIT: RangeInclusive<Duration> = Duration::from_millis(50)..=Duration::from_secs(1);

/// The longest wait that the portal did not ask for.
const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// The longest wait that a portal may ask for. If it asks for more, the crawl fails and a later one resumes it.
pub(super) const LONGEST_RETRY_AFTER: Duration = Duration::from_mins(15);

/// The longest wait that is obeyed. A longer one is a mistake: it would keep a portal from being crawled for good.
const LONGEST_OBEYED: Duration = Duration::from_hours(24);

/// When a portal that asks at `now` for this wait may be asked again.
pub(super) fn not_before(now: Timestamp, wait: Duration) -> Timestamp {
    let millis = i64::try_from(wait.min(LONGEST_OBEYED).as_millis()).unwrap_or(i64::MAX);
    Timestamp(now.millis().saturating_add(millis))
}

/// Whether this status means that the portal is busy or broken at the moment.
pub(super) fn is_transient(status: u16) -> bool {
    status == 429 || status >= 500
}

/// How long to wait after attempt number `attempt` (from 1) failed: a random time between half of the doubling wait and
/// all of it, so that requests that failed together are not repeated together.
pub(super) fn backoff(attempt: u32, pace: Duration, rng: &mut impl Rng) -> Duration {
    let first = (pace * 2).clamp(*FIRST_WAIT.start(), *FIRST_WAIT.end());
    let longest = first
        .saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)))
        .min(LONGEST_WAIT);
    longest.mul_f64(rng.random_range(0.5..1.0))
}

/// Parses the value of `Retry-After`: seconds, or an HTTP date.
pub(super) fn parse_retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let at = httpdate::parse_http_date(value)
        .ok()?
        .duration_since(UNIX_EPOCH)
        .ok()?;
    let now = Duration::from_millis(u64::try_from(now.millis()).ok()?);
    Some(at.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "2026-05-01T06:00:00Z".parse().unwrap();
        let cases = [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Fri, 01 May 2026 06:01:30 GMT", Some(90)),
            ("Fri, 01 May 2026 05:00:00 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
        ];
        for (value, seconds) in cases {
            assert_eq!(
                parse_retry_after(value, now),
                seconds.map(Duration::from_secs),
                "{value}"
            );
        }
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        let mut rng = StdRng::seed_from_u64(1);
        for attempt in 1..20 {
            let wait = backoff(attempt, Duration::from_secs(3), &mut rng);
            let longest = Duration::from_secs(1 << (attempt - 1)).min(LONGEST_WAIT);
            assert!(
                wait >= longest / 2 && wait <= longest,
                "{attempt}: {wait:?}"
            );
        }
    }
}
