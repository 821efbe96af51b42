//! A batch into the store.

use std::collections::{BTreeMap, HashMap};
use std::mem;

use schema::store::value_rejects::{self, ValueReject};
use schema::store::{Result, Tx, crawls, listings, lock, observations, raw_listings};
use schema::{ListingId, ListingKey, ListingState, StoredListing, Timestamp};

use super::crawl;
use super::history::History;
use super::read::{Entry, Learned};
use super::report::{Counts, IntakeReport};
use crate::reading;
use crate::timeline::{self, Effect, Event};

/// Writes what `entries` say, in their order, and counts it.
pub(super) async fn entries(tx: &mut Tx, entries: Vec<Entry>, report: &mut IntakeReport) -> Result<()> {
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

/// Writes what was learned about listings.
async fn listings(tx: &mut Tx, learned: Vec<Learned>, report: &mut IntakeReport) -> Result<()> {
    let mut by_key: BTreeMap<ListingKey, Vec<Learned>> = BTreeMap::new();
    for learned in learned {
        by_key.entry(learned.key.clone()).or_default().push(learned);
    }
    let keys: Vec<_> = by_key.keys().cloned().collect();
    let stored = listings::load(tx, &keys).await?;
    let unknown: Vec<_> = keys.into_iter().filter(|key| !stored.contains_key(key)).collect();
    let mut early = observations::early_disappearances(tx, &unknown).await?;
    let mut latest = LatestCrawls::default();
    for (key, mut learned) in by_key {
        learned.sort_by(|left, right| left.event.chronological(&right.event));
        let latest_crawl = latest.of(tx, &key.site_id).await?;
        let counts = report.site(&key.site_id);
        counts.observations += learned.len() as u64;
        if let Some(stored) = stored.get(&key) {
            follow(tx, stored, Arrival { learned, latest_crawl }, counts).await?;
        } else {
            let early = early.remove(&key).unwrap_or_default();
            meet(tx, &key, Arrival { learned, latest_crawl }, early, counts).await?;
        }
    }
    Ok(())
}

/// What a batch says about one listing.
struct Arrival {
    /// In the order of time.
    learned: Vec<Learned>,
    /// When the latest known crawl of its portal was complete.
    latest_crawl: Option<Timestamp>,
}

/// When the latest crawl of each portal was complete, asked once.
#[derive(Default)]
struct LatestCrawls(HashMap<String, Option<Timestamp>>);

impl LatestCrawls {
    async fn of(&mut self, tx: &mut Tx, site_id: &str) -> Result<Option<Timestamp>> {
        if let Some(latest) = self.0.get(site_id) {
            return Ok(*latest);
        }
        let latest = crawls::latest(tx, site_id).await?;
        self.0.insert(site_id.to_owned(), latest);
        Ok(latest)
    }
}

/// Writes what was learned about a listing that is stored.
async fn follow(
    tx: &mut Tx,
    stored: &StoredListing,
    Arrival { learned, latest_crawl }: Arrival,
    counts: &mut Counts,
) -> Result<()> {
    let mut state = stored.state.clone();
    let mut effects = Vec::with_capacity(learned.len());
    let mut in_order = true;
    for learned in learned {
        if !record(tx, stored.id, &learned, counts).await? {
            effects.push(Effect::None);
        } else if in_order {
            let latest_end = match state.gone_at {
                Some(_) => latest_crawl.max(observations::latest_disappearance(tx, stored.id).await?),
                None => latest_crawl,
            };
            let effect = timeline::step(&mut state, learned.event, latest_end);
            effects.push(effect.unwrap_or(Effect::None));
            in_order = effect.is_some();
        } else {
            effects.push(Effect::None);
        }
    }
    if !in_order {
        let history = History::load(tx, stored.id, &stored.key).await?;
        state = history.fold().unwrap_or_else(|| stored.state.clone());
        // What came late cannot be told apart: together it did one thing.
        effects.fill(Effect::None);
        if let Some(first) = effects.first_mut() {
            *first = effect_of(&stored.state, &state);
        }
    }
    for effect in effects {
        counts.tell(effect);
    }
    save(tx, stored, &state).await
}

/// Writes what was learned about a listing that is not stored, after the ends that were told `early`. One that was
/// only ever gone is remembered by its key.
async fn meet(
    tx: &mut Tx,
    key: &ListingKey,
    Arrival { learned, latest_crawl }: Arrival,
    early: Vec<Timestamp>,
    counts: &mut Counts,
) -> Result<()> {
    let own = learned.iter().map(|learned| (learned.event.clone(), true));
    let known_before = early.iter().map(|at| (Event::Gone { at: *at }, false));
    let mut events: Vec<_> = own.chain(known_before).collect();
    if let Some(first) = learned.first().map(|learned| learned.event.at())
        && latest_crawl.is_some_and(|end| end >= first)
    {
        let crawls = crawls::of_site(tx, &key.site_id, first).await?;
        events.extend(crawls.iter().map(|crawl| (Event::from(crawl), false)));
    }
    events.sort_by(|left, right| left.0.chronological(&right.0));
    let mut state = None;
    for (event, own) in events {
        let effect = timeline::apply(&mut state, event);
        if own || effect != Effect::None {
            counts.tell(effect);
        }
    }
    let Some(state) = state else {
        for learned in learned {
            observations::record_early_disappearance(tx, key, learned.event.at()).await?;
        }
        return Ok(());
    };
    let id = listings::save(tx, key, &state, true).await?;
    for at in early {
        observations::record(tx, id, at, None).await?;
    }
    for learned in &learned {
        record(tx, id, learned, counts).await?;
    }
    Ok(())
}

/// Stores an observation as it came, and says whether it is new.
async fn record(tx: &mut Tx, listing: ListingId, learned: &Learned, counts: &mut Counts) -> Result<bool> {
    let at = learned.event.at();
    let Some(raw) = &learned.raw else { return observations::record(tx, listing, at, None).await };
    let (id, new) = raw_listings::insert(tx, listing, raw, at).await?;
    if new {
        counts.values_left_out += learned.unread.len() as u64;
        for unread in &learned.unread {
            value_rejects::insert(tx, id, &learned.key.site_id, &stored_form(unread)).await?;
        }
    }
    observations::record(tx, listing, at, Some(id)).await
}

/// A value that was left out, as the store keeps it.
pub(super) fn stored_form(unread: &reading::ValueReject) -> ValueReject {
    let reading::ValueReject { field, value, reason } = unread.clone();
    ValueReject { field, value, reason }
}

/// Stores `state` where it differs from what is stored. Dedup looks at the listing again only where more differs than
/// when it was last seen.
pub(super) async fn save(tx: &mut Tx, stored: &StoredListing, state: &ListingState) -> Result<()> {
    if *state != stored.state {
        let changed = effect_of(&stored.state, state) != Effect::None;
        listings::save(tx, &stored.key, state, changed).await?;
    }
    Ok(())
}

/// What happened to a listing between two states, as merging sees it.
fn effect_of(before: &ListingState, after: &ListingState) -> Effect {
    let seen_as_before = ListingState { last_seen_at: before.last_seen_at, ..after.clone() };
    if seen_as_before == *before {
        Effect::None
    } else if before.is_live() && !after.is_live() {
        Effect::Ended
    } else {
        Effect::Changed
    }
}
