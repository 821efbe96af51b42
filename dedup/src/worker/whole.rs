//! A run over every listing: for a first replay, or when much has changed at once.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use schema::store::{Db, StoreError, blocking_keys, listings, matches, reviews};
use schema::{ListingId, StoredMatch};

use super::districts::Vote;
use super::records::Standing;
use super::{Listings, Progress, Run, districts, records, stored_match};
use crate::clustering::Decisions;
use crate::profile::Profile;
use crate::{blocking, engine};

/// Listings read at a time.
const PAGE: u32 = 2_000;

/// Records written in one transaction, about.
const CHUNK: usize = 500;

/// Listings whose keys are written in one transaction.
const KEYED: usize = 5_000;

/// Matches written in one transaction.
const MATCHES: usize = 20_000;

#[derive(Default)]
struct Everything {
    profiles: Vec<Profile>,
    standings: Vec<Standing>,
    votes: Vec<Vote>,
}

pub async fn run(run: &mut Run<'_>) -> Result<(), StoreError> {
    let db = run.listings.db;
    let everything = read(run).await?;
    (run.progress)(Progress::Matching);
    let Everything {
        mut profiles,
        mut standings,
        votes,
    } = everything;
    engine::arrange(&mut profiles);
    let place_of: HashMap<ListingId, usize> =
        profiles.iter().map(|profile| profile.id).zip(0..).collect();
    standings.sort_unstable_by_key(|standing| place_of.get(&standing.id).copied());
    let decisions = decisions(db, &profiles).await?;
    let partition = engine::partition(&mut profiles, &decisions);
    run.report.compared += partition.compared as u64;
    keep(db, &profiles, &standings, &partition.pairs, &votes).await?;
    drop(profiles);
    let mut by_place: Vec<Option<Standing>> = standings.into_iter().map(Some).collect();
    let clusters: Vec<Vec<Standing>> = partition
        .clusters
        .iter()
        .map(|cluster| {
            cluster
                .iter()
                .filter_map(|place| by_place[*place as usize].take())
                .collect()
        })
        .collect();
    let mut tx = db.begin().await?;
    let groups = records::assign(&mut tx, clusters).await?;
    tx.commit().await?;
    write(&groups, run).await
}

/// Asked after the listings were read: one that was decided about since then has a later version, and stays pending.
async fn decisions(db: &Db, profiles: &[Profile]) -> Result<Decisions, StoreError> {
    let mut tx = db.begin_read().await?;
    let in_force = reviews::in_force(&mut tx).await?;
    tx.rollback().await?;
    Ok(Decisions::among(
        &in_force,
        profiles.iter().map(|profile| &profile.key),
    ))
}

async fn read(run: &mut Run<'_>) -> Result<Everything, StoreError> {
    let Listings { db, addresses } = run.listings;
    let count = listings::count(db).await?;
    let mut everything = Everything::default();
    let mut after = None;
    loop {
        let page = listings::page(db, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        let profiled: Vec<Profile> = page
            .par_iter()
            .map(|listing| Profile::of(listing, addresses))
            .collect();
        everything.profiles.extend(profiled);
        everything
            .standings
            .extend(page.iter().map(|listing| Standing::of(listing, false)));
        everything.votes.extend(page.iter().map(Vote::of));
        (run.progress)(Progress::Reading(everything.profiles.len() as u64, count));
    }
    // Asked last: a listing that came or changed while the others were read is pending in any case, and stays so
    // where an earlier version of it was read.
    let pending: HashSet<ListingId> = listings::pending(db, u32::MAX).await?.into_iter().collect();
    run.report.listings += pending.len() as u64;
    for standing in &mut everything.standings {
        standing.pending = pending.contains(&standing.id);
    }
    everything
        .votes
        .retain(|vote| pending.contains(&vote.listing()));
    Ok(everything)
}

/// Stores votes, keys and matches, all of them before any record: a run that is cut off leaves every listing pending,
/// so that the next one is a run over everything again; a run that is cut off later leaves the neighbourhoods that later
/// runs rely on. The transactions are short, for a server on the same embedded database waits for each.
async fn keep(
    db: &Db,
    profiles: &[Profile],
    standings: &[Standing],
    pairs: &[engine::ScoredPair],
    votes: &[Vote],
) -> Result<(), StoreError> {
    let mut tx = db.begin().await?;
    districts::count(&mut tx, votes).await?;
    matches::clear(&mut tx).await?;
    tx.commit().await?;
    let pending: Vec<&Profile> = profiles
        .iter()
        .zip(standings)
        .filter(|(_, standing)| standing.pending)
        .map(|(profile, _)| profile)
        .collect();
    for chunk in pending.chunks(KEYED) {
        let keyed: Vec<(ListingId, Vec<i64>)> = chunk
            .par_iter()
            .map(|profile| (profile.id, blocking::keys(profile)))
            .collect();
        let keyed: Vec<(ListingId, &[i64])> = keyed
            .iter()
            .map(|(id, keys)| (*id, keys.as_slice()))
            .collect();
        let mut tx = db.begin().await?;
        blocking_keys::replace_all(&mut tx, &keyed).await?;
        tx.commit().await?;
    }
    for chunk in pairs.chunks(MATCHES) {
        let rows: Vec<StoredMatch> = chunk
            .par_iter()
            .map(|pair| stored(profiles, pair))
            .collect();
        let mut tx = db.begin().await?;
        matches::insert_all(&mut tx, &rows).await?;
        tx.commit().await?;
    }
    Ok(())
}

fn stored(profiles: &[Profile], pair: &engine::ScoredPair) -> StoredMatch {
    let (one, other) = (
        &profiles[pair.left as usize],
        &profiles[pair.right as usize],
    );
    stored_match(one, other, pair.weight, pair.vetoed)
}

async fn write(groups: &[Vec<records::Assigned>], run: &mut Run<'_>) -> Result<(), StoreError> {
    let all: u64 = groups.iter().map(|group| group.len() as u64).sum();
    let mut written = 0;
    for chunk in groups.chunks(CHUNK) {
        let mut tx = run.listings.db.begin().await?;
        records::write(&mut tx, chunk, run).await?;
        tx.commit().await?;
        written += chunk.iter().map(|group| group.len() as u64).sum::<u64>();
        (run.progress)(Progress::Writing(written, all));
    }
    Ok(())
}
