//! Spacing requests in time.
//!
//! Written here because the crates for it cannot pause all waiting requests at once, as `Retry-After` demands, or are no
//! longer maintained.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Decides when the next request may be sent.
pub(super) struct RateLimiter {
    state: Mutex<State>,
}

struct State {
    /// The least time between the starts of two requests.
    interval: Duration,
    /// When the next request may start.
    next: Instant,
}

impl RateLimiter {
    /// Lets one request start at once, and each further one `interval` after the one before.
    pub(super) fn new(interval: Duration) -> Self {
        Self {
            state: Mutex::new(State {
                interval,
                next: Instant::now(),
            }),
        }
    }

    /// Waits until the next request may start.
    pub(super) async fn wait(&self) {
        loop {
            let next = {
                let mut state = self.state();
                let now = Instant::now();
                if state.next <= now {
                    state.next = now + state.interval;
                    return;
                }
                state.next
            };
            sleep_until(next).await;
        }
    }

    /// Lets no request start for this long.
    pub(super) fn pause(&self, duration: Duration) {
        let mut state = self.state();
        state.next = state.next.max(Instant::now() + duration);
    }

    /// Raises the interval between requests to `interval`, if it is longer than the current one.
    pub(super) fn slow_down(&self, interval: Duration) {
        let mut state = self.state();
        if interval > state.interval {
            let difference = interval.saturating_sub(state.interval);
            state.next += difference;
            state.interval = interval;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic cannot leave the two fields inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_keep_the_interval_and_wait_for_pauses() {
        let limiter = RateLimiter::new(Duration::from_millis(20));
        let began = Instant::now();
        for _ in 0..4 {
            limiter.wait().await;
        }
        assert!(began.elapsed() >= Duration::from_millis(60));
        limiter.pause(Duration::from_millis(100));
        let paused = Instant::now();
        limiter.wait().await;
        assert!(paused.elapsed() >= Duration::from_millis(99));
        limiter.slow_down(Duration::from_millis(50));
        let slowed = Instant::now();
        limiter.wait().await;
        limiter.wait().await;
        assert!(slowed.elapsed() >= Duration::from_millis(90));
    }
}
