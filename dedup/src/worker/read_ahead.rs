//! Reads listings, and merges records, while others that were read before are worked on: the database and the other core
//! have nothing else to do.

use std::collections::HashMap;
use std::panic;

use schema::store::offers::{self, Bases};
use schema::store::{Db, StoreError, Tx, listings};
use schema::{ListingId, StoredListing, background};
use tokio::task::JoinHandle;

use super::districts::{self, Districts};
use super::record_rows::merge_each;
use crate::addresses::Addresses;
use crate::merging::Merged;

/// How many listings are read at a time.
pub const PAGE: u32 = 2_000;

type Reading = JoinHandle<Result<Vec<StoredListing>, StoreError>>;

/// Clusters as they were when they were read. Others may have changed their listings since.
#[derive(Default)]
pub struct ReadClusters {
    /// The listings of all clusters.
    pub listings: Vec<StoredListing>,
    /// The districts of their municipalities.
    pub districts: Districts,
    /// The values of each cluster, merged, in the order given.
    pub merged: Vec<Merged>,
    /// The documents of the listings; `None` if nothing was read.
    pub bases: Option<Bases>,
}

/// Clusters that are being read and merged.
pub struct ReadAhead(JoinHandle<Result<ReadClusters, StoreError>>);

impl ReadAhead {
    /// Begins to read these clusters.
    pub fn begin(db: &Db, addresses: &Addresses, clusters: Vec<Vec<ListingId>>) -> Self {
        let (db, addresses) = (db.clone(), addresses.clone());
        Self(tokio::spawn(async move {
            read_clusters(&db, &addresses, &clusters).await
        }))
    }

    /// What was read.
    pub async fn finish(self) -> Result<ReadClusters, StoreError> {
        finish(self.0).await
    }
}

async fn read_clusters(
    db: &Db,
    addresses: &Addresses,
    clusters: &[Vec<ListingId>],
) -> Result<ReadClusters, StoreError> {
    let ids: Vec<ListingId> = clusters.iter().flatten().copied().collect();
    let mut tx = db.begin_read().await?;
    let listings = listings::get(&mut tx, &ids).await?;
    let districts = districts::known_districts(&mut tx, &listings).await?;
    let keys = listings.iter().map(|listing| &listing.key);
    let keys = keys.map(|key| (key.site_id.as_str(), key.offer_id.as_str()));
    let bases = offers::read_bases(&mut tx, &keys.collect::<Vec<_>>()).await?;
    tx.rollback().await?;
    let mut by_id: HashMap<ListingId, StoredListing> = listings
        .into_iter()
        .map(|listing| (listing.id, listing))
        .collect();
    let mut members_of = |cluster: &Vec<ListingId>| -> Vec<StoredListing> {
        cluster.iter().filter_map(|id| by_id.remove(id)).collect()
    };
    let members: Vec<Vec<StoredListing>> = clusters.iter().map(&mut members_of).collect();
    Ok(ReadClusters {
        merged: background::ahead(|| merge_each(&members, addresses, &districts)),
        bases: Some(bases),
        listings: members.into_iter().flatten().collect(),
        districts,
    })
}

/// The listings as they are in the transaction, and whether all of them are as in `read`, which were read before it. Of
/// those, only the ones that have changed since are read again.
pub async fn current(
    tx: &mut Tx,
    ids: &[ListingId],
    read: Vec<StoredListing>,
) -> Result<(Vec<StoredListing>, bool), StoreError> {
    if read.is_empty() {
        return Ok((listings::get(tx, ids).await?, false));
    }
    let mut read: HashMap<ListingId, StoredListing> = read
        .into_iter()
        .map(|listing| (listing.id, listing))
        .collect();
    let mut current = Vec::with_capacity(ids.len());
    let mut changed = Vec::new();
    for head in listings::heads(tx, ids).await? {
        // A listing that is only seen again keeps its version.
        let same = |listing: &StoredListing| {
            listing.version == head.version && listing.state.last_seen_at == head.last_seen_at
        };
        match read.remove(&head.id).filter(same) {
            Some(listing) => current.push(listing),
            None => changed.push(head.id),
        }
    }
    let as_read = current.len() == ids.len();
    if !changed.is_empty() {
        current.extend(listings::get(tx, &changed).await?);
    }
    Ok((current, as_read))
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

async fn finish<T>(reading: JoinHandle<Result<T, StoreError>>) -> Result<T, StoreError> {
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

#[cfg(test)]
mod tests {
    use schema::{Listing, ListingKey, ListingState, Timestamp};

    use super::*;

    fn seen_at(millis: i64) -> ListingState {
        ListingState {
            listing: Listing::default(),
            url: None,
            first_seen_at: Timestamp(0),
            last_seen_at: Timestamp(millis),
            last_changed_at: Timestamp(0),
            gone_at: None,
            prices: Vec::new(),
        }
    }

    async fn save(db: &Db, number: usize, state: &ListingState, changed: bool) -> ListingId {
        let key = ListingKey::new("sreality", number.to_string());
        let mut tx = db.begin().await.unwrap();
        let id = listings::save(&mut tx, &key, state, changed).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    #[tokio::test]
    async fn listings_that_change_after_they_were_read_ahead_are_read_again() {
        support::on_each_database(async |db| {
            let mut ids = Vec::new();
            for number in 0..4 {
                ids.push(save(&db, number, &seen_at(1), true).await);
            }
            let clusters = ids.iter().map(|id| vec![*id]).collect();
            let ahead = ReadAhead::begin(&db, &Addresses::default(), clusters);
            let read = ahead.finish().await.unwrap();
            assert_eq!(read.merged.len(), 4);
            let mut tx = db.begin().await.unwrap();
            let (found, as_read) = current(&mut tx, &ids, read.listings.clone()).await.unwrap();
            tx.rollback().await.unwrap();
            assert!(as_read && found == read.listings);
            // One changes, one is only seen again, one was not read at all.
            save(&db, 1, &seen_at(1), true).await;
            save(&db, 2, &seen_at(2), false).await;
            let late = save(&db, 4, &seen_at(1), true).await;
            ids.push(late);
            let mut tx = db.begin().await.unwrap();
            let expected = listings::get(&mut tx, &ids).await.unwrap();
            let (mut found, as_read) = current(&mut tx, &ids, read.listings).await.unwrap();
            assert!(!as_read);
            tx.rollback().await.unwrap();
            found.sort_by_key(|listing| listing.id);
            assert_eq!(found, expected);
        })
        .await;
    }
}
