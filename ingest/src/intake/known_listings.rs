//! Writing what was observed of listings that are already stored.

use std::collections::{BTreeMap, BTreeSet};

use schema::store::listings::{self, CompressedListing, Save};
use schema::store::{Result, Tx, observations};
use schema::{ListingState, StoredListing, Timestamp};

use super::history::History;
use super::record::record;
use super::report::IntakeReport;
use super::write::ListingUpdate;
use crate::timeline::{self, Effect, Known};

/// Writes what was observed of listings that are already stored.
pub(super) async fn update_all(
    tx: &mut Tx,
    known: Vec<(StoredListing, ListingUpdate)>,
    report: &mut IntakeReport,
) -> Result<()> {
    let latest_ends = latest_ends(tx, &known).await?;
    let observed: Vec<_> = known
        .iter()
        .flat_map(|(stored, update)| update.observed.iter().map(|observed| (stored.id, observed)))
        .collect();
    let mut new = record(tx, &observed, report).await?.into_iter();
    let (mut updated, mut ahead) = (Vec::new(), Vec::new());
    for ((stored, mut update), latest_end) in known.into_iter().zip(latest_ends) {
        let site_id = update.key.site_id.clone();
        let new = new.by_ref().take(update.observed.len()).collect();
        ahead.push(update.take_listing_ahead());
        let (state, effects) = next_state(tx, &stored, update, Before { new, latest_end }).await?;
        for effect in effects {
            report.site(&site_id).count(effect);
        }
        updated.push((stored, state));
    }
    save(tx, &updated, &ahead).await
}

/// For each listing that has ended: when it was last observed to be gone.
async fn latest_ends(
    tx: &mut Tx,
    known: &[(StoredListing, ListingUpdate)],
) -> Result<Vec<Option<Timestamp>>> {
    let ended: Vec<_> = known
        .iter()
        .filter(|(stored, _)| !stored.state.is_live())
        .map(|(stored, _)| stored.id)
        .collect();
    let ends = observations::latest_disappearances(tx, &ended).await?;
    Ok(known
        .iter()
        .map(|(stored, _)| ends.get(&stored.id).copied())
        .collect())
}

/// What the store knew about a listing before.
struct Before {
    /// For each new observation: whether the store did not know it yet.
    new: Vec<bool>,
    /// When it was last observed to be gone, if it has ended.
    latest_end: Option<Timestamp>,
}

/// The state after the update, and the effect of each observation.
///
/// Observations that arrive in order of time are applied one by one. If one arrives late, the state is recomputed from
/// everything that is stored, and the effect of all of them together is attributed to the first.
async fn next_state(
    tx: &mut Tx,
    stored: &StoredListing,
    update: ListingUpdate,
    before: Before,
) -> Result<(ListingState, Vec<Effect>)> {
    let mut state = stored.state.clone();
    let mut effects = vec![Effect::None; before.new.len()];
    let known = Known {
        crawls: &update.crawls,
        latest_end: before.latest_end,
    };
    for ((observed, new), effect) in update
        .observed
        .into_iter()
        .zip(before.new)
        .zip(&mut effects)
    {
        if !new {
            continue;
        }
        if let Some(applied) = timeline::step(&mut state, observed.event, known) {
            *effect = applied;
            continue;
        }
        let history = History::load(tx, stored.id, &stored.key).await?;
        state = history.fold().unwrap_or_else(|| stored.state.clone());
        effects.fill(Effect::None);
        if let Some(first) = effects.first_mut() {
            *first = effect_of(&stored.state, &state);
        }
        break;
    }
    Ok((state, effects))
}

/// Stores the states that have changed. A listing of which more has changed than when it was last seen is queued for
/// deduplication. So is a listing that may have seemed gone when others appeared, because its portal's removals are unknown.
///
/// `ahead` are the listings as they were compressed ahead; there may be fewer of them.
pub(super) async fn save(
    tx: &mut Tx,
    updated: &[(StoredListing, ListingState)],
    ahead: &[Option<CompressedListing>],
) -> Result<()> {
    let newest = newest_sightings(tx, updated).await?;
    let seemed_gone = |stored: &StoredListing| {
        let newest = newest.get(&stored.key.site_id);
        newest.is_some_and(|newest| stored.state.last_seen_at < *newest)
    };
    let saves: Vec<_> = updated
        .iter()
        .enumerate()
        .filter(|(_, (stored, state))| *state != stored.state)
        .map(|(place, (stored, state))| Save {
            key: &stored.key,
            state,
            changed: effect_of(&stored.state, state) != Effect::None || seemed_gone(stored),
            ahead: ahead.get(place).and_then(Option::as_ref),
        })
        .collect();
    listings::save_all(tx, &saves).await?;
    Ok(())
}

/// When the newest listing of each portal was first seen, for the portals whose removals are unknown.
async fn newest_sightings(
    tx: &mut Tx,
    updated: &[(StoredListing, ListingState)],
) -> Result<BTreeMap<String, Timestamp>> {
    let watched = listings::watched(tx).await?;
    let sites = updated.iter().map(|(stored, _)| &stored.key.site_id);
    let unwatched: BTreeSet<&String> = sites.filter(|site| !watched.contains(*site)).collect();
    let mut newest = BTreeMap::new();
    for site in unwatched {
        let found = listings::newest_sighting(tx, site).await?;
        newest.extend(found.map(|at| (site.clone(), at)));
    }
    Ok(newest)
}

/// What happened to a listing between two states, as far as merging is concerned.
fn effect_of(before: &ListingState, after: &ListingState) -> Effect {
    let seen_as_before = ListingState {
        last_seen_at: before.last_seen_at,
        ..after.clone()
    };
    if seen_as_before == *before {
        Effect::None
    } else if before.is_live() && !after.is_live() {
        Effect::Ended
    } else {
        Effect::Changed
    }
}
