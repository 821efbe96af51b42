//! Keeps the index up to date: the store numbers its changes, and the index follows the numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use futures::{StreamExt, stream};
use schema::store::offers::{self, IndexRow};
use schema::store::{Db, StoreError};
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::documents::Documents;
use crate::index::view::{Batch, View};
use crate::timeout::with_timeout;

/// The number of changes that are read together.
const PAGE: u32 = 10_000;
/// The number of pages that are read at once.
const READERS: usize = 4;
/// How long the store may take for each read.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// The index of one process.
#[derive(Debug)]
pub(crate) struct OfferIndex {
    db: Db,
    view: ArcSwap<View>,
    documents: Arc<Documents>,
    /// Held while the index is updated, so that two tasks do not update it at once. Says when the last complete update
    /// began to read.
    catching_up: Mutex<Option<Instant>>,
    /// Notified when there is another view.
    changed: Notify,
}

impl OfferIndex {
    /// Builds the index from the store. The documents are copied later, by [`OfferIndex::store_documents`].
    ///
    /// # Errors
    /// The error of the store.
    pub(crate) async fn load(db: Db, documents: Documents) -> Result<Self, StoreError> {
        let index = Self {
            db,
            view: ArcSwap::default(),
            documents: Arc::new(documents),
            catching_up: Mutex::new(None),
            changed: Notify::new(),
        };
        index.catch_up(i64::MAX).await?;
        Ok(index)
    }

    /// The current view. It never changes; updates replace it.
    pub(crate) fn view(&self) -> Arc<View> {
        self.view.load_full()
    }

    /// The documents of the offers.
    pub(crate) fn documents(&self) -> &Arc<Documents> {
        &self.documents
    }

    pub(super) fn db(&self) -> &Db {
        &self.db
    }

    pub(super) fn changed(&self) -> &Notify {
        &self.changed
    }

    /// Brings the index up to change number `to`, or as far as the store has changes, and returns the view. An update
    /// that another request began after this call serves this one too.
    ///
    /// # Errors
    /// The error of the store; the index is then unchanged.
    pub(crate) async fn catch_up(&self, to: i64) -> Result<Arc<View>, StoreError> {
        let view = self.view();
        if view.change() >= to {
            return Ok(view);
        }
        let called = Instant::now();
        let mut last_began = self.catching_up.lock().await;
        let view = self.view();
        if view.change() >= to || last_began.is_some_and(|began| began >= called) {
            return Ok(view);
        }
        let began = Instant::now();
        let mut batch = Batch::new(&view);
        if let Some(up_to) = read_changes(&self.db, view.change(), &mut batch).await? {
            let next = tokio::task::spawn_blocking(move || view.after(batch, up_to));
            let Ok(next) = next.await else {
                return Ok(self.view());
            };
            self.view.store(Arc::new(next));
            self.changed.notify_one();
        }
        *last_began = Some(began);
        Ok(self.view())
    }

    /// Updates the index at this interval until `stop` is cancelled. A failure is logged, and the next update tries again.
    pub(crate) async fn follow(self: Arc<Self>, every: Duration, stop: CancellationToken) {
        while stop
            .run_until_cancelled(tokio::time::sleep(every))
            .await
            .is_some()
        {
            if let Err(error) = self.catch_up(i64::MAX).await {
                tracing::warn!(%error, "updating the search index failed");
            }
        }
    }
}

/// The changes of one page, of as many numbers as a page has, up to number `last`. They are read in a task of their own,
/// because half of the work is converting rows.
async fn read_page(db: &Db, start: i64, last: i64) -> Result<Vec<IndexRow>, StoreError> {
    let (db, end) = (db.clone(), last.min(start + i64::from(PAGE)));
    let page = AbortOnDropHandle::new(tokio::spawn(async move {
        let page = offers::changes_between(&db, (start, end), PAGE);
        with_timeout(READ_TIMEOUT, page).await
    }));
    page.await.unwrap_or_else(|error| {
        Err(StoreError::Unreachable {
            reason: error.to_string(),
        })
    })
}

/// Reads all changes after number `since` into `batch`. Returns the number up to which the batch is complete; `None` if
/// there were no changes.
///
/// The changes up to the number that was the last at the beginning are read in pages, several at once. Then come the later
/// ones, in ascending order until a page is not full. An offer that changes during the read gets a higher number and so
/// moves to a later page. When the last page has been read, every offer on a page is still as that page has it, or it is
/// on a later page too. So together the pages are the state of the store at the last number read. Retirements with a
/// higher number are left for the next update.
async fn read_changes(db: &Db, since: i64, batch: &mut Batch) -> Result<Option<i64>, StoreError> {
    let last = with_timeout(READ_TIMEOUT, offers::last_change(db)).await?;
    if last <= since {
        return Ok(None);
    }
    let starts = (since..last).step_by(PAGE as usize);
    let mut pages = stream::iter(starts)
        .map(|start| read_page(db, start, last))
        .buffered(READERS);
    while let Some(page) = pages.next().await {
        for row in &page? {
            batch.changed(row);
        }
    }
    let mut at = last;
    loop {
        let page = with_timeout(READ_TIMEOUT, offers::changes_since(db, at, PAGE)).await?;
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
        let page = with_timeout(READ_TIMEOUT, offers::retired_since(db, at, PAGE)).await?;
        page.iter()
            .filter(|(change, _)| *change <= up_to)
            .for_each(|(change, row)| batch.retired(*change, *row));
        at = page.last().map_or(at, |(change, _)| *change);
        if page.len() < PAGE as usize || at > up_to {
            return Ok(Some(up_to));
        }
    }
}
