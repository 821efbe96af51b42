//! An incremental run: matches a few changed listings with their neighbourhood, which is their
//! blocks, the pairs in these blocks, and the connected components that they were or are now part
//! of.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schema::store::{StoreError, Tx, blocking_keys, listings, matches, reviews};
use schema::{ListingId, StoredListing};

use super::districts::Vote;
use super::records::MemberState;
use super::stored_components::{StoredComponents, is_link};
use super::{BATCH, DedupReport, Listings, Run, districts, records, statistics, stored_match};
use crate::addresses::Addresses;
use crate::blocking::{self, CoarseFacts, MAX_BLOCK_SIZE, Member, PairFilter};
use crate::engine;
use crate::profile::Profile;
use crate::weight_table::WeightTable;

pub async fn run(run: &mut Run<'_>) -> Result<(), StoreError> {
    let changed = listings::pending(run.listings.db, BATCH).await?;
    run_for(run, &changed).await
}

/// Matches these listings.
pub async fn run_for(run: &mut Run<'_>, changed: &[ListingId]) -> Result<(), StoreError> {
    let Listings { db, addresses } = run.listings;
    let mut tx = db.begin().await?;
    let mut near = Neighbourhood::new(addresses, run.table.clone());
    near.load(&mut tx, changed).await?;
    near.pending = changed.iter().copied().collect();
    let votes: Vec<Vote> = changed
        .iter()
        .filter_map(|id| Some(Vote::from_listing(near.stored.get(id)?)))
        .collect();
    districts::count_votes(&mut tx, &votes, districts::Counted::All).await?;
    let affected = near.rekey(&mut tx, changed).await?;
    let touched = near.rematch(&mut tx, &affected, &mut run.report).await?;
    let clusters = near.recluster(&mut tx, touched).await?;
    let groups = records::plan_records(&mut tx, clusters).await?;
    records::write_records(&mut tx, &groups, run).await?;
    run.report.listings += changed.len() as u64;
    tx.commit().await
}

/// The listings read so far.
struct Neighbourhood<'a> {
    addresses: &'a Addresses,
    table: WeightTable,
    stored: BTreeMap<ListingId, StoredListing>,
    profiles: HashMap<ListingId, Profile>,
    pending: BTreeSet<ListingId>,
}

impl<'a> Neighbourhood<'a> {
    /// Starts without listings.
    fn new(addresses: &'a Addresses, table: WeightTable) -> Self {
        let (stored, profiles, pending) = Default::default();
        Self {
            addresses,
            table,
            stored,
            profiles,
            pending,
        }
    }

    /// Reads the listings that have not been read yet, and makes their profiles.
    async fn load(&mut self, tx: &mut Tx, ids: &[ListingId]) -> Result<(), StoreError> {
        let missing: Vec<ListingId> = ids
            .iter()
            .copied()
            .filter(|id| !self.stored.contains_key(id))
            .collect();
        for listing in listings::get(tx, &missing).await? {
            self.profiles
                .insert(listing.id, Profile::from_listing(&listing, self.addresses));
            self.stored.insert(listing.id, listing);
        }
        Ok(())
    }

    /// Replaces the keys of the changed listings. Returns the listings whose pairs must be found affected:
    /// the changed listings, and the members of blocks whose pairs depend on the changed block size.
    async fn rekey(
        &self,
        tx: &mut Tx,
        changed: &[ListingId],
    ) -> Result<Vec<ListingId>, StoreError> {
        let before = blocking_keys::of_listings(tx, changed).await?;
        let after: Vec<(ListingId, Vec<i64>)> = changed
            .iter()
            .filter_map(|id| Some((*id, blocking::keys(self.profiles.get(id)?))))
            .collect();
        let replaced: Vec<(ListingId, &[i64])> = after
            .iter()
            .map(|(id, keys)| (*id, keys.as_slice()))
            .collect();
        blocking_keys::replace_all(tx, &replaced).await?;
        let mut left: BTreeMap<i64, isize> = BTreeMap::new();
        for (_, key) in before {
            *left.entry(key).or_default() += 1;
        }
        for key in after.iter().flat_map(|(_, keys)| keys) {
            *left.entry(*key).or_default() -= 1;
        }
        // The earlier size of a block is its size now, plus the listings that left, minus those that
        // came.
        let keys: Vec<i64> = left.keys().copied().collect();
        let limit = MAX_BLOCK_SIZE + changed.len();
        let mut affected: BTreeSet<ListingId> = changed.iter().copied().collect();
        for (key, members) in blocks(blocking_keys::members(tx, &keys, limit as u32).await?) {
            let now = members.len();
            let earlier = now.saturating_add_signed(left.get(&key).copied().unwrap_or_default());
            if blocking::size_change_matters(key, earlier, now) {
                affected.extend(members);
            }
        }
        Ok(affected.into_iter().collect())
    }

    /// Compares the affected listings with all listings in their blocks and stores the matches. Returns
    /// every listing that was or is now linked to one of them, by evidence or by a decision.
    async fn rematch(
        &mut self,
        tx: &mut Tx,
        affected: &[ListingId],
        report: &mut DedupReport,
    ) -> Result<BTreeSet<ListingId>, StoreError> {
        let mut touched: BTreeSet<ListingId> = affected.iter().copied().collect();
        for old in matches::around(tx, affected)
            .await?
            .iter()
            .filter(|found| is_link(found))
        {
            touched.extend([old.left, old.right]);
        }
        // Withdrawn decisions count as well: they may have joined listings that now separate.
        for decided in reviews::around(tx, affected).await? {
            touched.extend([decided.left, decided.right]);
        }
        let pairs = self.candidates(tx, affected).await?;
        self.apply_statistics(tx).await?;
        let mut found = Vec::new();
        for (one, other) in &pairs {
            let (Some(one), Some(other)) = (self.profiles.get(one), self.profiles.get(other))
            else {
                continue;
            };
            let scored = engine::score_pair(&self.table, one, other);
            found.extend(scored.map(|(weight, vetoed)| stored_match(one, other, weight, vetoed)));
        }
        report.compared += pairs.len() as u64;
        matches::replace_around(tx, affected, &found).await?;
        for new in found.iter().filter(|found| is_link(found)) {
            touched.extend([new.left, new.right]);
        }
        Ok(touched)
    }

    async fn candidates(
        &mut self,
        tx: &mut Tx,
        affected: &[ListingId],
    ) -> Result<BTreeSet<(ListingId, ListingId)>, StoreError> {
        let mut keys: Vec<i64> = blocking_keys::of_listings(tx, affected)
            .await?
            .into_iter()
            .map(|(_, key)| key)
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let wanted: BTreeSet<ListingId> = affected.iter().copied().collect();
        // For each pair, the most lenient filter of its shared blocks.
        let mut filters: BTreeMap<(ListingId, ListingId), PairFilter> = BTreeMap::new();
        for (key, members) in
            blocks(blocking_keys::members(tx, &keys, MAX_BLOCK_SIZE as u32).await?)
        {
            let Some(filter) = PairFilter::for_block(key, members.len()) else {
                continue;
            };
            for (place, one) in members.iter().enumerate() {
                for other in &members[place + 1..] {
                    if wanted.contains(one) || wanted.contains(other) {
                        let least = filters
                            .entry((*one.min(other), *one.max(other)))
                            .or_insert(filter);
                        *least = filter.min(*least);
                    }
                }
            }
        }
        let ids: BTreeSet<ListingId> = filters
            .keys()
            .flat_map(|(one, other)| [*one, *other])
            .collect();
        self.load(tx, &ids.iter().copied().collect::<Vec<_>>())
            .await?;
        let coarse_facts: HashMap<ListingId, CoarseFacts> = ids
            .iter()
            .filter_map(|id| Some((*id, CoarseFacts::from_profile(self.profiles.get(id)?))))
            .collect();
        let passing = |((one, other), filter): ((ListingId, ListingId), PairFilter)| {
            coarse_facts
                .get(&one)?
                .pass(coarse_facts.get(&other)?, filter)
                .then_some((one, other))
        };
        Ok(filters.into_iter().filter_map(passing).collect())
    }

    /// Sets on every profile what the statistics of the whole set say.
    async fn apply_statistics(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let statistics = statistics::load_statistics(tx, self.profiles.values()).await?;
        for profile in self.profiles.values_mut() {
            statistics.apply_to(profile);
        }
        Ok(())
    }

    /// Clusters the components of the touched listings again.
    async fn recluster(
        &mut self,
        tx: &mut Tx,
        touched: BTreeSet<ListingId>,
    ) -> Result<Vec<Vec<MemberState>>, StoreError> {
        let components = StoredComponents::load_around(tx, touched).await?;
        self.load(tx, &components.members).await?;
        self.apply_statistics(tx).await?;
        let profiles: Vec<Profile> = components
            .members
            .iter()
            .filter_map(|id| self.profiles.get(id).cloned())
            .collect();
        let state = |member: &Member| {
            let listing = self.stored.get(&components.members[*member as usize])?;
            Some(MemberState::new(
                listing,
                self.pending.contains(&listing.id),
            ))
        };
        let StoredComponents {
            links, constraints, ..
        } = &components;
        let clusters = engine::clusters(&self.table, &profiles, links, constraints);
        Ok(clusters
            .iter()
            .map(|cluster| cluster.iter().filter_map(state).collect())
            .collect())
    }
}

/// Groups listings by key.
fn blocks(entries: Vec<(i64, ListingId)>) -> BTreeMap<i64, Vec<ListingId>> {
    let mut blocks: BTreeMap<i64, Vec<ListingId>> = BTreeMap::new();
    for (key, listing) in entries {
        blocks.entry(key).or_default().push(listing);
    }
    blocks
}
