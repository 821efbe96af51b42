//! An incremental run in memory: matches a few changed listings in the index that the process holds, and stores what that
//! changes: keys, pairs and records.

use std::collections::BTreeSet;

use schema::store::{StoreError, Tx, blocking_keys, listings, matches, offers};
use schema::{ListingId, StoredMatch};

use super::districts::Vote;
use super::kept_index::{CaughtUp, KeptIndex};
use super::{BATCH, Listings, Run, districts, incremental_run, records, stored_match};
use crate::blocking;
use crate::index::Update;
use crate::profile::Profile;

/// Matches the next pending listings. Returns the index if it is still that of the database. Nothing of this run was stored
/// if it is not.
pub async fn run(run: &mut Run<'_>, mut kept: KeptIndex) -> Result<Option<KeptIndex>, StoreError> {
    let mut tx = run.listings.db.begin().await?;
    match kept.catch_up(&mut tx, run.listings.addresses).await? {
        CaughtUp::Yes => {}
        CaughtUp::Never => {
            tx.rollback().await?;
            return Ok(None);
        }
        CaughtUp::After(mut pending) => {
            tx.rollback().await?;
            pending.truncate(BATCH as usize);
            incremental_run::run_for(run, &pending).await?;
            return Ok(Some(kept));
        }
    }
    let changed = listings::pending_in(&mut tx, BATCH).await?;
    let stored = rematch(run, &mut tx, &mut kept, &changed).await?;
    let pending: BTreeSet<ListingId> = changed.iter().copied().collect();
    let Some(clusters) = kept.moved_clusters(&mut tx, &pending).await? else {
        tx.rollback().await?;
        return Ok(None);
    };
    let groups = records::plan_records(&mut tx, clusters).await?;
    // From here to the commit the counter is locked. Others have written records only if this process lost its lock.
    if offers::next_change(&mut tx, 0).await? != kept.state.change + 1 {
        tx.rollback().await?;
        return Ok(None);
    }
    records::write_records(&mut tx, &groups, run).await?;
    kept.state.change = offers::last_change_in(&mut tx).await?;
    tx.commit().await?;
    kept.moved.clear();
    run.report.listings += stored;
    Ok(Some(kept))
}

/// Matches the listings in the index, and stores their votes, keys and pairs. Returns how many listings there are.
async fn rematch(
    run: &mut Run<'_>,
    tx: &mut Tx,
    kept: &mut KeptIndex,
    changed: &[ListingId],
) -> Result<u64, StoreError> {
    let Listings { addresses, .. } = run.listings;
    let stored = listings::get(tx, changed).await?;
    let votes: Vec<Vote> = stored.iter().map(Vote::from_listing).collect();
    districts::count_votes(tx, &votes, districts::Counted::Changed).await?;
    let profiles: Vec<Profile> = stored
        .iter()
        .map(|listing| Profile::from_listing(listing, addresses))
        .collect();
    let keys: Vec<(ListingId, Vec<i64>)> = profiles
        .iter()
        .map(|profile| (profile.id, blocking::keys(profile)))
        .collect();
    let keys: Vec<(ListingId, &[i64])> = keys
        .iter()
        .map(|(id, keys)| (*id, keys.as_slice()))
        .collect();
    blocking_keys::replace_all(tx, &keys).await?;
    let affected = kept.exchange(tx, profiles).await?;
    let update = kept.index.rematch(&affected);
    run.report.compared += update.compared as u64;
    let ids: Vec<ListingId> = affected
        .iter()
        .filter_map(|member| Some(kept.index.profile(*member)?.id))
        .collect();
    matches::replace_around(tx, &ids, &stored_matches(kept, &update)).await?;
    kept.moved.extend(affected);
    kept.moved.extend(update.clusters.into_iter().flatten());
    Ok(stored.len() as u64)
}

/// The pairs in the form that the store keeps, in the order of their table.
fn stored_matches(kept: &KeptIndex, update: &Update) -> Vec<StoredMatch> {
    let stored = update.pairs.iter().filter_map(|pair| {
        let (one, other) = (
            kept.index.profile(pair.left)?,
            kept.index.profile(pair.right)?,
        );
        Some(stored_match(one, other, pair.weight, pair.vetoed))
    });
    let mut stored: Vec<StoredMatch> = stored.collect();
    stored.sort_unstable_by_key(|found| (found.left, found.right));
    stored
}
