//! Stores what a full run found, for the incremental runs after it.
//!
//! Rows are written in the order of their tables. In another order, each of the 41 million keys of a million listings would
//! change another page, and the disk would write every page many times.

use futures::{StreamExt, TryStreamExt, stream};
use rayon::prelude::*;
use schema::store::{Db, StoreError, blocking_keys, matches};
use schema::{ListingId, StoredMatch};

use super::districts::Vote;
use super::{Progress, Run, districts, stored_match};
use crate::profile::Profile;
use crate::{blocking, engine};

/// The number of listings whose keys are written in one transaction.
const LISTINGS: usize = 5_000;

/// The number of keys that are written in one transaction.
const KEYS: usize = 100_000;

/// The number of matches that are written in one transaction.
const MATCHES: usize = 20_000;

/// What a full run found.
pub struct Matched {
    /// All listings.
    pub profiles: Vec<Profile>,
    /// Which of them are new or changed.
    pub pending: Vec<bool>,
    /// The kept pairs.
    pub pairs: Vec<engine::ScoredPair>,
    /// The districts that the new and changed listings name.
    pub votes: Vec<Vote>,
}

/// Stores votes, keys and matches, all before the first record. If the run is interrupted here, every
/// listing is still pending and the next run is a full run again. If it is interrupted later, the
/// keys and matches that incremental runs need are complete. Transactions are short, because a server
/// on the same SQLite database waits for each of them.
pub async fn store_matching(run: &Run<'_>, matched: Matched) -> Result<(), StoreError> {
    let Matched {
        profiles,
        pending,
        mut pairs,
        votes,
    } = matched;
    let db = run.listings.db;
    let mut tx = db.begin().await?;
    districts::count_votes(&mut tx, &votes, districts::Counted::All).await?;
    matches::clear(&mut tx).await?;
    tx.commit().await?;
    if pending.iter().all(|pending| *pending) {
        store_all_keys(run, &profiles).await?;
    } else {
        replace_keys(db, &profiles, &pending).await?;
    }
    pairs.par_sort_unstable_by_key(|pair| {
        let ids = [pair.left, pair.right].map(|index| profiles[index as usize].id);
        (ids[0].min(ids[1]), ids[0].max(ids[1]))
    });
    let parts = pairs.chunks(MATCHES);
    let parts: Vec<_> = parts.map(|part| store_pairs(db, &profiles, part)).collect();
    let mut written = stream::iter(parts).buffered(db.writers());
    let mut stored = 0;
    while let Some(count) = written.try_next().await? {
        stored += count;
        (run.progress)(Progress::StoringPairs(stored, pairs.len() as u64));
    }
    Ok(())
}

async fn store_pairs(
    db: &Db,
    profiles: &[Profile],
    pairs: &[engine::ScoredPair],
) -> Result<u64, StoreError> {
    let row = |pair: &engine::ScoredPair| {
        let [one, other] = [pair.left, pair.right].map(|index| &profiles[index as usize]);
        stored_match(one, other, pair.weight, pair.vetoed)
    };
    let rows: Vec<StoredMatch> = pairs.par_iter().map(row).collect();
    let mut tx = db.begin().await?;
    matches::insert_all(&mut tx, &rows).await?;
    tx.commit().await?;
    Ok(pairs.len() as u64)
}

/// Stores the keys of all listings, instead of those that are stored.
async fn store_all_keys(run: &Run<'_>, profiles: &[Profile]) -> Result<(), StoreError> {
    let db = run.listings.db;
    let mut tx = db.begin().await?;
    blocking_keys::clear(&mut tx).await?;
    tx.commit().await?;
    let mut by_id: Vec<&Profile> = profiles.iter().collect();
    by_id.par_sort_unstable_by_key(|profile| profile.id);
    let mut keys: Vec<(i64, ListingId)> = Vec::new();
    for chunk in by_id.chunks(LISTINGS) {
        let keyed = keyed(chunk);
        let mut tx = db.begin().await?;
        blocking_keys::insert_lists(&mut tx, &borrowed(&keyed)).await?;
        tx.commit().await?;
        let of = |(id, keys): &(ListingId, Vec<i64>)| {
            let id = *id;
            keys.clone().into_iter().map(move |key| (key, id))
        };
        keys.extend(keyed.iter().flat_map(of));
    }
    keys.par_sort_unstable();
    keys.dedup();
    let parts = keys.chunks(KEYS);
    let parts: Vec<_> = parts.map(|part| store_keys(db, part)).collect();
    let mut written = stream::iter(parts).buffered(db.writers());
    let mut stored = 0;
    while let Some(count) = written.try_next().await? {
        stored += count;
        (run.progress)(Progress::StoringKeys(stored, keys.len() as u64));
    }
    Ok(())
}

async fn store_keys(db: &Db, keys: &[(i64, ListingId)]) -> Result<u64, StoreError> {
    let mut tx = db.begin().await?;
    blocking_keys::insert_keys(&mut tx, keys).await?;
    tx.commit().await?;
    Ok(keys.len() as u64)
}

/// Replaces the keys of the new and changed listings.
async fn replace_keys(db: &Db, profiles: &[Profile], pending: &[bool]) -> Result<(), StoreError> {
    let changed = profiles
        .iter()
        .zip(pending)
        .filter(|(_, pending)| **pending);
    let changed: Vec<&Profile> = changed.map(|(profile, _)| profile).collect();
    for chunk in changed.chunks(LISTINGS) {
        let keyed = keyed(chunk);
        let mut tx = db.begin().await?;
        blocking_keys::replace_all(&mut tx, &borrowed(&keyed)).await?;
        tx.commit().await?;
    }
    Ok(())
}

fn keyed(profiles: &[&Profile]) -> Vec<(ListingId, Vec<i64>)> {
    profiles
        .par_iter()
        .map(|profile| (profile.id, blocking::keys(profile)))
        .collect()
}

fn borrowed(keyed: &[(ListingId, Vec<i64>)]) -> Vec<(ListingId, &[i64])> {
    keyed
        .iter()
        .map(|(id, keys)| (*id, keys.as_slice()))
        .collect()
}
