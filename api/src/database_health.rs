//! Whether the database answers and accepts writes. `/health` reports it.
//!
//! A cache with a time to live alone (moka) would not do: the check also remembers since when another process has held
//! the write lock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use schema::store::{Db, StoreError, Writing, with_timeout};
use tokio::sync::Mutex;

use crate::config::ApiConfig;

/// Checks the database. However many requests ask, one check runs at a time, and its result is cached for a while.
#[derive(Debug)]
pub(crate) struct DatabaseHealth {
    db: Db,
    timeout: Duration,
    ttl: Duration,
    longest_lock: Duration,
    state: Mutex<CheckState>,
}

#[derive(Debug, Default)]
struct CheckState {
    /// When the database was last checked, and the result.
    last: Option<(Instant, Result<(), Arc<StoreError>>)>,
    /// Since when another process has held the write lock.
    locked_since: Option<Instant>,
}

impl DatabaseHealth {
    /// Checks `db` by these settings.
    pub(crate) fn new(db: Db, config: &ApiConfig) -> Self {
        Self {
            db,
            timeout: config.health_timeout,
            ttl: config.health_ttl,
            longest_lock: config.health_busy,
            state: Mutex::default(),
        }
    }

    /// The result of the last check, or of a new one if that is too old.
    ///
    /// # Errors
    /// Why the database does not answer, or does not accept writes.
    pub(crate) async fn check(&self) -> Result<(), Arc<StoreError>> {
        let mut state = self.state.lock().await;
        if let Some((at, result)) = &state.last
            && at.elapsed() < self.ttl
        {
            return result.clone();
        }
        let result = self.check_now(&mut state.locked_since).await;
        let result = result.map_err(Arc::new);
        state.last = Some((Instant::now(), result.clone()));
        result
    }

    async fn check_now(&self, locked_since: &mut Option<Instant>) -> Result<(), StoreError> {
        let read_and_write = async {
            self.db.ping().await?;
            self.db.try_write().await
        };
        match with_timeout(self.timeout, read_and_write).await? {
            Writing::Done => *locked_since = None,
            Writing::Busy => {
                let since = *locked_since.get_or_insert_with(Instant::now);
                if since.elapsed() > self.longest_lock {
                    let reason = "another process keeps the database locked".to_owned();
                    return Err(StoreError::Unreachable { reason });
                }
            }
        }
        Ok(())
    }
}
