//! The map of the country, without a network: the published boundaries of regions and districts draw it, or else the address
//! places of the registry, or else the built-in towns.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gazetteer::registry::{Outline, OutlineKind, Registry};
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

/// The country as an image: the boundaries, or else a dot for each spot of about three kilometres with an address place, or
/// with a town of the built-in list.
pub(crate) fn country_background(registry: Option<&Registry>) -> String {
    let drawn = match registry {
        Some(registry) if !registry.outlines().is_empty() => boundaries(registry),
        _ => dots(registry),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {COUNTRY_WIDTH} {}\">{drawn}</svg>",
        at(COUNTRY_HEIGHT)
    )
}

/// The boundaries of districts, and thicker ones of regions. Points closer than two pixels are left out.
fn boundaries(registry: &Registry) -> String {
    const NEAR: f64 = 2.0;
    let path = |kind: OutlineKind| {
        let mut path = String::new();
        let outlines = registry.outlines().iter();
        for ring in outlines
            .filter(|one| one.kind == kind)
            .flat_map(Outline::rings)
        {
            let mut last: Option<(f64, f64)> = None;
            for place in ring {
                let (x, y) = on_country(place);
                let is_near = |(before, above): (f64, f64)| (x - before).hypot(y - above) < NEAR;
                if last.is_some_and(is_near) {
                    continue;
                }
                let command = if last.is_none() { 'M' } else { 'L' };
                let _ = write!(path, "{command}{} {}", at(x), at(y));
                last = Some((x, y));
            }
            path.push('z');
        }
        path
    };
    let stroke = "fill=\"none\" stroke=\"#8a94a0\" stroke-linejoin=\"round\"";
    format!(
        "<path d=\"{}\" {stroke} stroke-opacity=\".5\" stroke-width=\".7\"/>\
         <path d=\"{}\" {stroke} stroke-width=\"1.6\"/>",
        path(OutlineKind::District),
        path(OutlineKind::Region)
    )
}

fn dots(registry: Option<&Registry>) -> String {
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
    format!("<path d=\"{path}\" stroke=\"#8a94a0\" stroke-opacity=\".45\" stroke-width=\"3\"/>")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_draw_the_country_if_they_were_imported() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("jeden.gazetteer");
        let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ruian");
        let files = [fixtures.join("20260630_OB_599901_ADR.csv")];
        gazetteer::registry::import(&files, &target, &|_| ()).unwrap();
        let dotted = country_background(Some(&Registry::open(&target).unwrap()));
        assert!(!dotted.contains('z'), "{dotted}");
        let files = [fixtures.join("20260630_ST_UKSG.xml")];
        gazetteer::registry::import(&files, &target, &|_| ()).unwrap();
        let drawn = country_background(Some(&Registry::open(&target).unwrap()));
        assert_eq!(
            drawn.matches('z').count(),
            4,
            "three rings and one: {drawn}"
        );
        assert!(country_background(None).contains("h3"), "the towns");
    }
}
