//! What goes on on a connection, and whether it may go on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::ConnectionLimits;

/// What is to become of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Keep,
    /// Nobody uses it: it ends in order.
    End,
    /// A head does not end, or an answer is not fetched: it is cut off.
    Cut,
}

/// What goes on on one connection. The socket says what is read, the service which requests there are, and the bodies
/// when they have been sent.
#[derive(Debug)]
pub struct Activity {
    limits: ConnectionLimits,
    /// Requests that may be worked on, and answers that may wait to be fetched, at a time.
    places: Arc<Semaphore>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Since when the head of a request has been arriving.
    head_began: Option<Instant>,
    /// Since when nothing has been asked or answered.
    quiet_since: Instant,
    /// Requests that are not answered, or whose answer is not sent.
    requests: usize,
    /// Since when answers wait to be sent.
    unsent: BTreeMap<u64, Instant>,
    next: u64,
    /// HTTP/2: what is read between requests belongs to the protocol.
    multiplexed: bool,
}

impl Activity {
    /// A connection that was opened `now`.
    pub fn new(limits: ConnectionLimits, now: Instant) -> Self {
        let state = State {
            head_began: None,
            quiet_since: now,
            requests: 0,
            unsent: BTreeMap::new(),
            next: 0,
            multiplexed: false,
        };
        let places = Arc::new(Semaphore::new(limits.answers.max(1)));
        Self {
            limits,
            places,
            state: Mutex::new(state),
        }
    }

    /// Something was read.
    pub fn read(&self, now: Instant) {
        let mut state = self.state();
        if state.requests == 0 && !state.multiplexed {
            state.head_began.get_or_insert(now);
        }
    }

    /// The head of a request has arrived.
    pub fn request(self: &Arc<Self>, multiplexed: bool) -> OpenRequest {
        let mut state = self.state();
        state.multiplexed |= multiplexed;
        state.head_began = None;
        state.requests += 1;
        let number = state.next;
        state.next += 1;
        drop(state);
        OpenRequest {
            activity: Arc::clone(self),
            number,
            place: None,
        }
    }

    /// Whether it is spoken HTTP/2 on.
    pub fn is_multiplexed(&self) -> bool {
        self.state().multiplexed
    }

    /// What is to become of the connection.
    pub fn verdict(&self, now: Instant) -> Verdict {
        let state = self.state();
        let since = |from: Instant| now.saturating_duration_since(from);
        let late = |from: &Instant| since(*from) >= self.limits.answer_timeout;
        if state.unsent.values().any(late)
            || state
                .head_began
                .is_some_and(|began| since(began) >= self.limits.head_timeout)
        {
            return Verdict::Cut;
        }
        let is_idle = state.requests == 0 && since(state.quiet_since) >= self.limits.idle_timeout;
        if is_idle { Verdict::End } else { Verdict::Keep }
    }

    /// A panic elsewhere leaves the state whole: every change to it is a few assignments.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request until its answer has been sent, or given up.
#[derive(Debug)]
pub struct OpenRequest {
    activity: Arc<Activity>,
    number: u64,
    place: Option<OwnedSemaphorePermit>,
}

impl OpenRequest {
    /// Waits until few enough answers of the connection wait to be fetched: a client that fetches none is not worked for.
    pub async fn place(&mut self) {
        // It is never closed.
        self.place = Arc::clone(&self.activity.places).acquire_owned().await.ok();
    }

    /// The answer is ready to be sent.
    pub fn answered(&self, now: Instant) {
        self.activity.state().unsent.insert(self.number, now);
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        state.unsent.remove(&self.number);
        state.requests -= 1;
        state.quiet_since = Instant::now();
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
    fn a_connection_without_requests_ends_after_the_idle_time() {
        let now = Instant::now();
        let activity = activity(now);
        assert_eq!(activity.verdict(now + 9 * SECOND), Verdict::Keep);
        assert_eq!(activity.verdict(now + 10 * SECOND), Verdict::End);
    }

    #[test]
    fn a_head_has_to_end_however_much_of_it_arrives() {
        let now = Instant::now();
        let activity = activity(now);
        activity.read(now);
        activity.read(now + SECOND);
        assert_eq!(activity.verdict(now + SECOND), Verdict::Keep);
        assert_eq!(activity.verdict(now + 2 * SECOND), Verdict::Cut);
    }

    #[test]
    fn a_request_may_take_as_long_as_it_takes_but_its_answer_has_to_be_fetched() {
        let now = Instant::now();
        let activity = activity(now);
        activity.read(now);
        let request = activity.request(false);
        activity.read(now + SECOND);
        assert_eq!(activity.verdict(now + 60 * SECOND), Verdict::Keep);
        request.answered(now + 60 * SECOND);
        assert_eq!(activity.verdict(now + 64 * SECOND), Verdict::Keep);
        assert_eq!(activity.verdict(now + 65 * SECOND), Verdict::Cut);
        drop(request);
        assert_eq!(activity.verdict(now), Verdict::Keep);
    }

    #[test]
    fn frames_between_requests_are_no_head_of_a_request() {
        let now = Instant::now();
        let activity = activity(now);
        drop(activity.request(true));
        activity.read(now);
        assert_eq!(activity.verdict(now + 3 * SECOND), Verdict::Keep);
    }
}
