//! Clusters become records: ids are carried over, values merged, rows written.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gazetteer::{Area, District};
use schema::store::offers::{self, OfferRow};
use schema::store::{StoreError, Tx, listings, lock};
use schema::{
    Attributes, ListingId, Offer, OfferId, PortalLink, PriceSeries, StoredListing, Timestamp,
};

use super::Run;
use super::districts::{self, Districts};
use crate::addresses::Addresses;
use crate::identity::{self, Age, Bearer, Claim};
use crate::merging;
use crate::profile::place::municipality_key;

/// What is known of a listing before its record is written.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its row.
    pub id: ListingId,
    /// What identity asks for.
    pub bearer: Bearer,
    /// The version that was looked at: a later one stays pending.
    pub version: i64,
    /// Whether it has changed and this run looks at it.
    pub pending: bool,
}

impl Standing {
    /// The standing of a stored listing.
    pub fn of(listing: &StoredListing, pending: bool) -> Self {
        let bearer = Bearer {
            key: listing.key.clone(),
            first_seen_at: listing.state.first_seen_at,
            offer: listing.offer_id.clone(),
        };
        Self {
            id: listing.id,
            bearer,
            version: listing.version,
            pending,
        }
    }
}

/// A cluster with its id decided, ready to be merged and written.
#[derive(Debug, Clone)]
pub struct Assigned {
    members: Vec<Standing>,
    claim: Claim,
}

/// The clusters whose record must be written: a member changed, or the membership did. Clusters that take listings
/// from one another stand in one group, and a group is written in one transaction.
///
/// Groups without a changed listing come first: should the run be cut off, it is the changed listings by which the
/// next one finds what is left to do.
pub async fn assign(
    tx: &mut Tx,
    clusters: Vec<Vec<Standing>>,
) -> Result<Vec<Vec<Assigned>>, StoreError> {
    let stale = stale(clusters);
    let old: BTreeSet<&OfferId> = stale
        .iter()
        .flatten()
        .filter_map(|standing| standing.bearer.offer.as_ref())
        .collect();
    let old: Vec<OfferId> = old.into_iter().cloned().collect();
    let ages: BTreeMap<OfferId, Age> = offers::headers(tx, &old)
        .await?
        .into_iter()
        .map(|header| (header.id, (header.issued_at, header.first_seen_at)))
        .collect();
    let bearers: Vec<Vec<Bearer>> = stale
        .iter()
        .map(|cluster| {
            cluster
                .iter()
                .map(|standing| standing.bearer.clone())
                .collect()
        })
        .collect();
    let claims = identity::claims(&bearers, &ages);
    let groups = groups(&bearers);
    let mut assigned: BTreeMap<usize, Vec<Assigned>> = BTreeMap::new();
    for ((cluster, claim), group) in stale.into_iter().zip(claims).zip(groups) {
        assigned.entry(group).or_default().push(Assigned {
            members: cluster,
            claim,
        });
    }
    let mut groups: Vec<Vec<Assigned>> = assigned.into_values().collect();
    groups.sort_by_key(|group| {
        group
            .iter()
            .flat_map(|cluster| &cluster.members)
            .any(|one| one.pending)
    });
    Ok(groups)
}

/// Leaves out clusters that are what their record already says.
fn stale(clusters: Vec<Vec<Standing>>) -> Vec<Vec<Standing>> {
    let mut sizes: HashMap<OfferId, usize> = HashMap::new();
    for offer in clusters
        .iter()
        .flatten()
        .filter_map(|standing| standing.bearer.offer.clone())
    {
        *sizes.entry(offer).or_default() += 1;
    }
    let unchanged = |cluster: &Vec<Standing>| {
        let offer = cluster
            .first()
            .and_then(|standing| standing.bearer.offer.as_ref());
        offer.is_some_and(|offer| {
            sizes.get(offer) == Some(&cluster.len())
                && cluster
                    .iter()
                    .all(|one| !one.pending && one.bearer.offer.as_ref() == Some(offer))
        })
    };
    clusters
        .into_iter()
        .filter(|cluster| !unchanged(cluster))
        .collect()
}

/// For each cluster the first cluster that it shares an old record with, directly or through others.
fn groups(clusters: &[Vec<Bearer>]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..clusters.len()).collect();
    let mut first_with: HashMap<&OfferId, usize> = HashMap::new();
    for (place, cluster) in clusters.iter().enumerate() {
        for offer in cluster.iter().filter_map(|bearer| bearer.offer.as_ref()) {
            let other = *first_with.entry(offer).or_insert(place);
            let (one, other) = (root(&group, place), root(&group, other));
            group[one.max(other)] = one.min(other);
        }
    }
    (0..clusters.len())
        .map(|place| root(&group, place))
        .collect()
}

fn root(group: &[usize], place: usize) -> usize {
    let mut at = place;
    while group[at] != at {
        at = group[at];
    }
    at
}

/// Merges and writes the clusters of some groups, and settles those of their listings that this run set out to look
/// at: another changed listing among them has still to be given its keys and pairs.
pub async fn write(
    tx: &mut Tx,
    groups: &[Vec<Assigned>],
    run: &mut Run<'_>,
) -> Result<(), StoreError> {
    let members = groups.iter().flatten().flat_map(|cluster| &cluster.members);
    let ids: Vec<ListingId> = members.map(|one| one.id).collect();
    // Until commit no listing changes, so that a record and what stands behind it are of one moment.
    lock::listings(tx).await?;
    let stored = listings::get(tx, &ids).await?;
    let districts = districts::known(tx, &stored).await?;
    let mut by_id: HashMap<ListingId, StoredListing> = stored
        .into_iter()
        .map(|listing| (listing.id, listing))
        .collect();
    let retired = groups
        .iter()
        .flatten()
        .map(|cluster| cluster.claim.retired.len())
        .sum::<usize>();
    let count = groups.iter().map(Vec::len).sum::<usize>() + retired;
    let mut change = offers::next_change(tx, count as u64).await?;
    let headers = issued(tx, groups).await?;
    let mut assigned: Vec<(ListingId, OfferId)> = Vec::with_capacity(ids.len());
    let mut settled: Vec<(ListingId, i64)> = Vec::with_capacity(ids.len());
    for cluster in groups.iter().flatten() {
        let members: Vec<StoredListing> = cluster
            .members
            .iter()
            .filter_map(|one| by_id.remove(&one.id))
            .collect();
        let (id, issued_at) = match &cluster.claim.id {
            Some(id) => (id.clone(), headers.get(id).copied().unwrap_or(run.now)),
            None => (OfferId::random(run.rng), run.now),
        };
        let row = record((&id, issued_at), &members, &|facts| {
            area_of(facts, run.listings.addresses, &districts)
        });
        offers::save(tx, &row, change).await?;
        change += 1;
        for retired in &cluster.claim.retired {
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
        run.report.retired += cluster.claim.retired.len() as u64;
    }
    let assigned: Vec<(ListingId, &OfferId)> = assigned
        .iter()
        .map(|(listing, offer)| (*listing, offer))
        .collect();
    listings::assign(tx, &assigned).await?;
    listings::settle(tx, &settled).await
}

/// When the ids that stay were issued.
async fn issued(
    tx: &mut Tx,
    groups: &[Vec<Assigned>],
) -> Result<HashMap<OfferId, Timestamp>, StoreError> {
    let kept: Vec<OfferId> = groups
        .iter()
        .flatten()
        .filter_map(|cluster| cluster.claim.id.clone())
        .collect();
    let headers = offers::headers(tx, &kept).await?;
    Ok(headers
        .into_iter()
        .map(|header| (header.id, header.issued_at))
        .collect())
}

fn record(
    (id, issued_at): (&OfferId, Timestamp),
    members: &[StoredListing],
    area_of: &dyn Fn(&Attributes) -> Option<Area>,
) -> OfferRow {
    let merged = merging::merge(members, area_of);
    let municipality = merged.attributes.city.as_deref().and_then(municipality_key);
    let mut oldest_first: Vec<&StoredListing> = members.iter().collect();
    oldest_first.sort_by(|one, other| {
        (one.state.first_seen_at, &one.key).cmp(&(other.state.first_seen_at, &other.key))
    });
    OfferRow {
        portal_links: oldest_first
            .iter()
            .map(|listing| PortalLink::of(listing))
            .collect(),
        price_history: oldest_first
            .iter()
            .map(|listing| PriceSeries::of(listing))
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

/// Where merged facts lie: in the district that the address registry tells, else in that which the listings say of the
/// municipality, else in what the authored list of towns says of it or of the position.
pub fn area_of(facts: &Attributes, addresses: &Addresses, learned: &Districts) -> Option<Area> {
    let location = facts.location;
    let by_name = || {
        let city = facts.city.as_deref()?;
        let said =
            municipality_key(city).and_then(|municipality| learned.get(&municipality).copied());
        // Portals write the district in the place of a town that they do not know: "Brno venkov".
        said.or_else(|| addresses.district_of_municipality(city, location))
            .or_else(|| District::parse(city))
    };
    let district = addresses.official_district(facts).or_else(by_name);
    district
        .map(Area::District)
        .or_else(|| addresses.area_at(location?))
}
