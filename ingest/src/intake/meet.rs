//! Listings that are not stored yet.

use schema::store::listings::{self, Save};
use schema::store::observations::{self, Sighting};
use schema::store::{Result, Tx};
use schema::{ListingState, Timestamp};

use super::record::record;
use super::report::{Counts, IntakeReport};
use super::write::Arrival;
use crate::timeline::{self, Effect, Event};

/// A listing that was seen, so that it can be stored.
struct Met {
    arrival: Arrival,
    /// Ends that were told before.
    early: Vec<Timestamp>,
    state: ListingState,
}

/// Writes what was learned about listings that are not stored. Of one that was only ever gone, the end is remembered
/// by its key.
pub(super) async fn all(
    tx: &mut Tx,
    arrivals: Vec<Arrival>,
    report: &mut IntakeReport,
) -> Result<()> {
    let keys: Vec<_> = arrivals.iter().map(|arrival| arrival.key.clone()).collect();
    let mut early_ends = observations::early_disappearances(tx, &keys).await?;
    let mut met = Vec::with_capacity(arrivals.len());
    for arrival in arrivals {
        let early = early_ends.remove(&arrival.key).unwrap_or_default();
        let counts = report.site(&arrival.key.site_id);
        if let Some(state) = first_state(&arrival, &early, counts) {
            met.push(Met {
                arrival,
                early,
                state,
            });
            continue;
        }
        for learned in &arrival.learned {
            observations::record_early_disappearance(tx, &arrival.key, learned.event.at()).await?;
        }
    }
    store(tx, &met, report).await
}

/// The state of a listing from what was learned and the crawls and ends that are known; `None` where nobody saw it.
fn first_state(
    arrival: &Arrival,
    early: &[Timestamp],
    counts: &mut Counts,
) -> Option<ListingState> {
    let ends = early.iter().map(|at| Event::Gone { at: *at });
    let others = ends.chain(arrival.crawls.iter().map(Event::from));
    let own = arrival
        .learned
        .iter()
        .map(|learned| (learned.event.clone(), true));
    let mut events: Vec<_> = own.chain(others.map(|event| (event, false))).collect();
    events.sort_by(|left, right| left.0.chronological(&right.0));
    let mut state = None;
    for (event, own) in events {
        let effect = timeline::apply(&mut state, event);
        if own || effect != Effect::None {
            counts.tell(effect);
        }
    }
    state
}

async fn store(tx: &mut Tx, met: &[Met], report: &mut IntakeReport) -> Result<()> {
    let saves: Vec<_> = met
        .iter()
        .map(|met| Save {
            key: &met.arrival.key,
            state: &met.state,
            changed: true,
        })
        .collect();
    let ids = listings::save_all(tx, &saves).await?;
    let mut observed = Vec::new();
    let mut ends = Vec::new();
    for (met, id) in met.iter().zip(ids) {
        observed.extend(met.arrival.learned.iter().map(|learned| (id, learned)));
        ends.extend(
            met.early
                .iter()
                .map(|at| (id, Sighting { at: *at, raw: None })),
        );
    }
    record(tx, &observed, report).await?;
    observations::record_all(tx, &ends).await?;
    Ok(())
}
