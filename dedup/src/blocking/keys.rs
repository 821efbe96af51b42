//! The blocking rules: each gives the keys under which a listing may meet its doubles.

use h3o::{LatLng, Resolution};
use schema::{Location, PropertyType};

use crate::profile::{Hash, Profile, hash};

/// A rule's name and what it yields.
pub struct Rule {
    /// Its name in reports and explanations.
    pub name: &'static str,
    /// Its keys for a listing, before they are bound to the kind of offer.
    pub keys: fn(&Profile) -> Vec<Hash>,
}

/// Every rule. A true pair need meet under one of them.
pub const RULES: &[Rule] = &[
    Rule { name: "address point", keys: address_point },
    Rule { name: "house number", keys: house_number },
    Rule { name: "street and size", keys: street_and_size },
    Rule { name: "cell and size", keys: cell_and_size },
    Rule { name: "quarter and size", keys: quarter_and_size },
    Rule { name: "municipality and size", keys: municipality_and_size },
    Rule { name: "municipality and price", keys: municipality_and_price },
    Rule { name: "district, size and price", keys: district_size_and_price },
    Rule { name: "region of the pin and figures", keys: wide_cell_and_figures },
    Rule { name: "municipality and plot", keys: municipality_and_plot },
    Rule { name: "small municipality", keys: small_municipality },
    Rule { name: "order number", keys: order_number },
    Rule { name: "unit or parcel", keys: unit_or_parcel },
    Rule { name: "text", keys: text },
    Rule { name: "text and size", keys: text_and_size },
];

/// All keys of a listing, bound to its kind of offer, without repeats.
pub fn keys(profile: &Profile) -> Vec<i64> {
    let mut found: Vec<i64> = keys_by_rule(profile).map(|(_, key)| key).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The keys with the rule that gave each.
pub fn keys_by_rule(profile: &Profile) -> impl Iterator<Item = (&'static str, i64)> {
    use schema::SpecEnum;
    let offer = profile.offer_type.map_or(u64::MAX, |offer| u64::from(offer.code()));
    RULES.iter().enumerate().flat_map(move |(place, rule)| {
        let bound = mixed(offer, place as u64);
        (rule.keys)(profile).into_iter().map(move |key| (rule.name, mixed(bound, key).cast_signed()))
    })
}

fn mixed(one: u64, other: u64) -> u64 {
    let value = (one ^ other.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (value ^ (value >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ other
}

/// Two overlapping bands of about a tenth: sizes within 5 % share at least one.
fn size_bands(profile: &Profile) -> impl Iterator<Item = u64> {
    profile.size().filter(|size| *size > 0.0).into_iter().flat_map(|size| {
        let place = size.ln() / 0.1;
        [place.floor() as u64 * 2, (place + 0.5).floor() as u64 * 2 + 1]
    })
}

fn address_point(profile: &Profile) -> Vec<Hash> {
    profile.place.address_point.map(i64::cast_unsigned).into_iter().collect()
}

fn house_number(profile: &Profile) -> Vec<Hash> {
    let place = &profile.place;
    let road = place.street.map(|street| street.bare).or(place.quarter).or(place.municipality);
    let Some(road) = road else { return Vec::new() };
    place.numbers().map(|number| mixed(road, number)).collect()
}

fn street_and_size(profile: &Profile) -> Vec<Hash> {
    let Some(street) = profile.place.street else { return Vec::new() };
    size_bands(profile).map(|band| mixed(street.bare, band)).collect()
}

/// Cells of 0.7 km² and, near an edge, the next one; only pins that are not the middle of an area.
fn cell_and_size(profile: &Profile) -> Vec<Hash> {
    let Some(pin) = profile.place.pin.filter(|_| profile.place.precision.may_mark_property()) else {
        return Vec::new();
    };
    let bands: Vec<u64> = size_bands(profile).collect();
    let cells = cells(pin, Resolution::Eight, 200.0);
    cells.iter().flat_map(|cell| bands.iter().map(|band| mixed(*cell, *band))).collect()
}

fn quarter_and_size(profile: &Profile) -> Vec<Hash> {
    let Some(quarter) = profile.place.quarter else { return Vec::new() };
    let rooms = profile.best_arrangement().and_then(schema::Arrangement::rooms).map_or(99, u64::from);
    size_bands(profile).map(|band| mixed(mixed(quarter, band), rooms)).collect()
}

fn municipality_and_size(profile: &Profile) -> Vec<Hash> {
    let Some(municipality) = profile.place.municipality else { return Vec::new() };
    let mut figures = match profile.size() {
        Some(size) => vec![size.floor() as u64, size.round() as u64],
        None => profile
            .marks
            .areas
            .iter()
            .rev()
            .map(|area| u64::from(*area) / 10)
            .filter(|area| *area >= 15)
            .take(3)
            .collect(),
    };
    figures.dedup();
    let rooms = profile.best_arrangement().and_then(schema::Arrangement::rooms).map_or(99, u64::from);
    let coarse = figures.iter().map(|figure| mixed(municipality, *figure));
    let fine = figures.iter().map(|figure| mixed(mixed(municipality, *figure), rooms + 1_000));
    coarse.chain(fine).collect()
}

fn municipality_and_price(profile: &Profile) -> Vec<Hash> {
    let Some(municipality) = profile.place.municipality else { return Vec::new() };
    let coarse = profile.prices.iter().take(4).map(|point| mixed(municipality, point.price_total as u64));
    let size = profile.size().map_or(0, |size| size.round() as u64);
    let fine = profile
        .prices
        .iter()
        .take(2)
        .map(|point| mixed(mixed(municipality, point.price_total as u64), size + 1));
    coarse.chain(fine).collect()
}

/// For portals that know only the post office: the district with two exact figures, or with an exact plot.
fn district_size_and_price(profile: &Profile) -> Vec<Hash> {
    let Some(district) = profile.place.district.map(u64::from) else { return Vec::new() };
    let prices = profile.size().into_iter().flat_map(|size| {
        let within = mixed(district, size.round() as u64);
        profile.prices.iter().take(3).map(move |point| mixed(within, point.price_total as u64))
    });
    let plots = plots(profile).map(|plot| mixed(district, plot + 1_000_000_000));
    prices.chain(plots).collect()
}

/// For pins that mark no more than a post office: cells of 250 km² and, within 4 km of an edge, the next one, with an
/// exact plot or with size and price.
fn wide_cell_and_figures(profile: &Profile) -> Vec<Hash> {
    let cells = profile.place.pin.map(|pin| cells(pin, Resolution::Five, 4_000.0)).unwrap_or_default();
    let plot = profile.land_area.map(|plot| plot.round() as u64 + 1_000_000_000);
    let unit = profile.size().zip(profile.prices.last());
    let unit = unit.map(|(size, point)| mixed(size.round() as u64, point.price_total as u64));
    let figures = [plot, unit];
    cells.iter().flat_map(|cell| figures.iter().flatten().map(|figure| mixed(*cell, *figure))).collect()
}

/// The cell of a pin, and the next ones whose middle is less than `slack` metres farther than that of its own.
fn cells(pin: Location, resolution: Resolution, slack: f64) -> Vec<u64> {
    let Ok(point) = LatLng::new(pin.lat, pin.lng) else { return Vec::new() };
    let cell = point.to_cell(resolution);
    let own = point.distance_m(LatLng::from(cell));
    let near = |next: &h3o::CellIndex| *next == cell || point.distance_m(LatLng::from(*next)) - own < slack;
    cell.grid_disk::<Vec<_>>(1).into_iter().filter(near).map(u64::from).collect()
}

/// Plot areas that are stated or stand in the text, m².
fn plots(profile: &Profile) -> impl Iterator<Item = u64> {
    let stated = profile.land_area.map(|plot| plot.round() as u64);
    let in_text = profile
        .marks
        .areas
        .iter()
        .rev()
        .map(|area| u64::from(*area) / 10)
        .filter(|area| *area >= 200)
        .take(2);
    stated.into_iter().chain(in_text.filter(move |area| Some(*area) != stated))
}

fn municipality_and_plot(profile: &Profile) -> Vec<Hash> {
    let Some(municipality) = profile.place.municipality else { return Vec::new() };
    plots(profile).map(|plot| mixed(municipality, plot)).collect()
}

fn small_municipality(profile: &Profile) -> Vec<Hash> {
    let Some(municipality) = profile.place.municipality.filter(|_| profile.place.small) else {
        return Vec::new();
    };
    let land = u64::from(profile.property_type == Some(PropertyType::Land));
    vec![mixed(municipality, land)]
}

fn order_number(profile: &Profile) -> Vec<Hash> {
    profile.marks.orders.iter().map(|order| order.code).collect()
}

fn unit_or_parcel(profile: &Profile) -> Vec<Hash> {
    let Some(municipality) = profile.place.municipality else { return Vec::new() };
    let units = profile.marks.units.iter().map(|(_, code)| *code);
    units.chain(profile.marks.parcels.iter().copied()).map(|mark| mixed(municipality, mark)).collect()
}

fn text(profile: &Profile) -> Vec<Hash> {
    profile.sketch.bands().take(3).collect()
}

fn text_and_size(profile: &Profile) -> Vec<Hash> {
    let size = profile.size().map_or(0, |size| size.round() as u64);
    let floor = profile.best_floor().map_or_else(String::new, |floor| floor.to_string());
    let unit = mixed(size, hash(&[&floor]));
    profile.sketch.bands().take(2).map(|band| mixed(band, unit)).collect()
}
