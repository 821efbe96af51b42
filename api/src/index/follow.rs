//! Keeping the index current: the store numbers its changes, the index follows the numbers.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use schema::store::offers;
use schema::store::{Db, StoreError};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::index::view::{Batch, View};
use crate::patience::in_time;

/// Changes read at a time.
const PAGE: u32 = 10_000;
/// How long the store may take for each of them.
const PATIENCE: Duration = Duration::from_secs(10);

/// The index of one process, and the way it follows the store.
#[derive(Debug)]
pub struct OfferIndex {
    db: Db,
    view: ArcSwap<View>,
    /// Held while changes are read and put in, so that no two do it at once.
    catching_up: Mutex<()>,
}

impl OfferIndex {
    /// Builds the index from the store.
    ///
    /// # Errors
    /// Whatever reading the offers failed with.
    pub async fn load(db: Db) -> Result<Self, StoreError> {
        let index = Self {
            db,
            view: ArcSwap::default(),
            catching_up: Mutex::new(()),
        };
        index.catch_up(i64::MAX).await?;
        Ok(index)
    }

    /// The index as it is now. It stays as it is for whoever holds it.
    pub fn view(&self) -> Arc<View> {
        self.view.load_full()
    }

    /// Reads the changes up to number `to`, as far as the store has them, unless they are in already.
    ///
    /// # Errors
    /// Whatever reading them failed with; the index is then as it was.
    pub async fn catch_up(&self, to: i64) -> Result<Arc<View>, StoreError> {
        let _turn = self.catching_up.lock().await;
        let view = self.view();
        if view.change() >= to {
            return Ok(view);
        }
        let mut batch = Batch::new(&view);
        let Some(up_to) = read(&self.db, view.change(), &mut batch).await? else {
            return Ok(view);
        };
        let next = tokio::task::spawn_blocking(move || view.after(batch, up_to));
        let Ok(next) = next.await else {
            return Ok(self.view());
        };
        self.view.store(Arc::new(next));
        Ok(self.view())
    }

    /// Looks for changes every so often until told to stop. A failure is logged, and tried again at the next turn.
    pub async fn follow(self: Arc<Self>, every: Duration, stop: CancellationToken) {
        while stop
            .run_until_cancelled(tokio::time::sleep(every))
            .await
            .is_some()
        {
            if let Err(error) = self.catch_up(i64::MAX).await {
                tracing::warn!(%error, "the search index could not be brought up to date");
            }
        }
    }
}

/// Reads what happened after change number `since`, and says up to which number that is all; `None` where nothing did.
///
/// The pages are read by rising number until one is not full. An offer that changes meanwhile moves to a later page,
/// so the last page's statement saw every offer that any page holds as it then was: together they are the state of the
/// store at the last number seen. Retirements beyond it belong to the next turn.
async fn read(db: &Db, since: i64, batch: &mut Batch) -> Result<Option<i64>, StoreError> {
    let last = in_time(PATIENCE, offers::last_change(db)).await?;
    if last <= since {
        return Ok(None);
    }
    let mut at = since;
    loop {
        let page = in_time(PATIENCE, offers::changes_since(db, at, PAGE)).await?;
        for row in &page {
            batch.changed(row);
        }
        at = page.last().map_or(at, |row| row.change);
        if page.len() < PAGE as usize {
            break;
        }
    }
    let up_to = last.max(at);
    let mut at = since;
    loop {
        let page = in_time(PATIENCE, offers::retired_since(db, at, PAGE)).await?;
        page.iter()
            .filter(|(change, _)| *change <= up_to)
            .for_each(|(change, row)| batch.retired(*change, *row));
        at = page.last().map_or(at, |(change, _)| *change);
        if page.len() < PAGE as usize || at > up_to {
            return Ok(Some(up_to));
        }
    }
}
