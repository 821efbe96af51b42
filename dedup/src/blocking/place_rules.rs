//! Blocking rules by a place together with size, price or rooms. The wider the place, the more
//! values a key needs.

use h3o::Resolution;

use super::cells::cells;
use super::key_parts::{
    first_and_last_price, plot, plots, price_bands, prices, rooms, size, size_bands, sizes,
};
use crate::hash::{Hash, combine};
use crate::profile::Profile;

/// How many place names from a text make keys.
const MAX_NAMES: usize = 12;

pub(super) fn street_and_size(profile: &Profile) -> Vec<Hash> {
    let streets = profile.place.bare_streets();
    streets
        .flat_map(|street| size_bands(profile).map(move |band| combine(street, band)))
        .collect()
}

/// For adverts without a size or with a wrong one.
pub(super) fn street_and_rooms(profile: &Profile) -> Vec<Hash> {
    profile
        .place
        .bare_streets()
        .map(|street| combine(street, rooms(profile)))
        .collect()
}

/// Cells of 0.7 km², and the next cell if the pin is near the edge.
pub(super) fn cell_and_size(profile: &Profile) -> Vec<Hash> {
    property_cells(profile, Resolution::Eight, 200.0)
        .iter()
        .flat_map(|cell| size_bands(profile).map(|band| combine(*cell, band)))
        .collect()
}

/// Cells of 0.1 km², and the next cell if the pin is near the edge. For adverts without a size or
/// with a wrong one.
pub(super) fn pin_and_rooms(profile: &Profile) -> Vec<Hash> {
    property_cells(profile, Resolution::Nine, 60.0)
        .into_iter()
        .map(|cell| combine(cell, rooms(profile)))
        .collect()
}

/// The cells of a pin, unless the pin is known to be the middle of an area.
fn property_cells(profile: &Profile, resolution: Resolution, slack: f64) -> Vec<Hash> {
    profile
        .place
        .pin
        .filter(|_| profile.place.precision.may_mark_property())
        .map_or_else(Vec::new, |pin| cells(pin, resolution, slack))
}

/// Cells of 5 km², and the next cell if the pin is near the edge, for any pin. With rooms and size,
/// both without and with the price.
pub(super) fn pin_and_size(profile: &Profile) -> Vec<Hash> {
    let Some(pin) = profile.place.pin else {
        return Vec::new();
    };
    let within = cells(pin, Resolution::Seven, 600.0)
        .into_iter()
        .map(|cell| combine(cell, rooms(profile)));
    let coarse =
        within.flat_map(|within| size_bands(profile).map(move |band| combine(within, band)));
    let fine = |key: Hash| {
        price_bands(profile)
            .skip(1)
            .map(move |band| combine(key, band))
    };
    coarse
        .flat_map(|key| std::iter::once(key).chain(fine(key)))
        .collect()
}

/// For portals that publish only the town: one listing states a street or quarter that the text of
/// the other names.
pub(super) fn named_place(profile: &Profile) -> Vec<Hash> {
    let place = &profile.place;
    let in_text = profile
        .marks
        .places
        .iter()
        .copied()
        .filter(|_| place.is_vague())
        .take(MAX_NAMES);
    let mut names: Vec<Hash> = [place.street_name, place.quarter_name]
        .into_iter()
        .flatten()
        .chain(in_text)
        .collect();
    names.sort_unstable();
    names.dedup();
    let size_or_price = || size_bands(profile).chain(price_bands(profile));
    names
        .iter()
        .map(|name| combine(*name, rooms(profile)))
        .flat_map(|within| size_or_price().map(move |value| combine(within, value)))
        .collect()
}

pub(super) fn postal_code_and_values(profile: &Profile) -> Vec<Hash> {
    let Some(code) = profile.place.postal_code else {
        return Vec::new();
    };
    let within = combine(code, rooms(profile));
    size_bands(profile)
        .chain(price_bands(profile))
        .map(|value| combine(within, value))
        .collect()
}

/// The exact size, both without and with the rooms.
pub(super) fn municipality_and_size(profile: &Profile) -> Vec<Hash> {
    let sized = |municipality| {
        sizes(profile)
            .into_iter()
            .map(move |size| combine(municipality, size))
    };
    let coarse = profile.place.municipalities().flat_map(sized);
    coarse
        .flat_map(|key| [key, combine(key, rooms(profile))])
        .collect()
}

/// Each price asked: alone, with the size, and with the rooms and a size band.
pub(super) fn municipality_and_price(profile: &Profile) -> Vec<Hash> {
    profile
        .place
        .municipalities()
        .flat_map(|municipality| prices_in(profile, municipality))
        .collect()
}

fn prices_in(profile: &Profile, municipality: Hash) -> Vec<Hash> {
    let coarse = prices(profile, 4).map(|price| combine(municipality, price));
    let exact = prices(profile, 2).map(|price| {
        combine(
            combine(municipality, price),
            size(profile).unwrap_or_default(),
        )
    });
    let within = combine(municipality, rooms(profile));
    let near = first_and_last_price(profile).flat_map(|price| {
        size_bands(profile).map(move |band| combine(combine(within, price), band))
    });
    coarse.chain(exact).chain(near).collect()
}

/// For portals that know only the post office: the district with two other values, or with an exact
/// plot.
pub(super) fn district_and_values(profile: &Profile) -> Vec<Hash> {
    let Some(district) = profile.place.district.map(u64::from) else {
        return Vec::new();
    };
    let exact = size(profile).into_iter().flat_map(|size| {
        prices(profile, 3).map(move |price| combine(combine(district, size), price))
    });
    let plots = plots(profile).map(|plot| combine(district, plot));
    let within = combine(district, rooms(profile));
    let by_price = first_and_last_price(profile).map(|price| combine(within, price));
    let by_size = size(profile).into_iter().flat_map(|size| {
        price_bands(profile).map(move |band| combine(combine(within, size), band))
    });
    exact.chain(plots).chain(by_price).chain(by_size).collect()
}

/// For pins that mark only a post office: cells of 250 km², and the next cell if the edge is within
/// 4 km, with an exact plot or with size and price.
pub(super) fn wide_cell_and_values(profile: &Profile) -> Vec<Hash> {
    let Some(pin) = profile.place.pin else {
        return Vec::new();
    };
    let unit = size(profile).zip(first_and_last_price(profile).last());
    let values = [
        plot(profile),
        unit.map(|(size, price)| combine(size, price)),
    ];
    let cells = cells(pin, Resolution::Five, 4_000.0);
    cells
        .iter()
        .flat_map(|cell| values.iter().flatten().map(|value| combine(*cell, *value)))
        .collect()
}
