//! One request after the other, never faster than the portal is treated with.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// When the next request may be sent.
pub(super) struct Pace {
    state: Mutex<State>,
}

struct State {
    every: Duration,
    next: Instant,
}

impl Pace {
    /// A request may be sent at once, and from then on one in every `every`.
    pub(super) fn of(every: Duration) -> Self {
        Self {
            state: Mutex::new(State {
                every,
                next: Instant::now(),
            }),
        }
    }

    /// Waits for the turn to send a request.
    pub(super) async fn turn(&self) {
        loop {
            let wait = {
                let mut state = self.state();
                let now = Instant::now();
                if state.next <= now {
                    state.next = now + state.every;
                    return;
                }
                state.next
            };
            sleep_until(wait).await;
        }
    }

    /// Nothing is sent for this long.
    pub(super) fn pause(&self, duration: Duration) {
        let mut state = self.state();
        state.next = state.next.max(Instant::now() + duration);
    }

    /// From now on no more than one request in every `every`, where that is slower than before.
    pub(super) fn slow_down(&self, every: Duration) {
        let mut state = self.state();
        if every > state.every {
            let longer = every.saturating_sub(state.every);
            state.next += longer;
            state.every = every;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Two instants cannot be left half written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turns_come_at_the_pace_and_after_pauses() {
        let pace = Pace::of(Duration::from_millis(20));
        let began = Instant::now();
        for _ in 0..4 {
            pace.turn().await;
        }
        assert!(began.elapsed() >= Duration::from_millis(60));
        pace.pause(Duration::from_millis(100));
        let paused = Instant::now();
        pace.turn().await;
        assert!(paused.elapsed() >= Duration::from_millis(99));
        pace.slow_down(Duration::from_millis(50));
        let slowed = Instant::now();
        pace.turn().await;
        pace.turn().await;
        assert!(slowed.elapsed() >= Duration::from_millis(90));
    }
}
