//! What an answer says about the quota.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use schema::{Month, Timestamp};

/// The state of an account's quota after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RateLimit {
    /// Requests per month.
    pub limit: u32,
    /// Requests counted this month.
    pub used: u32,
    /// Requests left this month.
    pub remaining: u32,
    /// When the quota renews.
    pub resets_at: Timestamp,
    /// The time of the request.
    pub now: Timestamp,
}

impl RateLimit {
    /// The state with `used` of `limit` requests used at `now`.
    pub(crate) fn new(limit: u32, used: u32, now: Timestamp) -> Self {
        Self {
            limit,
            used,
            remaining: limit.saturating_sub(used),
            resets_at: Month::containing(now).next().start(),
            now,
        }
    }

    /// The state if no account is known.
    pub(crate) fn unknown(now: Timestamp) -> Self {
        Self::new(0, 0, now)
    }

    /// Whole seconds until the quota renews, at least one.
    pub(crate) fn seconds_to_reset(&self) -> u64 {
        let millis = self.resets_at.millis() - self.now.millis();
        u64::try_from(millis)
            .unwrap_or_default()
            .div_ceil(1000)
            .max(1)
    }

    /// Writes the headers: `X-RateLimit-*` always, and if an account is known also `RateLimit` and `RateLimit-Policy`
    /// (IETF draft-ietf-httpapi-ratelimit-headers).
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let reset = self.resets_at.millis().div_euclid(1000);
        headers.insert(
            HeaderName::from_static("x-ratelimit-limit"),
            HeaderValue::from(self.limit),
        );
        headers.insert(
            HeaderName::from_static("x-ratelimit-remaining"),
            HeaderValue::from(self.remaining),
        );
        headers.insert(
            HeaderName::from_static("x-ratelimit-reset"),
            HeaderValue::from(reset),
        );
        if self.limit == 0 {
            return;
        }
        let window = (self.resets_at.millis() - Month::containing(self.now).start().millis())
            .div_euclid(1000);
        let policy = format!("\"month\";q={};w={window}", self.limit);
        let state = format!(
            "\"month\";r={};t={}",
            self.remaining,
            self.seconds_to_reset()
        );
        for (name, value) in [("ratelimit-policy", policy), ("ratelimit", state)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quota_resets_at_the_first_midnight_of_the_next_month() {
        let now: Timestamp = "2026-12-31T23:59:58.500Z".parse().unwrap();
        let state = RateLimit::new(100, 40, now);
        assert_eq!(state.resets_at.to_string(), "2027-01-01T00:00:00Z");
        assert_eq!(state.seconds_to_reset(), 2);
        let mut headers = HeaderMap::new();
        state.write(&mut headers);
        assert_eq!(headers["x-ratelimit-limit"], "100");
        assert_eq!(headers["x-ratelimit-remaining"], "60");
        assert_eq!(headers["x-ratelimit-reset"], "1798761600");
        assert_eq!(headers["ratelimit"], "\"month\";r=60;t=2");
        assert_eq!(headers["ratelimit-policy"], "\"month\";q=100;w=2678400");
    }

    #[test]
    fn nothing_remains_if_the_limit_is_lowered_below_the_use() {
        assert_eq!(RateLimit::new(10, 25, Timestamp(0)).remaining, 0);
    }
}
