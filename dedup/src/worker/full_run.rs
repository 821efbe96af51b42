//! A full run: matches all listings, after a first replay or when many listings changed at once.

use std::collections::{HashMap, HashSet, VecDeque};

use rayon::prelude::*;
use schema::ListingId;
use schema::store::{Db, StoreError, listings, reviews};

use super::districts::Vote;
use super::read_ahead::{Pages, ReadAhead, ReadClusters};
use super::records::{MemberState, PlannedRecord};
use super::store_matching::{Matched, store_matching};
use super::{Listings, Progress, Run, records};
use crate::clustering::Constraints;
use crate::engine;
use crate::profile::Profile;

/// About how many records are written in one transaction.
const CHUNK: usize = 500;

/// How many such parts are read ahead: one is merged while the next is read.
const READ_AHEAD: usize = 2;

/// What is read about all listings.
#[derive(Default)]
struct AllListings {
    profiles: Vec<Profile>,
    states: Vec<MemberState>,
    votes: Vec<Vote>,
}

pub async fn run(run: &mut Run<'_>) -> Result<(), StoreError> {
    let db = run.listings.db;
    let all = read_all(run).await?;
    (run.progress)(Progress::Matching);
    let AllListings {
        mut profiles,
        mut states,
        votes,
    } = all;
    engine::sort_for_locality(&mut profiles);
    let index_of: HashMap<ListingId, usize> =
        profiles.iter().map(|profile| profile.id).zip(0..).collect();
    states.sort_unstable_by_key(|state| index_of.get(&state.id).copied());
    let constraints = constraints(db, &profiles).await?;
    let mut partition = engine::partition(&run.table, &mut profiles, &constraints);
    run.report.compared += partition.compared as u64;
    let pairs = std::mem::take(&mut partition.pairs);
    let pending: Vec<bool> = states.iter().map(|state| state.pending).collect();
    store_matching(
        run,
        Matched {
            profiles,
            pending,
            pairs,
            votes,
        },
    )
    .await?;
    let mut by_index: Vec<Option<MemberState>> = states.into_iter().map(Some).collect();
    let clusters: Vec<Vec<MemberState>> = partition
        .clusters
        .iter()
        .map(|cluster| {
            cluster
                .iter()
                .filter_map(|index| by_index[*index as usize].take())
                .collect()
        })
        .collect();
    let mut tx = db.begin().await?;
    let groups = records::plan_records(&mut tx, clusters).await?;
    tx.commit().await?;
    write_all(&groups, run).await
}

/// Reads the constraints. This happens after the listings were read: a decision made in between gives
/// its listings a later version, so they stay pending.
async fn constraints(db: &Db, profiles: &[Profile]) -> Result<Constraints, StoreError> {
    let mut tx = db.begin_read().await?;
    let in_force = reviews::in_force(&mut tx).await?;
    tx.rollback().await?;
    Ok(Constraints::from_reviews(
        &in_force,
        profiles.iter().map(|profile| &profile.key),
    ))
}

async fn read_all(run: &mut Run<'_>) -> Result<AllListings, StoreError> {
    let Listings { db, addresses } = run.listings;
    let count = listings::count(db).await?;
    let mut all = AllListings::default();
    let mut pages = Pages::begin(db);
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            break;
        }
        let profiled: Vec<Profile> = page
            .par_iter()
            .map(|listing| Profile::from_listing(listing, addresses))
            .collect();
        all.profiles.extend(profiled);
        all.states
            .extend(page.iter().map(|listing| MemberState::new(listing, false)));
        all.votes.extend(page.iter().map(Vote::from_listing));
        (run.progress)(Progress::Reading(all.profiles.len() as u64, count));
    }
    // Read last: a listing that came or changed in the meantime is pending in any case, and it stays
    // pending if an earlier version of it was read.
    let pending: HashSet<ListingId> = listings::pending(db, u32::MAX).await?.into_iter().collect();
    run.report.listings += pending.len() as u64;
    for state in &mut all.states {
        state.pending = pending.contains(&state.id);
    }
    all.votes.retain(|vote| pending.contains(&vote.listing()));
    Ok(all)
}

async fn write_all(groups: &[Vec<PlannedRecord>], run: &mut Run<'_>) -> Result<(), StoreError> {
    let Listings { db, addresses } = run.listings;
    let all: u64 = groups.iter().map(|group| group.len() as u64).sum();
    let mut written = 0;
    let begin = |chunk| ReadAhead::begin(db, addresses, records::clusters(chunk));
    let mut coming = groups.chunks(CHUNK).map(begin);
    let mut reading: VecDeque<ReadAhead> = coming.by_ref().take(READ_AHEAD).collect();
    for chunk in groups.chunks(CHUNK) {
        let read = match reading.pop_front() {
            Some(reading) => reading.finish().await?,
            None => ReadClusters::default(),
        };
        reading.extend(coming.next());
        let mut tx = db.begin().await?;
        records::write_read_records(&mut tx, chunk, read, run).await?;
        tx.commit().await?;
        written += chunk.iter().map(|group| group.len() as u64).sum::<u64>();
        (run.progress)(Progress::Writing(written, all));
    }
    Ok(())
}
