//! Blocking rules by one value that few adverts share: a house, a number, a pin, a text.

use schema::{ListingKey, PropertyType};

use super::key_parts::KeyParts;
use crate::hash::{Hash, combine, hash};

/// How many bands of the text sketch make keys.
const BANDS: usize = 3;

/// The RÚIAN code.
pub(super) fn address_point(parts: &KeyParts, found: &mut Vec<Hash>) {
    found.extend(parts.profile.place.address_point.map(i64::cast_unsigned));
}

/// Each number of the house within its street, or else its quarter or municipality.
pub(super) fn house_number(parts: &KeyParts, found: &mut Vec<Hash>) {
    for names in parts.profile.place.readings() {
        if let Some(road) = names.road() {
            found.extend(names.numbers().map(|number| combine(road, number)));
        }
    }
}

pub(super) fn order_number(parts: &KeyParts, found: &mut Vec<Hash>) {
    let orders = &parts.profile.marks.orders;
    found.extend(orders.iter().map(|order| order.code));
}

/// Unit and parcel numbers within the municipality.
pub(super) fn unit_or_parcel(parts: &KeyParts, found: &mut Vec<Hash>) {
    let marks = &parts.profile.marks;
    for municipality in parts.profile.place.municipalities() {
        let units = marks.units.iter().map(|unit| unit.code);
        let marks = units.chain(marks.parcels.iter().copied());
        found.extend(marks.map(|mark| combine(municipality, mark)));
    }
}

/// The listing itself and the listing that it says it is a copy of.
pub(super) fn copy(parts: &KeyParts, found: &mut Vec<Hash>) {
    let named = |key: &ListingKey| hash(&["listing", &key.site_id, &key.offer_id]);
    found.push(named(&parts.profile.key));
    found.extend(parts.profile.same_as.iter().map(named));
}

/// The pin, rounded to eleven metres.
pub(super) fn point(parts: &KeyParts, found: &mut Vec<Hash>) {
    let steps = |degrees: f64| ((degrees * 1e4).round() as i64).cast_unsigned();
    let pin = parts.profile.place.pin;
    found.extend(pin.map(|pin| combine(steps(pin.lat), steps(pin.lng))));
}

pub(super) fn phone(parts: &KeyParts, found: &mut Vec<Hash>) {
    found.extend_from_slice(&parts.profile.marks.phones);
}

pub(super) fn text(parts: &KeyParts, found: &mut Vec<Hash>) {
    found.extend(parts.profile.sketch.bands().take(BANDS));
}

/// The village: it has so few adverts that all of them are compared.
pub(super) fn small_municipality(parts: &KeyParts, found: &mut Vec<Hash>) {
    let land = u64::from(parts.profile.property_type == Some(PropertyType::Land));
    let villages = parts.profile.place.villages();
    found.extend(villages.map(|municipality| combine(municipality, land)));
}
