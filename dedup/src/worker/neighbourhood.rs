//! A run over a few changed listings and what they touch: the blocks they meet others in, the pairs of those, and the
//! connected components that they were or are now part of.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schema::store::{StoreError, Tx, blocking_keys, listings, matches, reviews};
use schema::{ListingId, StoredListing};

use super::districts::Vote;
use super::reach::{Reach, links};
use super::records::Standing;
use super::{BATCH, DedupReport, Listings, Run, districts, records, stored_match, survey};
use crate::addresses::Addresses;
use crate::blocking::{self, BOUND, Fit, Member, Outline};
use crate::engine;
use crate::profile::Profile;

pub async fn run(run: &mut Run<'_>) -> Result<(), StoreError> {
    let Listings { db, addresses } = run.listings;
    let changed = listings::pending(db, BATCH).await?;
    let mut tx = db.begin().await?;
    let mut near = Neighbourhood::read_by(addresses);
    near.read(&mut tx, &changed).await?;
    near.pending = changed.iter().copied().collect();
    let votes: Vec<Vote> = changed
        .iter()
        .filter_map(|id| Some(Vote::of(near.stored.get(id)?)))
        .collect();
    districts::count(&mut tx, &votes).await?;
    let again = near.rekey(&mut tx, &changed).await?;
    let touched = near.rematch(&mut tx, &again, &mut run.report).await?;
    let clusters = near.recluster(&mut tx, touched).await?;
    let groups = records::assign(&mut tx, clusters).await?;
    records::write(&mut tx, &groups, run).await?;
    run.report.listings += changed.len() as u64;
    tx.commit().await
}

/// The listings read so far.
struct Neighbourhood<'a> {
    addresses: &'a Addresses,
    stored: BTreeMap<ListingId, StoredListing>,
    profiles: HashMap<ListingId, Profile>,
    pending: BTreeSet<ListingId>,
}

impl<'a> Neighbourhood<'a> {
    /// Of listings whose addresses are read by these.
    fn read_by(addresses: &'a Addresses) -> Self {
        let (stored, profiles, pending) = Default::default();
        Self {
            addresses,
            stored,
            profiles,
            pending,
        }
    }

    /// Reads and profiles the listings that have not been read yet.
    async fn read(&mut self, tx: &mut Tx, ids: &[ListingId]) -> Result<(), StoreError> {
        let missing: Vec<ListingId> = ids
            .iter()
            .copied()
            .filter(|id| !self.stored.contains_key(id))
            .collect();
        for listing in listings::get(tx, &missing).await? {
            self.profiles
                .insert(listing.id, Profile::of(&listing, self.addresses));
            self.stored.insert(listing.id, listing);
        }
        Ok(())
    }

    /// Replaces the keys of the changed listings; answers with the listings whose pairs must be found anew: the
    /// changed ones, and the members of blocks that thereby grew over the bound or fell under it.
    async fn rekey(
        &self,
        tx: &mut Tx,
        changed: &[ListingId],
    ) -> Result<Vec<ListingId>, StoreError> {
        let before = blocking_keys::of(tx, changed).await?;
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
        // A block's size before is its size now plus those who left it and minus those who came.
        let keys: Vec<i64> = left.keys().copied().collect();
        let reach = BOUND + changed.len();
        let mut again: BTreeSet<ListingId> = changed.iter().copied().collect();
        for (key, members) in blocks(blocking_keys::members(tx, &keys, reach as u32).await?) {
            let now = members.len();
            let earlier = now.saturating_add_signed(left.get(&key).copied().unwrap_or_default());
            if blocking::counts_differently(key, earlier, now) {
                again.extend(members);
            }
        }
        Ok(again.into_iter().collect())
    }

    /// Compares those listings with all they share a block with, and stores the outcome; answers with every listing
    /// that was or is now linked to one of them, by evidence or by a person's decision.
    async fn rematch(
        &mut self,
        tx: &mut Tx,
        again: &[ListingId],
        report: &mut DedupReport,
    ) -> Result<BTreeSet<ListingId>, StoreError> {
        let mut touched: BTreeSet<ListingId> = again.iter().copied().collect();
        for old in matches::around(tx, again)
            .await?
            .iter()
            .filter(|found| links(found))
        {
            touched.extend([old.left, old.right]);
        }
        // Of decisions the forgotten ones as well: they may have joined what now falls apart.
        for decided in reviews::around(tx, again).await? {
            touched.extend([decided.left, decided.right]);
        }
        let pairs = self.candidates(tx, again).await?;
        self.survey(tx).await?;
        let mut found = Vec::new();
        for (one, other) in &pairs {
            let (Some(one), Some(other)) = (self.profiles.get(one), self.profiles.get(other))
            else {
                continue;
            };
            let weighed = engine::weighed(one, other);
            found.extend(weighed.map(|(weight, vetoed)| stored_match(one, other, weight, vetoed)));
        }
        report.compared += pairs.len() as u64;
        matches::replace_around(tx, again, &found).await?;
        for new in found.iter().filter(|found| links(found)) {
            touched.extend([new.left, new.right]);
        }
        Ok(touched)
    }

    async fn candidates(
        &mut self,
        tx: &mut Tx,
        again: &[ListingId],
    ) -> Result<BTreeSet<(ListingId, ListingId)>, StoreError> {
        let mut keys: Vec<i64> = blocking_keys::of(tx, again)
            .await?
            .into_iter()
            .map(|(_, key)| key)
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let wanted: BTreeSet<ListingId> = again.iter().copied().collect();
        // Of each pair, the least that is asked by a block that it shares.
        let mut meeting: BTreeMap<(ListingId, ListingId), Fit> = BTreeMap::new();
        for (key, members) in blocks(blocking_keys::members(tx, &keys, BOUND as u32).await?) {
            let Some(fit) = Fit::asked(key, members.len()) else {
                continue;
            };
            for (place, one) in members.iter().enumerate() {
                for other in &members[place + 1..] {
                    if wanted.contains(one) || wanted.contains(other) {
                        let least = meeting
                            .entry((*one.min(other), *one.max(other)))
                            .or_insert(fit);
                        *least = fit.min(*least);
                    }
                }
            }
        }
        let ids: BTreeSet<ListingId> = meeting
            .keys()
            .flat_map(|(one, other)| [*one, *other])
            .collect();
        self.read(tx, &ids.iter().copied().collect::<Vec<_>>())
            .await?;
        let outlines: HashMap<ListingId, Outline> = ids
            .iter()
            .filter_map(|id| Some((*id, Outline::of(self.profiles.get(id)?))))
            .collect();
        let worth_it = |((one, other), fit): ((ListingId, ListingId), Fit)| {
            outlines
                .get(&one)?
                .fits(outlines.get(&other)?, fit)
                .then_some((one, other))
        };
        Ok(meeting.into_iter().filter_map(worth_it).collect())
    }

    /// Notes on every profile what the survey of the whole set says of it.
    async fn survey(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let survey = survey::survey(tx, self.profiles.values()).await?;
        for profile in self.profiles.values_mut() {
            survey.note_on(profile);
        }
        Ok(())
    }

    /// Clusters the components of the touched listings anew.
    async fn recluster(
        &mut self,
        tx: &mut Tx,
        touched: BTreeSet<ListingId>,
    ) -> Result<Vec<Vec<Standing>>, StoreError> {
        let reach = Reach::from(tx, touched).await?;
        self.read(tx, &reach.members).await?;
        self.survey(tx).await?;
        let profiles: Vec<Profile> = reach
            .members
            .iter()
            .filter_map(|id| self.profiles.get(id).cloned())
            .collect();
        let standing = |place: &Member| {
            let listing = self.stored.get(&reach.members[*place as usize])?;
            Some(Standing::of(listing, self.pending.contains(&listing.id)))
        };
        let clusters = engine::clusters(&profiles, &reach.links, &reach.decisions);
        Ok(clusters
            .iter()
            .map(|cluster| cluster.iter().filter_map(standing).collect())
            .collect())
    }
}

fn blocks(entries: Vec<(i64, ListingId)>) -> BTreeMap<i64, Vec<ListingId>> {
    let mut blocks: BTreeMap<i64, Vec<ListingId>> = BTreeMap::new();
    for (key, listing) in entries {
        blocks.entry(key).or_default().push(listing);
    }
    blocks
}
