//! Reads listings, and merges records, while others that were read before are worked on: the database and the other core
//! have nothing else to do.

use std::collections::HashMap;
use std::panic;

use schema::store::offers::{self, Bases};
use schema::store::{Db, StoreError, listings};
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
