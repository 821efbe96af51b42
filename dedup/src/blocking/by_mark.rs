//! Rules of a single thing that few adverts have in common: a house, a number, a point, a text.

use schema::{ListingKey, PropertyType};

use super::keys::mixed;
use crate::profile::{Hash, Profile, hash};

/// Bands of a text's sketch that make keys.
const BANDS: usize = 3;

/// The RÚIAN code.
pub fn address_point(profile: &Profile) -> Vec<Hash> {
    profile
        .place
        .address_point
        .map(i64::cast_unsigned)
        .into_iter()
        .collect()
}

/// One of the house's numbers in its street, else quarter, else municipality.
pub fn house_number(profile: &Profile) -> Vec<Hash> {
    let readings = profile
        .place
        .readings()
        .filter_map(|names| Some((names.road()?, names)));
    readings
        .flat_map(|(road, names)| names.numbers().map(move |number| mixed(road, number)))
        .collect()
}

pub fn order_number(profile: &Profile) -> Vec<Hash> {
    profile
        .marks
        .orders
        .iter()
        .map(|order| order.code)
        .collect()
}

/// A unit's designation or a parcel's number in its municipality.
pub fn unit_or_parcel(profile: &Profile) -> Vec<Hash> {
    let units = || profile.marks.units.iter().map(|unit| unit.code);
    let marks = || units().chain(profile.marks.parcels.iter().copied());
    let municipalities = profile.place.municipalities();
    municipalities
        .flat_map(|municipality| marks().map(move |mark| mixed(municipality, mark)))
        .collect()
}

/// The listing itself, and the one that it says it is a copy of.
pub fn copy(profile: &Profile) -> Vec<Hash> {
    let named = |key: &ListingKey| hash(&["listing", &key.site_id, &key.offer_id]);
    std::iter::once(&profile.key)
        .chain(&profile.same_as)
        .map(named)
        .collect()
}

/// The pin to eleven metres.
pub fn point(profile: &Profile) -> Vec<Hash> {
    let steps = |degrees: f64| ((degrees * 1e4).round() as i64).cast_unsigned();
    profile
        .place
        .pin
        .map(|pin| mixed(steps(pin.lat), steps(pin.lng)))
        .into_iter()
        .collect()
}

pub fn phone(profile: &Profile) -> Vec<Hash> {
    profile.marks.phones.to_vec()
}

pub fn text(profile: &Profile) -> Vec<Hash> {
    profile.sketch.bands().take(BANDS).collect()
}

/// The village itself: there are few adverts, so all of them meet.
pub fn small_municipality(profile: &Profile) -> Vec<Hash> {
    let land = u64::from(profile.property_type == Some(PropertyType::Land));
    profile
        .place
        .villages()
        .map(|municipality| mixed(municipality, land))
        .collect()
}
