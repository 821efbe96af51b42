//! Rules of a place, be it a street or a district, and figures: the wider the place, the more figures.

use h3o::Resolution;

use super::cells::cells;
use super::figures::{
    first_and_last_price, plot, plots, price_bands, prices, rooms, size, size_bands, sizes,
};
use super::keys::mixed;
use crate::profile::{Hash, Profile};

/// The most names of places that a text gives keys of.
const NAMES: usize = 12;

pub fn street_and_size(profile: &Profile) -> Vec<Hash> {
    let streets = profile.place.bare_streets();
    streets
        .flat_map(|street| size_bands(profile).map(move |band| mixed(street, band)))
        .collect()
}

/// Cells of 0.7 km² and, near an edge, the next one; only pins that are not the middle of an area.
pub fn cell_and_size(profile: &Profile) -> Vec<Hash> {
    let Some(pin) = profile
        .place
        .pin
        .filter(|_| profile.place.precision.may_mark_property())
    else {
        return Vec::new();
    };
    let cells = cells(pin, Resolution::Eight, 200.0);
    cells
        .iter()
        .flat_map(|cell| size_bands(profile).map(|band| mixed(*cell, band)))
        .collect()
}

/// Cells of 5 km² and, near an edge, the next one, whatever the pin marks; with the rooms and the size, without and
/// with the price.
pub fn pin_and_size(profile: &Profile) -> Vec<Hash> {
    let Some(pin) = profile.place.pin else {
        return Vec::new();
    };
    let within = cells(pin, Resolution::Seven, 600.0)
        .into_iter()
        .map(|cell| mixed(cell, rooms(profile)));
    let coarse = within.flat_map(|within| size_bands(profile).map(move |band| mixed(within, band)));
    let fine = |key: Hash| {
        price_bands(profile)
            .skip(1)
            .map(move |band| mixed(key, band))
    };
    coarse
        .flat_map(|key| std::iter::once(key).chain(fine(key)))
        .collect()
}

/// For portals that write only the town: the street or quarter of one listing is named in the text of the other.
pub fn named_place(profile: &Profile) -> Vec<Hash> {
    let place = &profile.place;
    let in_text = profile
        .marks
        .places
        .iter()
        .copied()
        .filter(|_| place.is_vague())
        .take(NAMES);
    let mut names: Vec<Hash> = [place.street_name, place.quarter_name]
        .into_iter()
        .flatten()
        .chain(in_text)
        .collect();
    names.sort_unstable();
    names.dedup();
    let figures = || size_bands(profile).chain(price_bands(profile));
    names
        .iter()
        .map(|name| mixed(*name, rooms(profile)))
        .flat_map(|within| figures().map(move |figure| mixed(within, figure)))
        .collect()
}

pub fn postal_code_and_figures(profile: &Profile) -> Vec<Hash> {
    let Some(code) = profile.place.postal_code else {
        return Vec::new();
    };
    let within = mixed(code, rooms(profile));
    size_bands(profile)
        .chain(price_bands(profile))
        .map(|figure| mixed(within, figure))
        .collect()
}

/// The exact size, without and with the rooms.
pub fn municipality_and_size(profile: &Profile) -> Vec<Hash> {
    let sized = |municipality| {
        sizes(profile)
            .into_iter()
            .map(move |size| mixed(municipality, size))
    };
    let coarse = profile.place.municipalities().flat_map(sized);
    coarse
        .flat_map(|key| [key, mixed(key, rooms(profile))])
        .collect()
}

/// Each price asked, without and with the size, and with rooms and nearly the size.
pub fn municipality_and_price(profile: &Profile) -> Vec<Hash> {
    profile
        .place
        .municipalities()
        .flat_map(|municipality| prices_in(profile, municipality))
        .collect()
}

fn prices_in(profile: &Profile, municipality: Hash) -> Vec<Hash> {
    let coarse = prices(profile, 4).map(|price| mixed(municipality, price));
    let exact = prices(profile, 2).map(|price| {
        mixed(
            mixed(municipality, price),
            size(profile).unwrap_or_default(),
        )
    });
    let within = mixed(municipality, rooms(profile));
    let near = first_and_last_price(profile)
        .flat_map(|price| size_bands(profile).map(move |band| mixed(mixed(within, price), band)));
    coarse.chain(exact).chain(near).collect()
}

/// For portals that know only the post office: the district with two figures, or with an exact plot.
pub fn district_and_figures(profile: &Profile) -> Vec<Hash> {
    let Some(district) = profile.place.district.map(u64::from) else {
        return Vec::new();
    };
    let exact = size(profile)
        .into_iter()
        .flat_map(|size| prices(profile, 3).map(move |price| mixed(mixed(district, size), price)));
    let plots = plots(profile).map(|plot| mixed(district, plot));
    let within = mixed(district, rooms(profile));
    let by_price = first_and_last_price(profile).map(|price| mixed(within, price));
    let by_size = size(profile)
        .into_iter()
        .flat_map(|size| price_bands(profile).map(move |band| mixed(mixed(within, size), band)));
    exact.chain(plots).chain(by_price).chain(by_size).collect()
}

/// For pins that mark no more than a post office: cells of 250 km² and, within 4 km of an edge, the next one, with an
/// exact plot or with size and price.
pub fn wide_cell_and_figures(profile: &Profile) -> Vec<Hash> {
    let Some(pin) = profile.place.pin else {
        return Vec::new();
    };
    let unit = size(profile).zip(first_and_last_price(profile).last());
    let figures = [plot(profile), unit.map(|(size, price)| mixed(size, price))];
    let cells = cells(pin, Resolution::Five, 4_000.0);
    cells
        .iter()
        .flat_map(|cell| figures.iter().flatten().map(|figure| mixed(*cell, *figure)))
        .collect()
}
