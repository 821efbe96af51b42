//! The result of matching, held in memory between runs by a process that runs for long.
//!
//! Only the holder of the lock of deduplication changes what is matched, but that may be another process. The index
//! therefore follows the database: records that others wrote have later change numbers, and their listings are read again.
//! In the index, every listing is as it was when it was last matched, with the keys that are stored for it. A listing of
//! which that is not known (others matched it and it has changed again) is matched through the database first.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::BoxFuture;
use rayon::prelude::*;
use schema::ListingId;
use schema::store::listings::{self, ListingHead, MatchingState};
use schema::store::{StoreError, Tx, reviews};

use super::everything::read_profiles;
use super::records::MemberState;
use super::{Listings, weight_table};
use crate::addresses::Addresses;
use crate::blocking::Member;
use crate::index::Index;
use crate::profile::Profile;
use crate::weight_table::WeightTable;

/// If other processes changed more listings than this, all listings are read again, which takes no longer.
const MOST_CHANGED: usize = 20_000;

/// The index of all listings, as far as the process has followed the database. A run that fails or is stopped loses it,
/// and it is then loaded again.
#[derive(Debug)]
pub struct KeptIndex {
    pub(super) index: Index,
    edition: i64,
    pub(super) state: MatchingState,
    /// Listings of which the index may not have the version that was last matched.
    unsettled: BTreeSet<ListingId>,
    /// The members whose clusters may differ from the stored records.
    pub(super) moved: BTreeSet<Member>,
}

/// Whether the index has caught up with the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CaughtUp {
    /// It has.
    Yes,
    /// These pending listings must be matched through the database first.
    After(Vec<ListingId>),
    /// It cannot: it has to be loaded again.
    Never,
}

impl KeptIndex {
    /// Reads and matches every listing. Nothing is written. The lock of deduplication is not needed: what others change
    /// meanwhile is followed in the next run.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub fn load(listings: Listings<'_>) -> BoxFuture<'_, Result<Self, StoreError>> {
        Box::pin(async move {
            let Listings { db, addresses } = listings;
            let mut tx = db.begin_read().await?;
            let state = listings::matching_state(&mut tx).await?;
            let table = weight_table(&mut tx).await?;
            let decided = reviews::in_force(&mut tx).await?;
            tx.rollback().await?;
            let mut profiles = read_profiles(listings).await?;
            // Read last: what changed while the pages were read is pending, or in a record that was written since.
            let unsettled = listings::pending(db, u32::MAX).await?;
            profiles.shrink_to_fit();
            Ok(Self {
                index: Index::build(table, profiles, &decided),
                edition: addresses.edition(),
                state,
                unsettled: unsettled.into_iter().collect(),
                moved: BTreeSet::new(),
            })
        })
    }

    /// Whether it was made with these weights and this edition of the address registry.
    pub(super) fn is_made_with(&self, table: &WeightTable, addresses: &Addresses) -> bool {
        self.index.table() == table && self.edition == addresses.edition()
    }

    /// Follows what others did since the last run.
    pub(super) async fn catch_up(
        &mut self,
        tx: &mut Tx,
        addresses: &Addresses,
    ) -> Result<CaughtUp, StoreError> {
        let now = listings::matching_state(tx).await?;
        if now.purge != self.state.purge {
            return Ok(CaughtUp::Never);
        }
        if now.review != self.state.review {
            self.index.set_reviews(&reviews::in_force(tx).await?);
        }
        if now.change != self.state.change {
            let most = MOST_CHANGED as u32 + 1;
            let changed = listings::of_changes_after(tx, self.state.change, most).await?;
            if changed.len() > MOST_CHANGED {
                return Ok(CaughtUp::Never);
            }
            self.read_again(tx, addresses, &changed).await?;
        }
        self.state = now;
        let unsettled: Vec<ListingId> = self.unsettled.iter().copied().collect();
        let pending = listings::pending_among(tx, &unsettled).await?;
        self.unsettled = pending.iter().copied().collect();
        Ok(if pending.is_empty() {
            CaughtUp::Yes
        } else {
            CaughtUp::After(pending)
        })
    }

    /// Takes over listings that others matched. One that is pending again is not in the version that they matched.
    async fn read_again(
        &mut self,
        tx: &mut Tx,
        addresses: &Addresses,
        changed: &[ListingId],
    ) -> Result<(), StoreError> {
        let stored = listings::get(tx, changed).await?;
        // Asked after they were read, so that one that changes in between is pending.
        let pending: BTreeSet<ListingId> = listings::pending_among(tx, changed)
            .await?
            .into_iter()
            .collect();
        let settled: Vec<Profile> = stored
            .par_iter()
            .filter(|listing| !pending.contains(&listing.id))
            .map(|listing| Profile::from_listing(listing, addresses))
            .collect();
        self.unsettled.retain(|id| !changed.contains(id));
        self.unsettled.extend(pending);
        let affected = self.exchange(tx, settled).await?;
        let update = self.index.rematch(&affected);
        self.moved.extend(affected);
        self.moved.extend(update.clusters.into_iter().flatten());
        Ok(())
    }

    /// Puts listings into the index. Returns the members whose pairs must be found again.
    pub(super) async fn exchange(
        &mut self,
        tx: &mut Tx,
        profiles: Vec<Profile>,
    ) -> Result<BTreeSet<Member>, StoreError> {
        let affected = self.index.exchange(profiles);
        let unwatched = self.index.compared_unwatched(&affected);
        if !unwatched.is_empty() {
            for head in listings::heads(tx, &unwatched).await? {
                self.index.set_last_seen(&head.key, head.last_seen_at);
            }
        }
        Ok(affected)
    }

    /// The clusters of the moved members, and those of every listing that shares a stored record with one of them.
    /// `None` if the index misses such a listing.
    pub(super) async fn moved_clusters(
        &self,
        tx: &mut Tx,
        pending: &BTreeSet<ListingId>,
    ) -> Result<Option<Vec<Vec<MemberState>>>, StoreError> {
        let mut heads: BTreeMap<Member, ListingHead> = BTreeMap::new();
        let mut asked: BTreeSet<Member> = BTreeSet::new();
        let mut next = self.moved.clone();
        while !next.is_empty() {
            let clusters = next
                .iter()
                .flat_map(|member| self.index.cluster_of(*member));
            let fresh: BTreeSet<Member> = clusters
                .copied()
                .filter(|member| !asked.contains(member))
                .collect();
            asked.extend(&fresh);
            let ids: Vec<ListingId> = fresh
                .iter()
                .filter_map(|member| Some(self.index.profile(*member)?.id))
                .collect();
            let found = listings::heads(tx, &ids).await?;
            let offers: BTreeSet<_> = found
                .iter()
                .filter_map(|head| head.offer_id.as_ref())
                .collect();
            let offers: Vec<_> = offers.into_iter().collect();
            let mates = listings::heads_of_offers(tx, &offers).await?;
            next = BTreeSet::new();
            for head in found.iter().chain(&mates) {
                let Some(member) = self.index.member(&head.key) else {
                    return Ok(None);
                };
                if !asked.contains(&member) {
                    next.insert(member);
                }
                heads.insert(member, head.clone());
            }
        }
        let mut clusters: BTreeMap<Member, Vec<MemberState>> = BTreeMap::new();
        for (member, head) in &heads {
            let Some(first) = self.index.cluster_of(*member).first() else {
                return Ok(None);
            };
            let state = MemberState::from_head(head, pending.contains(&head.id));
            clusters.entry(*first).or_default().push(state);
        }
        let mut clusters: Vec<Vec<MemberState>> = clusters.into_values().collect();
        for cluster in &mut clusters {
            cluster.sort_unstable_by_key(|state| state.id);
        }
        clusters.sort_unstable_by_key(|cluster| cluster[0].id);
        Ok(Some(clusters))
    }
}
