//! What happens on a connection, and whether it may stay open.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::ConnectionLimits;

/// Whether a connection may stay open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It may stay open.
    KeepOpen,
    /// It has been idle for too long: it is closed gracefully.
    Close,
    /// The head of a request or the reading of an answer takes too long: it is reset.
    Reset,
}

/// What happens on one connection. The socket reports reads, the service reports requests, and the bodies of answers
/// report when they have been sent.
#[derive(Debug)]
pub(crate) struct Activity {
    limits: ConnectionLimits,
    /// Permits for requests that are worked on, and for answers that the client has not read.
    permits: Arc<Semaphore>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Since when the head of a request has been arriving.
    head_began: Option<Instant>,
    /// When the last request ended, or when the connection was opened.
    idle_since: Instant,
    /// Requests that are not answered, or whose answer is not completely sent.
    open_requests: usize,
    /// The answers that are being sent, by the number of the request, and since when.
    unsent: BTreeMap<u64, Instant>,
    /// The number of the next request.
    next: u64,
    /// Whether the connection is HTTP/2, where frames between requests are not the head of one.
    is_http2: bool,
}

impl Activity {
    /// The activity of a connection that was opened `now`.
    pub(crate) fn new(limits: ConnectionLimits, now: Instant) -> Self {
        let state = State {
            head_began: None,
            idle_since: now,
            open_requests: 0,
            unsent: BTreeMap::new(),
            next: 0,
            is_http2: false,
        };
        let permits = Arc::new(Semaphore::new(limits.answers.max(1)));
        Self {
            limits,
            permits,
            state: Mutex::new(state),
        }
    }

    /// Reports that data was read.
    pub(crate) fn on_read(&self, now: Instant) {
        let mut state = self.state();
        if state.open_requests == 0 && !state.is_http2 {
            state.head_began.get_or_insert(now);
        }
    }

    /// Reports that the head of a request has arrived.
    pub(crate) fn on_request(self: &Arc<Self>, is_http2: bool) -> OpenRequest {
        let mut state = self.state();
        state.is_http2 |= is_http2;
        state.head_began = None;
        state.open_requests += 1;
        let number = state.next;
        state.next += 1;
        drop(state);
        OpenRequest {
            activity: Arc::clone(self),
            number,
            permit: None,
        }
    }

    /// Whether the connection is HTTP/2.
    pub(crate) fn is_http2(&self) -> bool {
        self.state().is_http2
    }

    /// Whether the connection may stay open.
    pub(crate) fn verdict(&self, now: Instant) -> Verdict {
        let state = self.state();
        let since = |from: Instant| now.saturating_duration_since(from);
        let late = |from: &Instant| since(*from) >= self.limits.answer_timeout;
        if state.unsent.values().any(late)
            || state
                .head_began
                .is_some_and(|began| since(began) >= self.limits.head_timeout)
        {
            return Verdict::Reset;
        }
        let is_idle =
            state.open_requests == 0 && since(state.idle_since) >= self.limits.idle_timeout;
        if is_idle {
            Verdict::Close
        } else {
            Verdict::KeepOpen
        }
    }

    /// Locks the state. A poisoned lock is not a problem, because no change to the state can panic halfway.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request, from its head until its answer has been sent or dropped.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    activity: Arc<Activity>,
    number: u64,
    permit: Option<OwnedSemaphorePermit>,
}

impl OpenRequest {
    /// Waits until few enough answers of the connection are unread, so that no work is done for a client that does not
    /// read.
    pub(crate) async fn wait_for_permit(&mut self) {
        // The semaphore is never closed.
        self.permit = Arc::clone(&self.activity.permits)
            .acquire_owned()
            .await
            .ok();
    }

    /// Reports that the answer is ready to be sent.
    pub(crate) fn on_answer(&self, now: Instant) {
        self.activity.state().unsent.insert(self.number, now);
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        state.unsent.remove(&self.number);
        state.open_requests -= 1;
        state.idle_since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn activity(now: Instant) -> Arc<Activity> {
        let limits = ConnectionLimits {
            head_timeout: 2 * SECOND,
            idle_timeout: 10 * SECOND,
            answer_timeout: 5 * SECOND,
            ..ConnectionLimits::default()
        };
        Arc::new(Activity::new(limits, now))
    }

    #[test]
    fn a_connection_without_requests_closes_after_the_idle_time() {
        let now = Instant::now();
        let activity = activity(now);
        assert_eq!(activity.verdict(now + 9 * SECOND), Verdict::KeepOpen);
        assert_eq!(activity.verdict(now + 10 * SECOND), Verdict::Close);
    }

    #[test]
    fn a_head_must_be_complete_in_time_even_if_parts_keep_arriving() {
        let now = Instant::now();
        let activity = activity(now);
        activity.on_read(now);
        activity.on_read(now + SECOND);
        assert_eq!(activity.verdict(now + SECOND), Verdict::KeepOpen);
        assert_eq!(activity.verdict(now + 2 * SECOND), Verdict::Reset);
    }

    #[test]
    fn work_on_a_request_has_no_limit_but_reading_its_answer_has() {
        let now = Instant::now();
        let activity = activity(now);
        activity.on_read(now);
        let request = activity.on_request(false);
        activity.on_read(now + SECOND);
        assert_eq!(activity.verdict(now + 60 * SECOND), Verdict::KeepOpen);
        request.on_answer(now + 60 * SECOND);
        assert_eq!(activity.verdict(now + 64 * SECOND), Verdict::KeepOpen);
        assert_eq!(activity.verdict(now + 65 * SECOND), Verdict::Reset);
        drop(request);
        assert_eq!(activity.verdict(now), Verdict::KeepOpen);
    }

    #[test]
    fn http2_frames_between_requests_are_not_a_head() {
        let now = Instant::now();
        let activity = activity(now);
        drop(activity.on_request(true));
        activity.on_read(now);
        assert_eq!(activity.verdict(now + 3 * SECOND), Verdict::KeepOpen);
    }
}
