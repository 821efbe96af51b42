//! Maps without a network: the address places of the registry draw the country and the houses around a pair.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gazetteer::registry::Registry;
use schema::Location;

use super::{at, escaped};

/// The frame of the country, in degrees.
const WEST: f64 = 12.0;
const EAST: f64 = 18.95;
const NORTH: f64 = 51.1;
const SOUTH: f64 = 48.5;
/// A degree of longitude is this much of a degree of latitude in the middle of the country.
const ASPECT: f64 = 0.645;
const COUNTRY_WIDTH: f64 = 640.0;
const COUNTRY_HEIGHT: f64 = COUNTRY_WIDTH * (NORTH - SOUTH) / ((EAST - WEST) * ASPECT);

fn on_country(place: Location) -> (f64, f64) {
    (
        (place.lng - WEST) / (EAST - WEST) * COUNTRY_WIDTH,
        (NORTH - place.lat) / (NORTH - SOUTH) * COUNTRY_HEIGHT,
    )
}

/// The country as an image: a dot for each spot of about three kilometres with an address place, or the towns of the
/// built-in list without a registry.
pub(crate) fn country_background(registry: Option<&Registry>) -> String {
    const CELL: f64 = 4.0;
    let mut cells: BTreeSet<(i32, i32)> = BTreeSet::new();
    let mut add = |place: Location| {
        let (x, y) = on_country(place);
        cells.insert(((y / CELL).floor() as i32, (x / CELL).floor() as i32));
    };
    if let Some(registry) = registry {
        for municipality in registry.municipalities() {
            let places = registry.places_in(municipality.places.clone());
            places
                .filter_map(|(_, place)| place.location)
                .for_each(&mut add);
        }
    } else {
        gazetteer::towns::towns()
            .iter()
            .map(|town| town.location)
            .for_each(&mut add);
    }
    let mut path = String::new();
    for (row, column) in cells {
        let _ = write!(
            path,
            "M{} {}h3",
            f64::from(column) * CELL,
            f64::from(row) * CELL + 2.0
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {COUNTRY_WIDTH} {}\">\
         <path d=\"{path}\" stroke=\"#8a94a0\" stroke-opacity=\".45\" stroke-width=\"3\"/></svg>",
        at(COUNTRY_HEIGHT)
    )
}

/// A place on the map of the country, with a link.
pub(crate) struct Marker {
    pub(crate) place: Location,
    pub(crate) name: String,
    pub(crate) link: String,
}

/// A map of the country.
pub(crate) struct CountryMap<'a> {
    pub(crate) markers: &'a [Marker],
    /// The centre of a search and its radius in metres.
    pub(crate) circle: Option<(Location, f64)>,
    pub(crate) name: &'a str,
}

/// The markers on the outline of the country; empty without markers.
pub(crate) fn country_map(map: &CountryMap<'_>) -> String {
    if map.markers.is_empty() && map.circle.is_none() {
        return String::new();
    }
    let mut drawn = String::new();
    if let Some((centre, metres)) = map.circle {
        let (x, y) = on_country(centre);
        let radius = metres / 111_195.0 / (NORTH - SOUTH) * COUNTRY_HEIGHT;
        let _ = write!(
            drawn,
            "<circle class=\"radius\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
            at(x),
            at(y),
            at(radius.max(3.0))
        );
    }
    for marker in map.markers {
        let (x, y) = on_country(marker.place);
        let _ = write!(
            drawn,
            "<a href=\"{}\"><circle class=\"pin\" cx=\"{}\" cy=\"{}\" r=\"4\"><title>{}</title></circle></a>",
            escaped(&marker.link),
            at(x),
            at(y),
            escaped(&marker.name)
        );
    }
    format!(
        "<svg class=\"map\" viewBox=\"0 0 {COUNTRY_WIDTH} {h}\" role=\"group\" aria-label=\"{}\">\
         <image href=\"/country.svg\" width=\"{COUNTRY_WIDTH}\" height=\"{h}\"/>{drawn}</svg>",
        escaped(map.name),
        h = at(COUNTRY_HEIGHT)
    )
}

/// The pins of two adverts, with the radius in metres that each may be off, and the houses around them.
pub(crate) fn pair_map(
    pins: &[(Location, f64, String)],
    registry: Option<&Registry>,
    name: &str,
) -> String {
    const SIZE: f64 = 320.0;
    /// The most houses that are drawn.
    const HOUSES: usize = 3_000;
    let Some((first, ..)) = pins.first() else {
        return String::new();
    };
    let count = pins.len() as f64;
    let sum = |part: fn(Location) -> f64| pins.iter().map(|(pin, ..)| part(*pin)).sum::<f64>();
    let centre = Location {
        lat: sum(|pin| pin.lat) / count,
        lng: sum(|pin| pin.lng) / count,
    };
    let apart = first.metres_to(centre);
    let off = pins.iter().map(|(_, off, _)| *off).fold(0.0, f64::max);
    let reach = (apart * 1.3 + off.min(1_500.0) * 1.2).clamp(120.0, 60_000.0);
    let scale = SIZE / 2.0 / reach;
    let narrow = centre.lat.to_radians().cos();
    let on_map = |place: Location| {
        (
            SIZE / 2.0 + (place.lng - centre.lng) * 111_195.0 * narrow * scale,
            SIZE / 2.0 - (place.lat - centre.lat) * 111_195.0 * scale,
        )
    };
    let houses = registry.map_or_else(Vec::new, |registry| houses(registry, centre, reach * 1.45));
    let mut path = String::new();
    let every = houses.len().div_ceil(HOUSES).max(1);
    for house in houses.iter().step_by(every) {
        let (x, y) = on_map(*house);
        let _ = write!(path, "M{} {}h.1", at(x), at(y));
    }
    let mut drawn = format!("<path class=\"houses\" d=\"{path}\"/>");
    for (place, (pin, off, name)) in pins.iter().enumerate() {
        let (x, y) = on_map(*pin);
        let _ = write!(
            drawn,
            "<g class=\"side{place}\"><circle class=\"precision\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>\
             <circle class=\"pin\" cx=\"{x}\" cy=\"{y}\" r=\"5\"><title>{}</title></circle></g>",
            at((off * scale).min(SIZE)),
            escaped(name),
            x = at(x),
            y = at(y),
        );
    }
    let bar = scale_bar(reach);
    let _ = write!(
        drawn,
        "<path class=\"scale\" d=\"M10 {y}h{}\"/><text class=\"axis\" x=\"10\" y=\"{}\">{}</text>",
        at(bar * scale),
        at(SIZE - 16.0),
        if bar >= 1000.0 {
            format!("{} km", bar / 1000.0)
        } else {
            format!("{bar} m")
        },
        y = at(SIZE - 10.0),
    );
    format!(
        "<svg class=\"map\" viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" aria-label=\"{}\">{drawn}</svg>",
        escaped(name)
    )
}

/// A round length of about a third of the map.
fn scale_bar(reach: f64) -> f64 {
    let steps = [
        50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0,
    ];
    let fits = |step: &f64| *step <= reach * 0.8;
    steps.into_iter().rfind(fits).unwrap_or(50.0)
}

/// The address places around a point.
fn houses(registry: &Registry, centre: Location, metres: f64) -> Vec<Location> {
    let near = |place: &Location| place.metres_to(centre) <= metres;
    // No municipality of the country reaches farther from its middle.
    let reaches = |middle: Location| middle.metres_to(centre) <= metres + 25_000.0;
    let municipalities = registry.municipalities().iter();
    let municipalities = municipalities.filter(|one| one.position.is_none_or(reaches));
    let places = municipalities.flat_map(|one| registry.places_in(one.places.clone()));
    places
        .filter_map(|(_, place)| place.location)
        .filter(near)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_without_a_registry_still_has_its_pins() {
        let pin = |lat| Location { lat, lng: 14.4 };
        let pins = [
            (pin(50.0), 20.0, "a/1 <b>".to_owned()),
            (pin(50.001), 200.0, "b/2".to_owned()),
        ];
        let drawn = pair_map(&pins, None, "map");
        assert_eq!(drawn.matches("class=\"pin\"").count(), 2);
        assert!(drawn.contains("a/1 &lt;b&gt;"), "{drawn}");
        assert_eq!(pair_map(&[], None, "map"), "");
    }
}
