//! Keeps the index up to date: the store numbers its changes, and the index follows the numbers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use futures::{StreamExt, stream};
use schema::store::offers::{self, IndexRow};
use schema::store::{Db, StoreError, Tx, with_timeout};
use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::documents::Documents;
use crate::index::view::{Batch, View};

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
/// If there are many, those up to the number that was the last at the beginning are read in pages, several at once. An offer
/// that changes meanwhile gets a higher number and so is missing from its page. The rest is read from one state of the
/// store: every change after those pages, and every retirement. So together they are that state, and no transaction is in
/// them in part.
async fn read_changes(db: &Db, since: i64, batch: &mut Batch) -> Result<Option<i64>, StoreError> {
    let last = with_timeout(READ_TIMEOUT, offers::last_change(db)).await?;
    if last <= since {
        return Ok(None);
    }
    let mut read_to = since;
    if last - since > i64::from(PAGE) {
        let starts = (since..last).step_by(PAGE as usize);
        let mut pages = stream::iter(starts)
            .map(|start| read_page(db, start, last))
            .buffered(READERS);
        while let Some(page) = pages.next().await {
            for row in &page? {
                batch.changed(row);
            }
        }
        read_to = last;
    }
    let mut tx = with_timeout(READ_TIMEOUT, db.begin_replica()).await?;
    let up_to = with_timeout(READ_TIMEOUT, offers::last_change_in(&mut tx)).await?;
    read_changed(&mut tx, read_to, batch).await?;
    read_retired(&mut tx, since, batch).await?;
    with_timeout(READ_TIMEOUT, tx.rollback()).await?;
    Ok(Some(up_to))
}

/// Reads the offers that changed after a number, in the state that the transaction reads.
async fn read_changed(tx: &mut Tx, mut after: i64, batch: &mut Batch) -> Result<(), StoreError> {
    loop {
        let page = with_timeout(READ_TIMEOUT, offers::changes_in(tx, after, PAGE)).await?;
        for row in &page {
            batch.changed(row);
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => after = last.change,
            _ => return Ok(()),
        }
    }
}

/// Reads the rows that were retired after a number, in the state that the transaction reads.
async fn read_retired(tx: &mut Tx, mut after: i64, batch: &mut Batch) -> Result<(), StoreError> {
    loop {
        let page = with_timeout(READ_TIMEOUT, offers::retired_in(tx, after, PAGE)).await?;
        for (change, row) in &page {
            batch.retired(*change, *row);
        }
        match page.last() {
            Some((change, _)) if page.len() == PAGE as usize => after = *change,
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use schema::store::offers::OfferRow;
    use schema::{Attributes, Offer, OfferId, Timestamp};

    use super::*;

    fn a_record(id: &str) -> OfferRow {
        OfferRow {
            offer: Offer {
                id: OfferId::parse(id).unwrap(),
                first_seen_at: Timestamp(0),
                last_changed_at: Timestamp(0),
                is_live: true,
                attributes: Attributes::default(),
            },
            portal_links: Vec::new(),
            price_history: Vec::new(),
            expired_at: None,
            issued_at: Timestamp(0),
            municipality: None,
        }
    }

    /// Splits a record into two and merges them again. Each is a transaction with two numbers; the second number of a
    /// merge is a retirement.
    async fn split_and_merge(db: &Db, turn: u32) {
        let (stays, goes) = (a_record("stays"), a_record(&format!("goes-{turn}")));
        for merges in [false, true] {
            let mut tx = db.begin().await.unwrap();
            let change = offers::next_change(&mut tx, 2).await.unwrap();
            offers::save(&mut tx, &stays, change).await.unwrap();
            let (goes_id, stays_id) = (&goes.offer.id, &stays.offer.id);
            if merges {
                let retired = offers::retire(&mut tx, goes_id, stays_id, change + 1);
                retired.await.unwrap();
            } else {
                offers::save(&mut tx, &goes, change + 1).await.unwrap();
            }
            tx.commit().await.unwrap();
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn no_view_has_a_transaction_in_part() {
        support::on_each_database(async |db| {
            let writing = db.clone();
            let writer = tokio::spawn(async move {
                for turn in 0..100 {
                    split_and_merge(&writing, turn).await;
                }
            });
            let index = OfferIndex::load(db, Documents::new(None)).await.unwrap();
            let mut views = 0;
            while !writer.is_finished() {
                let view = index.catch_up(i64::MAX).await.unwrap();
                assert_eq!(view.change() % 2, 0, "both numbers or none");
                views += 1;
            }
            writer.await.unwrap();
            let last = index.catch_up(i64::MAX).await.unwrap();
            assert_eq!((last.change(), last.len()), (400, 1), "{views} views");
        })
        .await;
    }
}
