//! A batch into the store.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::sync::Arc;

use schema::store::{Result, Tx, crawls, listings, lock};
use schema::{Crawl, ListingKey, Timestamp};

use super::read::{Entry, Learned};
use super::report::IntakeReport;
use super::{crawl, follow, meet};

/// Writes what `entries` say, in their order, and counts it.
pub(super) async fn entries(
    tx: &mut Tx,
    entries: Vec<Entry>,
    report: &mut IntakeReport,
) -> Result<()> {
    lock::listings(tx).await?;
    let mut learned = Vec::new();
    for entry in entries {
        match entry {
            Entry::Listing(listing) => learned.push(*listing),
            Entry::Crawl(crawl) => {
                listings(tx, mem::take(&mut learned), report).await?;
                crawl::apply(tx, &crawl, report.site(&crawl.site_id)).await?;
            }
            Entry::Nothing => {}
        }
    }
    listings(tx, learned, report).await
}

/// What a batch says about one listing.
pub(super) struct Arrival {
    pub(super) key: ListingKey,
    /// In the order of time.
    pub(super) learned: Vec<Learned>,
    /// The crawls of its portal that may have missed it: those that were complete after the batch's earliest sighting.
    pub(super) crawls: Arc<[Crawl]>,
}

/// Writes what was learned about listings between two crawls.
async fn listings(tx: &mut Tx, learned: Vec<Learned>, report: &mut IntakeReport) -> Result<()> {
    if learned.is_empty() {
        return Ok(());
    }
    let arrivals = arrivals(tx, learned).await?;
    for arrival in &arrivals {
        report.site(&arrival.key.site_id).observations += arrival.learned.len() as u64;
    }
    let keys: Vec<_> = arrivals.iter().map(|arrival| arrival.key.clone()).collect();
    let mut stored = listings::load(tx, &keys).await?;
    let mut known = Vec::new();
    let mut unknown = Vec::new();
    for arrival in arrivals {
        match stored.remove(&arrival.key) {
            Some(stored) => known.push((stored, arrival)),
            None => unknown.push(arrival),
        }
    }
    meet::all(tx, unknown, report).await?;
    follow::all(tx, known, report).await
}

/// What was learned, by listing.
async fn arrivals(tx: &mut Tx, learned: Vec<Learned>) -> Result<Vec<Arrival>> {
    let mut by_key: BTreeMap<ListingKey, Vec<Learned>> = BTreeMap::new();
    for learned in learned {
        by_key.entry(learned.key.clone()).or_default().push(learned);
    }
    let mut earliest: HashMap<String, Timestamp> = HashMap::new();
    for (key, learned) in &mut by_key {
        learned.sort_by(|left, right| left.event.chronological(&right.event));
        if let Some(first) = learned.first().map(|first| first.event.at()) {
            earliest
                .entry(key.site_id.clone())
                .and_modify(|at| *at = first.min(*at))
                .or_insert(first);
        }
    }
    let mut crawls_of: HashMap<String, Arc<[Crawl]>> = HashMap::new();
    for (site_id, since) in earliest {
        let crawls = crawls::of_site(tx, &site_id, since).await?;
        crawls_of.insert(site_id, crawls.into());
    }
    let arrival = |(key, learned): (ListingKey, Vec<Learned>)| {
        let crawls = crawls_of.get(&key.site_id).cloned().unwrap_or_default();
        Arrival {
            key,
            learned,
            crawls,
        }
    };
    Ok(by_key.into_iter().map(arrival).collect())
}
