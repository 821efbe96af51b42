//! Blocking rules by one value that few adverts share: a house, a number, a pin, a text.

use schema::{ListingKey, PropertyType};

use crate::hash::{Hash, combine, hash};
use crate::profile::Profile;

/// How many bands of the text sketch make keys.
const BANDS: usize = 3;

/// The RÚIAN code.
pub(super) fn address_point(profile: &Profile) -> Vec<Hash> {
    profile
        .place
        .address_point
        .map(i64::cast_unsigned)
        .into_iter()
        .collect()
}

/// Each number of the house within its street, or else its quarter or municipality.
pub(super) fn house_number(profile: &Profile) -> Vec<Hash> {
    let readings = profile
        .place
        .readings()
        .filter_map(|names| Some((names.road()?, names)));
    readings
        .flat_map(|(road, names)| names.numbers().map(move |number| combine(road, number)))
        .collect()
}

pub(super) fn order_number(profile: &Profile) -> Vec<Hash> {
    profile
        .marks
        .orders
        .iter()
        .map(|order| order.code)
        .collect()
}

/// Unit and parcel numbers within the municipality.
pub(super) fn unit_or_parcel(profile: &Profile) -> Vec<Hash> {
    let units = || profile.marks.units.iter().map(|unit| unit.code);
    let marks = || units().chain(profile.marks.parcels.iter().copied());
    let municipalities = profile.place.municipalities();
    municipalities
        .flat_map(|municipality| marks().map(move |mark| combine(municipality, mark)))
        .collect()
}

/// The listing itself and the listing that it says it is a copy of.
pub(super) fn copy(profile: &Profile) -> Vec<Hash> {
    let named = |key: &ListingKey| hash(&["listing", &key.site_id, &key.offer_id]);
    std::iter::once(&profile.key)
        .chain(&profile.same_as)
        .map(named)
        .collect()
}

/// The pin, rounded to eleven metres.
pub(super) fn point(profile: &Profile) -> Vec<Hash> {
    let steps = |degrees: f64| ((degrees * 1e4).round() as i64).cast_unsigned();
    profile
        .place
        .pin
        .map(|pin| combine(steps(pin.lat), steps(pin.lng)))
        .into_iter()
        .collect()
}

pub(super) fn phone(profile: &Profile) -> Vec<Hash> {
    profile.marks.phones.to_vec()
}

pub(super) fn text(profile: &Profile) -> Vec<Hash> {
    profile.sketch.bands().take(BANDS).collect()
}

/// The village: it has so few adverts that all of them are compared.
pub(super) fn small_municipality(profile: &Profile) -> Vec<Hash> {
    let land = u64::from(profile.property_type == Some(PropertyType::Land));
    profile
        .place
        .villages()
        .map(|municipality| combine(municipality, land))
        .collect()
}
