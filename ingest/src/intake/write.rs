//! Writing a batch to the store.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::Arc;

use schema::store::listings::CompressedListing;
use schema::store::{Result, Tx, crawls, listings, lock, purges};
use schema::{Crawl, ListingKey, Timestamp};

use super::read::{Entry, ObservedListing};
use super::report::IntakeReport;
use super::{complete_crawl, known_listings, new_listings};

/// Writes entries in their order and counts their effects. What was purged and not allowed again is left out.
pub(super) async fn write_entries(
    tx: &mut Tx,
    entries: Vec<Entry>,
    report: &mut IntakeReport,
) -> Result<()> {
    lock::listings(tx).await?;
    let blocked = purges::blocked(tx).await?;
    let mut observed = Vec::new();
    for entry in entries {
        match entry {
            Entry::Listing(listing) if blocked.has(&listing.key) => report.purged += 1,
            Entry::Crawl(crawl) if blocked.has_site(&crawl.site_id) => report.purged += 1,
            Entry::Listing(listing) => observed.push(*listing),
            Entry::Crawl(crawl) => {
                write_listings(tx, mem::take(&mut observed), report).await?;
                complete_crawl::apply(tx, &crawl, report.site(&crawl.site_id)).await?;
            }
            Entry::Nothing => {}
        }
    }
    write_listings(tx, observed, report).await
}

/// What a batch says about one listing.
pub(super) struct ListingUpdate {
    pub(super) key: ListingKey,
    /// In order of time.
    pub(super) observed: Vec<ObservedListing>,
    /// The complete crawls that may have missed the listing: those of its portal since the batch's earliest observation.
    pub(super) crawls: Arc<[Crawl]>,
}

impl ListingUpdate {
    /// Takes the listing as it was compressed ahead. It is what is to be stored if nothing else was observed later.
    pub(super) fn take_listing_ahead(&mut self) -> Option<CompressedListing> {
        let mut latest_first = self.observed.iter_mut().rev();
        latest_first.find_map(|observed| observed.listing_ahead.take())
    }
}

/// Writes what was observed of listings between two complete crawls.
async fn write_listings(
    tx: &mut Tx,
    observed: Vec<ObservedListing>,
    report: &mut IntakeReport,
) -> Result<()> {
    if observed.is_empty() {
        return Ok(());
    }
    let updates = updates_by_listing(tx, observed).await?;
    for update in &updates {
        report.site(&update.key.site_id).observations += update.observed.len() as u64;
    }
    let keys: Vec<_> = updates.iter().map(|update| update.key.clone()).collect();
    let mut stored = listings::load(tx, &keys).await?;
    let mut known = Vec::new();
    let mut new = Vec::new();
    for update in updates {
        match stored.remove(&update.key) {
            Some(stored) => known.push((stored, update)),
            None => new.push(update),
        }
    }
    new_listings::insert_all(tx, new, report).await?;
    known_listings::update_all(tx, known, report).await
}

/// Groups observations by listing and adds the complete crawls that may have missed each.
async fn updates_by_listing(
    tx: &mut Tx,
    observed: Vec<ObservedListing>,
) -> Result<Vec<ListingUpdate>> {
    let mut by_key: BTreeMap<ListingKey, Vec<ObservedListing>> = BTreeMap::new();
    for observed in observed {
        by_key
            .entry(observed.key.clone())
            .or_default()
            .push(observed);
    }
    let mut earliest: HashMap<String, Timestamp> = HashMap::new();
    for (key, observed) in &mut by_key {
        observed.sort_by(|left, right| left.event.chronological(&right.event));
        if let Some(first) = observed.first().map(|first| first.event.at()) {
            earliest
                .entry(key.site_id.clone())
                .and_modify(|at| *at = first.min(*at))
                .or_insert(first);
        }
    }
    let since = earliest.iter().map(|(site_id, at)| (site_id.as_str(), *at));
    let mut crawls_of: HashMap<String, Vec<Crawl>> = HashMap::new();
    for crawl in crawls::of_sites(tx, &since.collect::<Vec<_>>()).await? {
        crawls_of
            .entry(crawl.site_id.clone())
            .or_default()
            .push(crawl);
    }
    let crawls_of = crawls_of
        .into_iter()
        .map(|(site_id, crawls)| (site_id, crawls.into()));
    let crawls_of: HashMap<String, Arc<[Crawl]>> = crawls_of.collect();
    let update = |(key, observed): (ListingKey, Vec<ObservedListing>)| {
        let crawls = crawls_of.get(&key.site_id).cloned().unwrap_or_default();
        ListingUpdate {
            key,
            observed,
            crawls,
        }
    };
    Ok(by_key.into_iter().map(update).collect())
}
