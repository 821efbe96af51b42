//! The fields by whose loss or sudden change a changed portal is recognised.

use schema::Listing;

/// Whether a listing has a field.
type HasField = fn(&Listing) -> bool;

/// Whether a field differs implausibly between two versions of a listing. `None` if one of them does not have it.
type HasChanged = fn(&Listing, &Listing) -> Option<bool>;

/// Fields that most listings of every portal have.
pub(super) const EXPECTED_FIELDS: [(&str, HasField); 4] = [
    ("price", has_price),
    ("area", has_area),
    ("place", has_place),
    ("kind", has_kind),
];

/// Fields that seldom change much, each with the test whether it did.
pub(super) const STABLE_FIELDS: [(&str, HasChanged); 3] = [
    ("price", price_changed),
    ("area", area_changed),
    ("position", position_changed),
];

fn has_price(listing: &Listing) -> bool {
    listing.attributes.price_total.is_some()
}

fn has_area(listing: &Listing) -> bool {
    area(listing).is_some() || listing.attributes.land_area.is_some()
}

fn area(listing: &Listing) -> Option<f64> {
    listing
        .attributes
        .living_area
        .or(listing.evidence.total_area)
}

fn has_place(listing: &Listing) -> bool {
    let attributes = &listing.attributes;
    attributes.city.is_some() || attributes.address.is_some() || attributes.location.is_some()
}

fn has_kind(listing: &Listing) -> bool {
    listing.attributes.offer_type.is_some() && listing.attributes.property_type.is_some()
}

/// A price that has changed by more than 40 %: prices are lowered, but seldom by half.
fn price_changed(before: &Listing, after: &Listing) -> Option<bool> {
    differs(
        before.attributes.price_total?,
        after.attributes.price_total?,
        0.6,
    )
}

/// An area that has changed by more than a fifth: areas are corrected, but not by so much.
fn area_changed(before: &Listing, after: &Listing) -> Option<bool> {
    let land = |listing: &Listing| listing.attributes.land_area;
    match (area(before), area(after)) {
        (Some(before), Some(after)) => differs(before, after, 0.8),
        _ => differs(land(before)?, land(after)?, 0.8),
    }
}

/// A position that has moved by more than 5 km: pins are moved, but within a town.
fn position_changed(before: &Listing, after: &Listing) -> Option<bool> {
    const MAX_KM: f64 = 5.0;
    let (before, after) = (before.attributes.location?, after.attributes.location?);
    Some(before.kilometres_to(after) > MAX_KM)
}

/// Whether the smaller number is below this share of the larger one. `None` unless both are positive.
fn differs(one: f64, other: f64, share: f64) -> Option<bool> {
    let (small, large) = (one.min(other), one.max(other));
    (small > 0.0).then_some(small < large * share)
}
