//! Merges the values of records into the rows to store.

use gazetteer::{Area, District};
use rayon::prelude::*;
use schema::store::offers::OfferRow;
use schema::{Attributes, Offer, OfferId, PortalLink, PriceSeries, StoredListing, Timestamp};

use super::districts::Districts;
use crate::addresses::Addresses;
use crate::merging::{self, Merged};
use crate::profile::municipality_key;

/// A record with its id, before its values are merged.
pub struct Unmerged {
    /// Its id.
    pub id: OfferId,
    /// When the id was issued.
    pub issued_at: Timestamp,
    /// Its listings.
    pub members: Vec<StoredListing>,
    /// The number of the change that writes it.
    pub change: i64,
}

/// How many records a core merges together.
const RECORDS_TOGETHER: usize = 8;

/// Merges the values of each cluster on all cores. The results are in the order given.
pub fn merge_each<C: AsRef<[StoredListing]> + Sync>(
    clusters: &[C],
    addresses: &Addresses,
    districts: &Districts,
) -> Vec<Merged> {
    let merge = |cluster: &C| {
        merging::merge(cluster.as_ref(), addresses, |facts| {
            area_of(facts, addresses, districts)
        })
    };
    if clusters.len() <= RECORDS_TOGETHER {
        return clusters.iter().map(merge).collect();
    }
    let clusters = clusters.par_iter().with_min_len(RECORDS_TOGETHER);
    clusters.map(merge).collect()
}

impl AsRef<[StoredListing]> for Unmerged {
    fn as_ref(&self) -> &[StoredListing] {
        &self.members
    }
}

/// The rows of records with their merged values, each with the number of the change that writes it.
pub fn rows(unmerged: &[Unmerged], merged: Vec<Merged>) -> Vec<(OfferRow, i64)> {
    let row = |(one, merged): (&Unmerged, Merged)| {
        let row = offer_row((&one.id, one.issued_at), &one.members, merged);
        (row, one.change)
    };
    unmerged.iter().zip(merged).map(row).collect()
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
