//! The merge rules. Most rules only say which of two stated values is more precise; the order of
//! precedence around that is the same for all of them.

use std::collections::{BTreeMap, BTreeSet};

use gazetteer::{District, Region};
use schema::offer_fields::names;
use schema::{Attributes, ListingKey, PinPrecision, StoredListing, Subtype};

use super::precedence::{Candidate, choose};
use crate::profile::municipality_key;

/// A cluster while it is merged.
pub(super) struct Merger<'a> {
    /// The listings, ordered by portal and number.
    pub listings: Vec<&'a StoredListing>,
    /// The listings that say they are copies of another listing of the cluster.
    pub copies: BTreeSet<&'a ListingKey>,
    /// The fields that are merged so far.
    pub merged: Attributes,
    /// The listing that each merged value comes from.
    pub provenance: BTreeMap<&'static str, ListingKey>,
}

impl Merger<'_> {
    fn is_original(&self, listing: &StoredListing) -> bool {
        !self.copies.contains(&listing.key)
    }

    /// Chooses the value of a field by precedence and notes its listing.
    fn choose<T: Clone + PartialEq>(
        &mut self,
        name: &'static str,
        value: impl Fn(&Attributes) -> Option<T>,
        precision: impl Fn(&StoredListing, &T) -> u32,
    ) -> Option<T> {
        let candidates: Vec<Candidate<'_, T>> = self
            .listings
            .iter()
            .filter_map(|listing| {
                let value = value(&listing.state.listing.attributes)?;
                Some(Candidate {
                    is_original: self.is_original(listing),
                    precision: precision(listing, &value),
                    listing,
                    value,
                })
            })
            .collect();
        let chosen = choose(&candidates)?;
        let value = chosen.value.clone();
        self.provenance.insert(name, chosen.listing.key.clone());
        Some(value)
    }
}

/// No value is more precise than another.
pub(super) fn general_rule<T: Clone + PartialEq>(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<T>,
) -> Option<T> {
    merger.choose(name, value, |_, _| 0)
}

/// A portal that states a feature knows more than a portal where the box is not ticked.
pub(super) fn stated_feature(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<bool>,
) -> Option<bool> {
    merger.choose(name, value, |_, present| u32::from(*present))
}

/// An area with decimals is more precise than a rounded one.
pub(super) fn unrounded_area(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<f64>,
) -> Option<f64> {
    merger.choose(name, value, |_, area| u32::from(area.fract() != 0.0))
}

/// The longer text is more precise. Lengths are compared by powers of two.
pub(super) fn longest_text(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    merger.choose(name, value, |_, text| text.len().max(1).ilog2())
}

/// The title of the listing whose description was chosen comes first.
pub(super) fn title_of_merged_description(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    let source = merger.provenance.get(names::description).cloned();
    merger.choose(name, value, |listing, _| {
        u32::from(source.as_ref() == Some(&listing.key))
    })
}

/// A subtype from a listing with the merged type comes first.
pub(super) fn subtype_of_merged_type(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<Subtype>,
) -> Option<Subtype> {
    let merged_type = merger.merged.property_type;
    merger.choose(name, value, |listing, _| {
        u32::from(listing.state.listing.attributes.property_type == merged_type)
    })
}

/// The price of the live listing whose last price point is the newest; originals come before
/// copies, and live listings before listings that are gone. Seeing an old price again does not make
/// it newer.
pub(super) fn newest_live_price(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<f64>,
) -> Option<f64> {
    let stated = merger.listings.iter().filter_map(|listing| {
        let price = value(&listing.state.listing.attributes)?;
        let priced_at = listing
            .state
            .prices
            .last()
            .map_or(listing.state.first_seen_at, |point| point.at);
        let rank = (
            listing.state.is_live(),
            merger.is_original(listing),
            priced_at,
        );
        Some((rank, price, &listing.key))
    });
    let (_, price, key) =
        stated.max_by(|one, other| one.0.cmp(&other.0).then(other.2.cmp(one.2)))?;
    merger.provenance.insert(name, key.clone());
    Some(price)
}

/// A pin is as precise as it is declared to be. Without a declaration, a listing that names a street
/// is assumed to pin it.
pub(super) fn most_exact_pin<T: Clone + PartialEq>(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<T>,
) -> Option<T> {
    merger.choose(name, value, |listing, _| {
        let listing = &listing.state.listing;
        match listing.evidence.pin {
            Some(PinPrecision::Exact) => 4,
            Some(PinPrecision::Street) => 3,
            Some(PinPrecision::Quarter) => 1,
            Some(PinPrecision::Municipality) => 0,
            None if listing.attributes.street.is_some() => 3,
            None => 2,
        }
    })
}

/// As a municipality, `Praha` is more precise than `Praha 8` or `Brno Líšeň`.
pub(super) fn plain_municipality(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    merger.choose(name, value, |_, city| {
        let municipality = municipality_key(city);
        u32::from(municipality.as_deref() == Some(czech::names::place_key(city).as_str()))
    })
}

/// `602 00` comes before `60200`.
pub(super) fn spaced_postal_code(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    merger.choose(name, value, |_, code| u32::from(code.contains(' ')))
}

/// An address line is more precise with a number, and from a listing that names the street.
pub(super) fn most_exact_address(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    merger.choose(name, value, |listing, line| {
        u32::from(listing.state.listing.attributes.street.is_some())
            + u32::from(line.chars().any(|letter| letter.is_ascii_digit()))
    })
}

/// A known district comes first, in its official spelling.
pub(super) fn known_district(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    let official = |text: String| match District::parse(&text) {
        Some(district) => district.name().to_owned(),
        None => text,
    };
    merger.choose(
        name,
        |facts| value(facts).map(official),
        |_, name| u32::from(District::parse(name).is_some()),
    )
}

/// A known region comes first, in its official spelling.
pub(super) fn known_region(
    merger: &mut Merger<'_>,
    name: &'static str,
    value: impl Fn(&Attributes) -> Option<String>,
) -> Option<String> {
    let official = |text: String| match Region::parse(&text) {
        Some(region) => region.name().to_owned(),
        None => text,
    };
    merger.choose(
        name,
        |facts| value(facts).map(official),
        |_, name| u32::from(Region::parse(name).is_some()),
    )
}
