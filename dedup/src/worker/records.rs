//! Turns clusters into records: assigns ids, merges values and writes rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gazetteer::{Area, District};
use schema::store::listings::ListingHead;
use schema::store::offers::{self, OfferRow};
use schema::store::{StoreError, Tx, listings, lock};
use schema::{
    Attributes, ListingId, Offer, OfferId, PortalLink, PriceSeries, StoredListing, Timestamp,
};

use super::Run;
use super::districts::{self, Districts};
use crate::addresses::Addresses;
use crate::identity::{self, ClusterMember, IdAge, IdAssignment};
use crate::merging::{self, Merged};
use crate::profile::municipality_key;

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
/// remaining groups by their changed listings.
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
    groups.sort_by_key(|group| {
        group
            .iter()
            .flat_map(|cluster| &cluster.members)
            .any(|one| one.pending)
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

/// Merges and writes the clusters of some groups. Marks as done only the listings that this run
/// matched: other changed listings still need their keys and pairs.
pub async fn write_records(
    tx: &mut Tx,
    groups: &[Vec<PlannedRecord>],
    run: &mut Run<'_>,
) -> Result<(), StoreError> {
    let members = groups.iter().flatten().flat_map(|cluster| &cluster.members);
    let ids: Vec<ListingId> = members.map(|one| one.id).collect();
    // No listing changes before the commit, so a record and its listings are of one moment.
    lock::listings(tx).await?;
    let stored = listings::get(tx, &ids).await?;
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
    let mut assigned: Vec<(ListingId, OfferId)> = Vec::with_capacity(ids.len());
    let mut settled: Vec<(ListingId, i64)> = Vec::with_capacity(ids.len());
    let mut rows: Vec<(OfferRow, i64)> = Vec::with_capacity(count);
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
        let merged = merging::merge(&members, run.listings.addresses, |facts| {
            area_of(facts, run.listings.addresses, &districts)
        });
        rows.push((offer_row((&id, issued_at), &members, merged), change));
        change += 1;
        for retired in &cluster.assignment.retired {
            offers::retire(tx, retired, &id, change).await?;
            change += 1;
        }
        assigned.extend(members.iter().map(|member| (member.id, id.clone())));
        settled.extend(
            cluster
                .members
                .iter()
                .filter(|one| one.pending)
                .map(|one| (one.id, one.version)),
        );
        run.report.offers += 1;
        run.report.retired += cluster.assignment.retired.len() as u64;
    }
    // All at once, because the records of a portal are compressed with what they have in common.
    let rows: Vec<(&OfferRow, i64)> = rows.iter().map(|(row, change)| (row, *change)).collect();
    offers::save_all(tx, &rows).await?;
    let assigned: Vec<(ListingId, &OfferId)> = assigned
        .iter()
        .map(|(listing, offer)| (*listing, offer))
        .collect();
    listings::assign(tx, &assigned).await?;
    listings::settle(tx, &settled).await
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

fn offer_row(
    (id, issued_at): (&OfferId, Timestamp),
    members: &[StoredListing],
    merged: Merged,
) -> OfferRow {
    let municipality = merged.attributes.city.as_deref().and_then(municipality_key);
    let mut oldest_first: Vec<&StoredListing> = members.iter().collect();
    oldest_first.sort_by(|one, other| {
        (one.state.first_seen_at, &one.key).cmp(&(other.state.first_seen_at, &other.key))
    });
    OfferRow {
        portal_links: oldest_first
            .iter()
            .map(|listing| PortalLink::from_listing(listing))
            .collect(),
        price_history: oldest_first
            .iter()
            .map(|listing| PriceSeries::from_listing(listing))
            .collect(),
        offer: Offer {
            id: id.clone(),
            first_seen_at: merged.first_seen_at,
            last_changed_at: merged.last_changed_at,
            is_live: merged.is_live,
            attributes: merged.attributes,
        },
        expired_at: merged.expired_at,
        issued_at,
        municipality,
    }
}

/// The district or region of merged facts: from the address registry, or else what the listings say
/// about the municipality, or else from the authored list of towns, by name or by position.
pub fn area_of(facts: &Attributes, addresses: &Addresses, learned: &Districts) -> Option<Area> {
    let location = facts.location;
    let by_name = || {
        let city = facts.city.as_deref()?;
        let learned_district =
            municipality_key(city).and_then(|municipality| learned.get(&municipality).copied());
        // Portals write the district instead of a town that they do not know: "Brno venkov".
        learned_district
            .or_else(|| addresses.district_of_municipality(city, location))
            .or_else(|| District::parse(city))
    };
    let district = addresses.official_district(facts).or_else(by_name);
    district
        .map(Area::District)
        .or_else(|| addresses.area_at(location?))
}
