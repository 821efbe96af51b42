//! What one listing says of where the property is.

use czech::names::place_key;
use gazetteer::{Address, District, Gazetteer, Name, Region};
use schema::{Attributes, StoredListing};

use crate::addresses::address_parts;

/// A listing, its address read from the text alone, and how much it counts.
#[derive(Debug)]
pub(super) struct Claim<'a> {
    /// The listing.
    pub listing: &'a StoredListing,
    /// Whether the listing is not a copy of another listing of the cluster.
    pub is_original: bool,
    /// The address as the listing wrote it.
    pub address: Address,
    /// The municipality that the listing names.
    pub municipality: Option<Name>,
    /// The district that the listing states in its own field.
    pub district: Option<District>,
    /// The region that the listing states in its own field.
    pub region: Option<Region>,
    /// Whether the listing states only a town and a postal code. For bazos that is the town of the post office or of
    /// the district, and in more than half of all adverts not the municipality.
    pub is_coarse: bool,
}

impl<'a> Claim<'a> {
    pub fn new(listing: &'a StoredListing, is_original: bool, gazetteer: &Gazetteer) -> Self {
        let Attributes {
            district, region, ..
        } = attributes(listing);
        let evidence = &listing.state.listing.evidence;
        let parts = address_parts(attributes(listing), evidence.house_number.as_deref());
        let address = Address::from_parts(&parts);
        let is_coarse = attributes(listing).postal_code.is_some()
            && [district, region].into_iter().all(Option::is_none)
            && address.street.is_none()
            && address.quarter.is_none();
        Self {
            listing,
            is_original,
            is_coarse,
            district: district.as_deref().and_then(District::parse),
            region: region.as_deref().and_then(Region::parse),
            municipality: whole_city(listing, gazetteer).or_else(|| address.municipality.clone()),
            address,
        }
    }

    /// The facts of the listing.
    pub fn facts(&self) -> &'a Attributes {
        attributes(self.listing)
    }

    /// The match key of the municipality that the listing names.
    pub fn municipality(&self) -> Option<&str> {
        self.municipality.as_ref().map(|name| name.key.as_str())
    }

    /// The town as published, in its own field or else in the address line.
    pub fn town(&self) -> Option<&str> {
        let read = self.municipality.as_ref();
        let city = self.facts().city.as_deref();
        city.or_else(|| read.map(|name| name.written.as_str()))
    }

    /// Whether the field for the city may hold a district: the listing names no municipality, or states only a town and
    /// a postal code.
    pub fn may_name_a_district(&self) -> bool {
        self.municipality().is_none() || self.is_coarse
    }

    /// How much the listing counts: a live one twice as much as one that is gone, and an original twice as much as a
    /// copy.
    pub fn weight(&self) -> i32 {
        let live = 1 + i32::from(self.listing.state.is_live());
        live * (1 + i32::from(self.is_original))
    }
}

fn attributes(listing: &StoredListing) -> &Attributes {
    &listing.state.listing.attributes
}

/// The field for the city, if the whole of it is the name of a municipality: without looking it up, `Březová-Oleško` reads
/// like a part of the town Březová.
fn whole_city(listing: &StoredListing, gazetteer: &Gazetteer) -> Option<Name> {
    let written = attributes(listing).city.clone()?;
    let key = place_key(&written);
    let is_known = !gazetteer.municipalities_named(&key).is_empty();
    is_known.then_some(Name { written, key })
}
