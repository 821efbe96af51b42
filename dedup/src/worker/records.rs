//! Turns clusters into records: assigns ids and writes rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schema::store::listings::{ListingHead, Processed};
use schema::store::offers::{self, OfferRow};
use schema::store::{StoreError, Tx, listings, lock};
use schema::{ListingId, OfferId, StoredListing, Timestamp};

use super::Run;
use super::districts;
use super::read_ahead::{ReadClusters, current};
use super::record_rows::{self, Unmerged, merge_each};
use crate::identity::{self, ClusterMember, IdAge, IdAssignment};

/// The state of a cluster member before its record is written.
#[derive(Debug, Clone)]
pub struct MemberState {
    /// Its row in the store.
    pub id: ListingId,
    /// What the assignment of ids needs.
    pub member: ClusterMember,
    /// The version that was matched. A later version stays pending.
    pub version: i64,
    /// Whether the listing has changed, so that this run matches it.
    pub pending: bool,
}

impl MemberState {
    /// The state of a stored listing.
    pub fn new(listing: &StoredListing, pending: bool) -> Self {
        let member = ClusterMember {
            key: listing.key.clone(),
            first_seen_at: listing.state.first_seen_at,
            offer: listing.offer_id.clone(),
        };
        Self {
            id: listing.id,
            member,
            version: listing.version,
            pending,
        }
    }
}

impl MemberState {
    /// The state of a stored listing, from the columns that decide.
    pub fn from_head(head: &ListingHead, pending: bool) -> Self {
        let member = ClusterMember {
            key: head.key.clone(),
            first_seen_at: head.first_seen_at,
            offer: head.offer_id.clone(),
        };
        Self {
            id: head.id,
            member,
            version: head.version,
            pending,
        }
    }
}

/// A cluster with its id, ready to be merged and written.
#[derive(Debug, Clone)]
pub struct PlannedRecord {
    members: Vec<MemberState>,
    assignment: IdAssignment,
}

/// The clusters whose records must be written, because a member or the membership changed. Clusters
/// that take listings from each other are in one group, which is written in one transaction.
///
/// Groups without a changed listing come first: if the run is interrupted, the next run finds the
/// remaining groups by their changed listings. Otherwise they are in the order in which their listings
/// were first stored, because those are side by side in the database.
pub async fn plan_records(
    tx: &mut Tx,
    clusters: Vec<Vec<MemberState>>,
) -> Result<Vec<Vec<PlannedRecord>>, StoreError> {
    let stale = stale(clusters);
    let old: BTreeSet<&OfferId> = stale
        .iter()
        .flatten()
        .filter_map(|state| state.member.offer.as_ref())
        .collect();
    let old: Vec<OfferId> = old.into_iter().cloned().collect();
    let ages: BTreeMap<OfferId, IdAge> = offers::headers(tx, &old)
        .await?
        .into_iter()
        .map(|header| (header.id, (header.issued_at, header.first_seen_at)))
        .collect();
    let members: Vec<Vec<ClusterMember>> = stale
        .iter()
        .map(|cluster| cluster.iter().map(|state| state.member.clone()).collect())
        .collect();
    let assignments = identity::assign_ids(&members, &ages);
    let groups = groups(&members);
    let mut assigned: BTreeMap<usize, Vec<PlannedRecord>> = BTreeMap::new();
    for ((cluster, assignment), group) in stale.into_iter().zip(assignments).zip(groups) {
        assigned.entry(group).or_default().push(PlannedRecord {
            members: cluster,
            assignment,
        });
    }
    let mut groups: Vec<Vec<PlannedRecord>> = assigned.into_values().collect();
    groups.sort_by_cached_key(|group| {
        let members = || group.iter().flat_map(|cluster| &cluster.members);
        let first = members().map(|one| one.id).min();
        (members().any(|one| one.pending), first)
    });
    Ok(groups)
}

/// The clusters that differ from their stored record.
fn stale(clusters: Vec<Vec<MemberState>>) -> Vec<Vec<MemberState>> {
    let mut sizes: HashMap<OfferId, usize> = HashMap::new();
    for offer in clusters
        .iter()
        .flatten()
        .filter_map(|state| state.member.offer.clone())
    {
        *sizes.entry(offer).or_default() += 1;
    }
    let unchanged = |cluster: &Vec<MemberState>| {
        let offer = cluster
            .first()
            .and_then(|state| state.member.offer.as_ref());
        offer.is_some_and(|offer| {
            sizes.get(offer) == Some(&cluster.len())
                && cluster
                    .iter()
                    .all(|one| !one.pending && one.member.offer.as_ref() == Some(offer))
        })
    };
    clusters
        .into_iter()
        .filter(|cluster| !unchanged(cluster))
        .collect()
}

/// For each cluster, the first cluster that shares an old record with it, directly or through other
/// clusters.
fn groups(clusters: &[Vec<ClusterMember>]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..clusters.len()).collect();
    let mut first_with: HashMap<&OfferId, usize> = HashMap::new();
    for (index, cluster) in clusters.iter().enumerate() {
        for offer in cluster.iter().filter_map(|member| member.offer.as_ref()) {
            let other = *first_with.entry(offer).or_insert(index);
            let (one, other) = (root(&group, index), root(&group, other));
            group[one.max(other)] = one.min(other);
        }
    }
    (0..clusters.len())
        .map(|index| root(&group, index))
        .collect()
}

/// The first cluster of the group that a cluster belongs to.
fn root(group: &[usize], index: usize) -> usize {
    let mut at = index;
    while group[at] != at {
        at = group[at];
    }
    at
}

/// The listings of some groups.
pub fn members(groups: &[Vec<PlannedRecord>]) -> Vec<ListingId> {
    let members = groups.iter().flatten().flat_map(|cluster| &cluster.members);
    members.map(|one| one.id).collect()
}

/// The members of each cluster of some groups.
pub fn clusters(groups: &[Vec<PlannedRecord>]) -> Vec<Vec<ListingId>> {
    let clusters = groups.iter().flatten();
    let ids = clusters.map(|cluster| cluster.members.iter().map(|one| one.id).collect());
    ids.collect()
}

/// Merges and writes the clusters of some groups. Marks as done only the listings that this run
/// matched: other changed listings still need their keys and pairs.
pub async fn write_records(
    tx: &mut Tx,
    groups: &[Vec<PlannedRecord>],
    run: &mut Run<'_>,
) -> Result<(), StoreError> {
    write_read_records(tx, groups, ReadClusters::default(), run).await
}

/// [`write_records`] with the clusters as they were read before the transaction.
pub async fn write_read_records(
    tx: &mut Tx,
    groups: &[Vec<PlannedRecord>],
    read: ReadClusters,
    run: &mut Run<'_>,
) -> Result<(), StoreError> {
    let ids = members(groups);
    // No listing changes before the commit, so a record and its listings are of one moment.
    lock::listings(tx).await?;
    let (stored, as_read) = current(tx, &ids, read.listings).await?;
    let districts = districts::known_districts(tx, &stored).await?;
    let mut by_id: HashMap<ListingId, StoredListing> = stored
        .into_iter()
        .map(|listing| (listing.id, listing))
        .collect();
    let retired = groups
        .iter()
        .flatten()
        .map(|cluster| cluster.assignment.retired.len())
        .sum::<usize>();
    let count = groups.iter().map(Vec::len).sum::<usize>() + retired;
    let mut change = offers::next_change(tx, count as u64).await?;
    let headers = issue_times(tx, groups).await?;
    let mut processed: Vec<(ListingId, OfferId, Option<i64>)> = Vec::with_capacity(ids.len());
    let mut unmerged: Vec<Unmerged> = Vec::with_capacity(count);
    for cluster in groups.iter().flatten() {
        let members: Vec<StoredListing> = cluster
            .members
            .iter()
            .filter_map(|one| by_id.remove(&one.id))
            .collect();
        let (id, issued_at) = match &cluster.assignment.id {
            Some(id) => (id.clone(), headers.get(id).copied().unwrap_or(run.now)),
            None => (OfferId::random(run.rng), run.now),
        };
        processed.extend(cluster.members.iter().map(|one| {
            let version = one.pending.then_some(one.version);
            (one.id, id.clone(), version)
        }));
        unmerged.push(Unmerged {
            id: id.clone(),
            issued_at,
            members,
            change,
        });
        change += 1;
        for retired in &cluster.assignment.retired {
            offers::retire(tx, retired, &id, change).await?;
            change += 1;
        }
        run.report.offers += 1;
        run.report.retired += cluster.assignment.retired.len() as u64;
    }
    let merged = if as_read && districts == read.districts {
        read.merged
    } else {
        merge_each(&unmerged, run.listings.addresses, &districts)
    };
    let bases = read.bases.as_ref().filter(|_| as_read);
    let rows = record_rows::rows(&unmerged, merged);
    // All at once, because the records of a portal are compressed with what they have in common.
    let rows: Vec<(&OfferRow, i64)> = rows.iter().map(|(row, change)| (row, *change)).collect();
    offers::save_all_on(tx, &rows, bases).await?;
    let processed = processed.iter().map(|(listing, offer, version)| Processed {
        listing: *listing,
        offer: Some(offer),
        version: *version,
    });
    listings::process(tx, &processed.collect::<Vec<_>>()).await
}

/// When the ids that stay were issued.
async fn issue_times(
    tx: &mut Tx,
    groups: &[Vec<PlannedRecord>],
) -> Result<HashMap<OfferId, Timestamp>, StoreError> {
    let kept: Vec<OfferId> = groups
        .iter()
        .flatten()
        .filter_map(|cluster| cluster.assignment.id.clone())
        .collect();
    let headers = offers::headers(tx, &kept).await?;
    Ok(headers
        .into_iter()
        .map(|header| (header.id, header.issued_at))
        .collect())
}
