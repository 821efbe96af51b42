//! Reads listings while others that were read before are worked on: the database and the other core have nothing else to do.

use std::panic;

use schema::store::{Db, StoreError, listings};
use schema::{ListingId, StoredListing};
use tokio::task::JoinHandle;

/// How many listings are read at a time.
pub const PAGE: u32 = 2_000;

type Reading = JoinHandle<Result<Vec<StoredListing>, StoreError>>;

/// Listings that are being read.
pub struct ReadAhead(Reading);

impl ReadAhead {
    /// Begins to read these listings.
    pub fn begin(db: &Db, ids: Vec<ListingId>) -> Self {
        let db = db.clone();
        Self(tokio::spawn(async move {
            let mut tx = db.begin_read().await?;
            let stored = listings::get(&mut tx, &ids).await?;
            tx.rollback().await?;
            Ok(stored)
        }))
    }

    /// The listings as they were when they were read. Others may have changed them since.
    pub async fn finish(self) -> Result<Vec<StoredListing>, StoreError> {
        finish(self.0).await
    }
}

/// All listings in the order of their row numbers, page by page.
pub struct Pages {
    db: Db,
    next: Option<Reading>,
}

impl Pages {
    /// Begins to read the first page.
    pub fn begin(db: &Db) -> Self {
        Self {
            db: db.clone(),
            next: Some(read_page(db, None)),
        }
    }

    /// The next page; empty after the last. The page after it is read from now on.
    pub async fn next(&mut self) -> Result<Vec<StoredListing>, StoreError> {
        let Some(reading) = self.next.take() else {
            return Ok(Vec::new());
        };
        let page = finish(reading).await?;
        let last = page.last().map(|listing| listing.id);
        self.next = last.map(|last| read_page(&self.db, Some(last)));
        Ok(page)
    }
}

fn read_page(db: &Db, after: Option<ListingId>) -> Reading {
    let db = db.clone();
    tokio::spawn(async move { listings::page(&db, after, PAGE).await })
}

async fn finish(reading: Reading) -> Result<Vec<StoredListing>, StoreError> {
    match reading.await {
        Ok(read) => read,
        Err(error) => match error.try_into_panic() {
            Ok(panicked) => panic::resume_unwind(panicked),
            Err(stopped) => Err(StoreError::Unreachable {
                reason: stopped.to_string(),
            }),
        },
    }
}
