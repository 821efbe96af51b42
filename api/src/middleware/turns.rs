//! How much is worked on at once: beyond it requests wait for their turn, and beyond that they are turned away.
//!
//! More than the cores and the database can do is only slower when it is begun at once, and takes memory without bound.
//! A request that waited, or was turned away, has not been counted.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::config::WorkLimits;
use crate::error::ApiError;
use crate::state::ApiState;

/// The turns of one process.
#[derive(Debug)]
pub struct Turns {
    at_once: Semaphore,
    waiting: Semaphore,
    patience: Duration,
}

impl Turns {
    /// Turns within these limits.
    pub fn new(limits: &WorkLimits) -> Self {
        Self {
            at_once: Semaphore::new(limits.at_once.max(1)),
            waiting: Semaphore::new(limits.waiting),
            patience: limits.patience,
        }
    }

    /// A turn, in the order of asking; `None` where too many wait, or it did not come in time.
    async fn take(&self) -> Option<SemaphorePermit<'_>> {
        // A turn that becomes free goes to who waits, so nobody is overtaken here.
        if let Ok(turn) = self.at_once.try_acquire() {
            return Some(turn);
        }
        let _place = self.waiting.try_acquire().ok()?;
        tokio::time::timeout(self.patience, self.at_once.acquire())
            .await
            .ok()?
            .ok()
    }
}

/// Lets a request wait for its turn.
///
/// # Errors
/// [`ApiError::Overloaded`] where it does not come.
pub async fn wait(
    State(api): State<ApiState>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let _turn = api.turns().take().await.ok_or(ApiError::Overloaded)?;
    Ok(next.run(request).await)
}
