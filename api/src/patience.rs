//! No wait for the database is without end: where it is gone without a word, nothing else would end it.

use std::time::Duration;

use schema::store::StoreError;

/// What `work` comes to, unless it takes longer than `limit`.
///
/// # Errors
/// Those of the work; [`StoreError::Unreachable`] where it took too long.
pub async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match tokio::time::timeout(limit, work).await {
        Ok(done) => done,
        Err(_) => Err(StoreError::Unreachable {
            reason: format!("no answer within {limit:?}"),
        }),
    }
}
