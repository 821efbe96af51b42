//! The roll of all valid tokens, by their hashes: what a token is compared with that must not cost a look-up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use schema::store::{Db, StoreError, tokens};
use tokio::sync::Mutex;

/// The roll as it was read last; it is not read before somebody asks.
pub struct Roll {
    db: Db,
    /// The least time between two readings.
    pace: Duration,
    last: ArcSwapOption<Reading>,
    /// Held while the roll is read, so that no two do it at once.
    reading: Mutex<()>,
}

struct Reading {
    begun: Instant,
    hashes: Vec<[u8; 32]>,
}

impl Roll {
    /// The roll of the tokens in `db`, read at most once in every `pace`.
    pub fn new(db: Db, pace: Duration) -> Self {
        Self {
            db,
            pace,
            last: ArcSwapOption::empty(),
            reading: Mutex::new(()),
        }
    }

    /// Whether a valid token has this hash. Nobody waits for more than one reading: a token that is younger than the last
    /// one may be missed until the next.
    ///
    /// # Errors
    /// Whatever reading it failed with.
    pub async fn names(&self, hash: &[u8; 32]) -> Result<bool, StoreError> {
        if let Some(answer) = self.answer(hash) {
            return Ok(answer);
        }
        let _turn = self.reading.lock().await;
        if let Some(answer) = self.answer(hash) {
            return Ok(answer);
        }
        let begun = Instant::now();
        let mut hashes = tokens::valid_hashes(&self.db).await?;
        hashes.sort_unstable();
        let is_named = hashes.binary_search(hash).is_ok();
        self.last.store(Some(Arc::new(Reading { begun, hashes })));
        Ok(is_named)
    }

    /// What the last reading says; `None` where it is too old to say that there is no such token.
    fn answer(&self, hash: &[u8; 32]) -> Option<bool> {
        let last = self.last.load_full()?;
        let is_named = last.hashes.binary_search(hash).is_ok();
        (is_named || last.begun.elapsed() < self.pace).then_some(is_named)
    }
}
