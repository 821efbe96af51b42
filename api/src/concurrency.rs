//! How many requests are worked on at once.
//!
//! More requests at once than the cores and the database can handle would only make all of them slower and take
//! unbounded memory. So further requests wait in a queue, and if the queue is full they are refused. A request that
//! waits or is refused has not been counted.
//!
//! tower's `ConcurrencyLimit` and `LoadShed` either queue without a bound or refuse at once; neither bounds the length
//! of the queue and the wait in it.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::config::WorkLimits;

/// The permits to work on a request, for one process.
#[derive(Debug)]
pub(crate) struct ConcurrencyLimit {
    working: Semaphore,
    queue: Semaphore,
    longest_wait: Duration,
}

impl ConcurrencyLimit {
    /// A limit with these settings.
    pub(crate) fn new(limits: &WorkLimits) -> Self {
        Self {
            working: Semaphore::new(limits.at_once.max(1)),
            queue: Semaphore::new(limits.waiting),
            longest_wait: limits.longest_wait,
        }
    }

    /// Waits for a permit, in the order of arrival. Returns `None` if the queue is full, or if no permit is free in time.
    pub(crate) async fn acquire(&self) -> Option<SemaphorePermit<'_>> {
        // A permit that is given back goes to the first waiter, so this never overtakes the queue.
        if let Ok(permit) = self.working.try_acquire() {
            return Some(permit);
        }
        let _place = self.queue.try_acquire().ok()?;
        tokio::time::timeout(self.longest_wait, self.working.acquire())
            .await
            .ok()?
            .ok()
    }
}
