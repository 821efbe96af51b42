//! The hashes of all valid tokens. An unknown token of a network over its limit is compared with them, which costs no
//! query.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use schema::store::{Db, StoreError, tokens};
use tokio::sync::Mutex;

/// The hashes as they were last read from the store. They are read when they are first needed.
pub(crate) struct ValidTokens {
    db: Db,
    /// The shortest time between two reads.
    interval: Duration,
    snapshot: ArcSwapOption<Snapshot>,
    /// Held during a read, so that two requests do not read at once.
    reading: Mutex<()>,
}

struct Snapshot {
    /// When the read started.
    at: Instant,
    hashes: Vec<[u8; 32]>,
}

impl ValidTokens {
    /// The valid tokens of `db`, read at most once per `interval`.
    pub(crate) fn new(db: Db, interval: Duration) -> Self {
        Self {
            db,
            interval,
            snapshot: ArcSwapOption::empty(),
            reading: Mutex::new(()),
        }
    }

    /// Whether a valid token has this hash. A token created since the last read may be missed until the next one.
    ///
    /// # Errors
    /// The error of the store.
    pub(crate) async fn contains(&self, hash: &[u8; 32]) -> Result<bool, StoreError> {
        if let Some(answer) = self.answer(hash) {
            return Ok(answer);
        }
        let _guard = self.reading.lock().await;
        if let Some(answer) = self.answer(hash) {
            return Ok(answer);
        }
        let at = Instant::now();
        let mut hashes = tokens::valid_hashes(&self.db).await?;
        hashes.sort_unstable();
        let found = hashes.binary_search(hash).is_ok();
        self.snapshot.store(Some(Arc::new(Snapshot { at, hashes })));
        Ok(found)
    }

    /// The answer of the last snapshot; `None` if it is too old to say that a token does not exist.
    fn answer(&self, hash: &[u8; 32]) -> Option<bool> {
        let snapshot = self.snapshot.load_full()?;
        let found = snapshot.hashes.binary_search(hash).is_ok();
        (found || snapshot.at.elapsed() < self.interval).then_some(found)
    }
}
