//! Listings that are stored already.

use schema::store::listings::{self, Save};
use schema::store::{Result, Tx, observations};
use schema::{ListingState, StoredListing, Timestamp};

use super::history::History;
use super::record::record;
use super::report::IntakeReport;
use super::write::Arrival;
use crate::timeline::{self, Effect, Known};

/// Writes what was learned about listings that are stored.
pub(super) async fn all(
    tx: &mut Tx,
    known: Vec<(StoredListing, Arrival)>,
    report: &mut IntakeReport,
) -> Result<()> {
    let latest_ends = latest_ends(tx, &known).await?;
    let observed: Vec<_> = known
        .iter()
        .flat_map(|(stored, arrival)| arrival.learned.iter().map(|learned| (stored.id, learned)))
        .collect();
    let mut new = record(tx, &observed, report).await?.into_iter();
    let mut moved = Vec::new();
    for ((stored, arrival), latest_end) in known.into_iter().zip(latest_ends) {
        let site_id = arrival.key.site_id.clone();
        let new = new.by_ref().take(arrival.learned.len()).collect();
        let (state, effects) = next(tx, &stored, arrival, Before { new, latest_end }).await?;
        for effect in effects {
            report.site(&site_id).tell(effect);
        }
        moved.push((stored, state));
    }
    save(tx, &moved).await
}

/// When each of the listings that are gone was last said to be so.
async fn latest_ends(
    tx: &mut Tx,
    known: &[(StoredListing, Arrival)],
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

/// What the store knew of a listing before.
struct Before {
    /// Of each observation that arrived, whether it is new.
    new: Vec<bool>,
    /// When it was last said to be gone, if it is.
    latest_end: Option<Timestamp>,
}

/// The state after what arrived, and what each observation did. Observations in order of time are taken in one by
/// one; where one came late, everything stored is folded anew, and what they did together is told of the first.
async fn next(
    tx: &mut Tx,
    stored: &StoredListing,
    arrival: Arrival,
    before: Before,
) -> Result<(ListingState, Vec<Effect>)> {
    let mut state = stored.state.clone();
    let mut effects = vec![Effect::None; before.new.len()];
    let known = Known {
        crawls: &arrival.crawls,
        latest_end: before.latest_end,
    };
    for ((learned, new), effect) in arrival
        .learned
        .into_iter()
        .zip(before.new)
        .zip(&mut effects)
    {
        if !new {
            continue;
        }
        if let Some(did) = timeline::step(&mut state, learned.event, known) {
            *effect = did;
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

/// Stores the states that differ from what is stored. Dedup looks at those listings again of which more differs than
/// when they were last seen.
pub(super) async fn save(tx: &mut Tx, moved: &[(StoredListing, ListingState)]) -> Result<()> {
    let saves: Vec<_> = moved
        .iter()
        .filter(|(stored, state)| *state != stored.state)
        .map(|(stored, state)| {
            let changed = effect_of(&stored.state, state) != Effect::None;
            Save {
                key: &stored.key,
                state,
                changed,
            }
        })
        .collect();
    listings::save_all(tx, &saves).await?;
    Ok(())
}

/// What happened to a listing between two states, as merging sees it.
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
