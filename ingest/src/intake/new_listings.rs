//! Writing what was observed of listings that are not stored yet.

use schema::store::listings::{self, CompressedListing, Save};
use schema::store::observations::{self, Sighting};
use schema::store::{Result, Tx};
use schema::{ListingState, Timestamp};

use super::record::record;
use super::report::{Counts, IntakeReport};
use super::write::ListingUpdate;
use crate::timeline::{self, Effect, Event};

/// A listing that was seen and is to be stored.
struct NewListing {
    update: ListingUpdate,
    /// The listing as it was compressed ahead.
    ahead: Option<CompressedListing>,
    /// Ends that were observed before the first sighting.
    early_ends: Vec<Timestamp>,
    state: ListingState,
}

/// Writes what was observed of listings that are not stored yet. If a listing was only observed to be gone, its end is
/// stored by its key.
pub(super) async fn insert_all(
    tx: &mut Tx,
    updates: Vec<ListingUpdate>,
    report: &mut IntakeReport,
) -> Result<()> {
    let keys: Vec<_> = updates.iter().map(|update| update.key.clone()).collect();
    let mut ends_by_key = observations::early_disappearances(tx, &keys).await?;
    let mut new = Vec::with_capacity(updates.len());
    for mut update in updates {
        let early_ends = ends_by_key.remove(&update.key).unwrap_or_default();
        let counts = report.site(&update.key.site_id);
        if let Some(state) = first_state(&update, &early_ends, counts) {
            new.push(NewListing {
                ahead: update.take_listing_ahead(),
                update,
                early_ends,
                state,
            });
            continue;
        }
        for observed in &update.observed {
            observations::record_early_disappearance(tx, &update.key, observed.event.at()).await?;
        }
    }
    store(tx, &new, report).await
}

/// The state of a listing after its observations and the known crawls and ends. `None` if it was never seen.
fn first_state(
    update: &ListingUpdate,
    early_ends: &[Timestamp],
    counts: &mut Counts,
) -> Option<ListingState> {
    let ends = early_ends.iter().map(|at| Event::Gone { at: *at });
    let others = ends.chain(update.crawls.iter().map(Event::from));
    let own = update
        .observed
        .iter()
        .map(|observed| (observed.event.clone(), true));
    let mut events: Vec<_> = own.chain(others.map(|event| (event, false))).collect();
    events.sort_by(|left, right| left.0.chronological(&right.0));
    let mut state = None;
    for (event, own) in events {
        let effect = timeline::apply(&mut state, event);
        if own || effect != Effect::None {
            counts.count(effect);
        }
    }
    state
}

async fn store(tx: &mut Tx, new: &[NewListing], report: &mut IntakeReport) -> Result<()> {
    let saves: Vec<_> = new
        .iter()
        .map(|new| Save {
            key: &new.update.key,
            state: &new.state,
            changed: true,
            ahead: new.ahead.as_ref(),
        })
        .collect();
    let ids = listings::save_all(tx, &saves).await?;
    let mut observed = Vec::new();
    let mut ends = Vec::new();
    for (new, id) in new.iter().zip(ids) {
        observed.extend(new.update.observed.iter().map(|observed| (id, observed)));
        ends.extend(
            new.early_ends
                .iter()
                .map(|at| (id, Sighting { at: *at, raw: None })),
        );
    }
    record(tx, &observed, report).await?;
    observations::record_all(tx, &ends).await?;
    Ok(())
}
