//! When a request is tried again.

use std::ops::RangeInclusive;
use std::time::{Duration, UNIX_EPOCH};

use rand::{Rng, RngExt};
use schema::Timestamp;

/// How often a request is sent before it is given up.
pub(super) const ATTEMPTS: u32 = 5;

/// The first wait, which doubles with every attempt: two turns at the portal's pace, within these bounds.
const FIRST: RangeInclusive<Duration> = Duration::from_millis(50)..=Duration::from_secs(1);

/// The longest wait that the portal did not ask for.
const LONGEST: Duration = Duration::from_mins(2);

/// The longest wait that a portal may ask for; a crawl that is to wait longer ends, and a later one goes on.
pub(super) const LONGEST_ASKED: Duration = Duration::from_mins(15);

/// Whether an answer of this status says that the portal is busy or broken for the moment.
pub(super) fn is_passing(status: u16) -> bool {
    status == 429 || status >= 500
}

/// How long to wait after `attempt` (from 1) failed: at least half of what doubles, the rest by chance, so that those
/// who failed together do not come back together.
pub(super) fn backoff(attempt: u32, pace: Duration, rng: &mut impl Rng) -> Duration {
    let first = (pace * 2).clamp(*FIRST.start(), *FIRST.end());
    let whole = first
        .saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)))
        .min(LONGEST);
    whole.mul_f64(rng.random_range(0.5..1.0))
}

/// What `Retry-After` asks for: seconds, or a date of HTTP.
pub(super) fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
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
                retry_after(value, now),
                seconds.map(Duration::from_secs),
                "{value}"
            );
        }
    }

    #[test]
    fn waits_double_and_are_bounded() {
        let mut rng = StdRng::seed_from_u64(1);
        for attempt in 1..20 {
            let wait = backoff(attempt, Duration::from_secs(3), &mut rng);
            let whole = Duration::from_secs(1 << (attempt - 1)).min(LONGEST);
            assert!(wait >= whole / 2 && wait <= whole, "{attempt}: {wait:?}");
        }
    }
}
