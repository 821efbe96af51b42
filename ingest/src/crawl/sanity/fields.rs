//! The fields whose loss or sudden change tells that a portal's answers have changed.

use schema::Listing;

/// Whether a listing has a field.
type Has = fn(&Listing) -> bool;

/// Whether a field of the second listing is quite another than in the first; `None` where one of the two does not say.
type IsOther = fn(&Listing, &Listing) -> Option<bool>;

/// Fields that most listings of every portal have.
pub(super) const KEPT: [(&str, Has); 4] = [
    ("price", has_price),
    ("area", has_area),
    ("place", has_place),
    ("kind", has_kind),
];

/// Fields that hardly ever change much, with whether they did.
pub(super) const STEADY: [(&str, IsOther); 3] = [
    ("price", other_price),
    ("area", other_area),
    ("position", other_position),
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

/// Prices are lowered, but hardly ever by half.
fn other_price(before: &Listing, after: &Listing) -> Option<bool> {
    apart(
        before.attributes.price_total?,
        after.attributes.price_total?,
        0.6,
    )
}

/// Areas are corrected, but not by a fifth.
fn other_area(before: &Listing, after: &Listing) -> Option<bool> {
    let land = |listing: &Listing| listing.attributes.land_area;
    match (area(before), area(after)) {
        (Some(before), Some(after)) => apart(before, after, 0.8),
        _ => apart(land(before)?, land(after)?, 0.8),
    }
}

/// Pins are moved within a town.
fn other_position(before: &Listing, after: &Listing) -> Option<bool> {
    const KM: f64 = 5.0;
    let (before, after) = (before.attributes.location?, after.attributes.location?);
    Some(before.kilometres_to(after) > KM)
}

/// Whether the smaller of two is below this share of the larger.
fn apart(one: f64, other: f64, share: f64) -> Option<bool> {
    let (small, large) = (one.min(other), one.max(other));
    (small > 0.0).then_some(small < large * share)
}
