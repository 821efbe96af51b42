//! A time limit for every wait on the database. A server that disappears without closing its connections would
//! otherwise keep requests waiting for ever.

use std::time::Duration;

use super::error::{Result, StoreError};

/// Runs `work` for at most `limit`.
///
/// # Errors
/// The error of `work`, or [`StoreError::Unreachable`] after `limit`.
pub async fn with_timeout<T>(limit: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    match tokio::time::timeout(limit, work).await {
        Ok(done) => done,
        Err(_) => Err(StoreError::Unreachable {
            reason: format!("no answer within {limit:?}"),
        }),
    }
}
