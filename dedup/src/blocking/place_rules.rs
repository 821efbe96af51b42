//! Blocking rules by a place together with size, price or rooms. The wider the place, the more
//! values a key needs.

use h3o::Resolution;

use super::key_parts::KeyParts;
use crate::hash::{Hash, combine};

/// How many place names from a text make keys.
const MAX_NAMES: usize = 12;

pub(super) fn street_and_size(parts: &KeyParts, found: &mut Vec<Hash>) {
    for street in parts.profile.place.bare_streets() {
        let bands = parts.size_bands().iter();
        found.extend(bands.map(|band| combine(street, *band)));
    }
}

/// For adverts without a size or with a wrong one.
pub(super) fn street_and_rooms(parts: &KeyParts, found: &mut Vec<Hash>) {
    let streets = parts.profile.place.bare_streets();
    found.extend(streets.map(|street| combine(street, parts.rooms)));
}

/// Cells of 0.7 km², and the next cell if the pin is near the edge.
pub(super) fn cell_and_size(parts: &KeyParts, found: &mut Vec<Hash>) {
    for cell in property_cells(parts, Resolution::Eight, 200.0) {
        let bands = parts.size_bands().iter();
        found.extend(bands.map(|band| combine(cell, *band)));
    }
}

/// Cells of 0.1 km², and the next cell if the pin is near the edge. For adverts without a size or
/// with a wrong one.
pub(super) fn pin_and_rooms(parts: &KeyParts, found: &mut Vec<Hash>) {
    let cells = property_cells(parts, Resolution::Nine, 60.0);
    found.extend(cells.map(|cell| combine(cell, parts.rooms)));
}

/// The cells of a pin, unless the pin is known to be the middle of an area.
fn property_cells(
    parts: &KeyParts,
    resolution: Resolution,
    slack: f64,
) -> impl Iterator<Item = Hash> {
    let marks_property = parts.profile.place.precision.may_mark_property();
    let pin = parts.pin().filter(|_| marks_property);
    pin.into_iter()
        .flat_map(move |pin| pin.cells(resolution, slack))
}

/// Cells of 5 km², and the next cell if the pin is near the edge, for any pin. With rooms and size,
/// both without and with the price.
pub(super) fn pin_and_size(parts: &KeyParts, found: &mut Vec<Hash>) {
    let Some(pin) = parts.pin() else {
        return;
    };
    for cell in pin.cells(Resolution::Seven, 600.0) {
        let within = combine(cell, parts.rooms);
        for size in parts.size_bands() {
            let coarse = combine(within, *size);
            found.push(coarse);
            let prices = parts.price_bands().iter().skip(1);
            found.extend(prices.map(|price| combine(coarse, *price)));
        }
    }
}

/// For portals that publish only the town: one listing states a street or quarter that the text of
/// the other names.
pub(super) fn named_place(parts: &KeyParts, found: &mut Vec<Hash>) {
    let place = &parts.profile.place;
    let in_text = &parts.profile.marks.places;
    let in_text = in_text.iter().copied().filter(|_| place.is_vague());
    let mut names: Vec<Hash> = [place.street_name, place.quarter_name]
        .into_iter()
        .flatten()
        .chain(in_text.take(MAX_NAMES))
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        add_size_and_price(parts, combine(name, parts.rooms), found);
    }
}

pub(super) fn postal_code_and_values(parts: &KeyParts, found: &mut Vec<Hash>) {
    if let Some(code) = parts.profile.place.postal_code {
        add_size_and_price(parts, combine(code, parts.rooms), found);
    }
}

/// A key for each band of the size and one for each band of the price.
fn add_size_and_price(parts: &KeyParts, within: Hash, found: &mut Vec<Hash>) {
    let bands = parts.size_bands().iter().chain(parts.price_bands());
    found.extend(bands.map(|band| combine(within, *band)));
}

/// The exact size, both without and with the rooms.
pub(super) fn municipality_and_size(parts: &KeyParts, found: &mut Vec<Hash>) {
    for municipality in parts.profile.place.municipalities() {
        for size in parts.sizes() {
            let coarse = combine(municipality, size);
            found.extend([coarse, combine(coarse, parts.rooms)]);
        }
    }
}

/// Each price asked: alone, with the size, and with the rooms and a size band.
pub(super) fn municipality_and_price(parts: &KeyParts, found: &mut Vec<Hash>) {
    let size = parts.size.unwrap_or_default();
    for municipality in parts.profile.place.municipalities() {
        let coarse = parts.prices(4).map(|price| combine(municipality, price));
        found.extend(coarse);
        let exact = parts.prices(2).map(|price| combine(municipality, price));
        found.extend(exact.map(|price| combine(price, size)));
        let within = combine(municipality, parts.rooms);
        for price in parts.first_and_last_price() {
            let near = combine(within, price);
            found.extend(parts.size_bands().iter().map(|band| combine(near, *band)));
        }
    }
}

/// For portals that know only the post office: the district with two other values, or with an exact
/// plot.
pub(super) fn district_and_values(parts: &KeyParts, found: &mut Vec<Hash>) {
    let Some(district) = parts.profile.place.district.map(u64::from) else {
        return;
    };
    let within = combine(district, parts.rooms);
    if let Some(size) = parts.size {
        let sized = combine(district, size);
        found.extend(parts.prices(3).map(|price| combine(sized, price)));
        let sized = combine(within, size);
        found.extend(parts.price_bands().iter().map(|band| combine(sized, *band)));
    }
    found.extend(parts.plots().map(|plot| combine(district, plot)));
    let prices = parts.first_and_last_price();
    found.extend(prices.map(|price| combine(within, price)));
}

/// For pins that mark only a post office: cells of 250 km², and the next cell if the edge is within
/// 4 km, with an exact plot or with size and price.
pub(super) fn wide_cell_and_values(parts: &KeyParts, found: &mut Vec<Hash>) {
    let Some(pin) = parts.pin() else {
        return;
    };
    let unit = parts.size.zip(parts.first_and_last_price().last());
    let unit = unit.map(|(size, price)| combine(size, price));
    for cell in pin.cells(Resolution::Five, 4_000.0) {
        let values = parts.plot().into_iter().chain(unit);
        found.extend(values.map(|value| combine(cell, value)));
    }
}
