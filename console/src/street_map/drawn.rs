//! Drawing the tiles of a view.

use std::f64::consts::PI;
use std::fmt::Write as _;

use schema::Location;

use super::archive::{StreetMap, StreetMapError};
use super::tile::{self, Layer, Shape};
use crate::drawing::{View, at};

/// The circumference of the Earth at the equator, in metres.
const EQUATOR: f64 = 40_075_016.7;
/// The most bytes of one kind of thing: a picture stays below a few hundred kilobytes.
const MOST: usize = 120_000;
/// Points that are closer than this many pixels are left out.
const NEAR: f64 = 0.7;

/// What is drawn, in the order in which it is painted. The colours suit a light and a dark page, because a picture cannot
/// follow the page's theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    Green,
    Water,
    Waterway,
    Building,
    Road,
    MainRoad,
}

impl Paint {
    const ALL: [Self; 6] = [
        Self::Green,
        Self::Water,
        Self::Waterway,
        Self::Building,
        Self::Road,
        Self::MainRoad,
    ];

    fn attributes(self) -> &'static str {
        match self {
            Self::Green => "fill=\"#5f9e5f\" fill-opacity=\".22\" fill-rule=\"evenodd\"",
            Self::Water => "fill=\"#4f8fc4\" fill-opacity=\".4\" fill-rule=\"evenodd\"",
            Self::Waterway => "fill=\"none\" stroke=\"#4f8fc4\" stroke-opacity=\".6\"",
            Self::Building => "fill=\"#8a94a0\" fill-opacity=\".35\" fill-rule=\"evenodd\"",
            Self::Road => "fill=\"none\" stroke=\"#8a94a0\" stroke-opacity=\".7\"",
            Self::MainRoad => {
                "fill=\"none\" stroke=\"#c9963c\" stroke-width=\"2.2\" stroke-opacity=\".8\""
            }
        }
    }

    /// How a shape is drawn, by the names that OpenMapTiles, Protomaps and Shortbread use.
    fn of(layer: &str, shape: &Shape<'_>) -> Option<Self> {
        let is_main = [
            "motorway",
            "trunk",
            "primary",
            "secondary",
            "highway",
            "major_road",
        ]
        .contains(&shape.class);
        let is_green = [
            "wood",
            "forest",
            "grass",
            "grassland",
            "park",
            "meadow",
            "scrub",
            "garden",
            "cemetery",
            "orchard",
            "nature_reserve",
        ]
        .contains(&shape.class);
        Some(match (layer, shape.is_area) {
            ("water" | "ocean" | "water_polygons", true) => Self::Water,
            ("water" | "waterway" | "water_lines", false) => Self::Waterway,
            ("building" | "buildings", true) => Self::Building,
            ("transportation" | "roads" | "streets", false) if is_main => Self::MainRoad,
            ("transportation" | "roads" | "streets", false) => Self::Road,
            ("park", true) => Self::Green,
            ("landcover" | "landuse" | "land", true) if is_green => Self::Green,
            _ => return None,
        })
    }
}

/// The streets of a view as a picture.
pub(crate) fn drawn(map: &StreetMap, view: &View) -> Result<String, StreetMapError> {
    let mut paths = [const { String::new() }; Paint::ALL.len()];
    for (zoom, x, y) in tiles(map.zooms, view) {
        let Some(bytes) = map.tile(zoom, x, y)? else {
            continue;
        };
        for layer in tile::layers(&bytes) {
            draw_layer(&layer, (zoom, x, y), view, &mut paths);
        }
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\">",
        View::SIZE
    );
    for (paint, path) in Paint::ALL.into_iter().zip(paths) {
        if !path.is_empty() {
            let _ = write!(svg, "<path {} d=\"{path}\"/>", paint.attributes());
        }
    }
    svg.push_str("</svg>");
    Ok(svg)
}

/// The tiles that cover a view: at most three by three.
fn tiles((least, most): (u8, u8), view: &View) -> Vec<(u8, u32, u32)> {
    let width = EQUATOR * view.centre.lat.to_radians().cos();
    let fitting = (width / view.reach).log2().floor().clamp(0.0, 30.0) as u8;
    let zoom = fitting.min(most);
    if zoom < least {
        return Vec::new();
    }
    let (north_west, south_east) = view.corners();
    let (left, top) = tile_at(zoom, north_west);
    let (right, bottom) = tile_at(zoom, south_east);
    let rows = top..=bottom;
    rows.flat_map(|y| (left..=right).map(move |x| (zoom, x, y)))
        .collect()
}

/// The tile at a place, by the web's Mercator projection.
fn tile_at(zoom: u8, place: Location) -> (u32, u32) {
    let side = f64::from(1_u32 << zoom);
    let lat = place.lat.to_radians();
    let x = (place.lng + 180.0) / 360.0;
    let y = (1.0 - lat.tan().asinh() / PI) / 2.0;
    let tile = |share: f64| (share * side).floor().clamp(0.0, side - 1.0) as u32;
    (tile(x), tile(y))
}

/// The place of a point of a tile, given as shares of the whole map.
fn place_of(x: f64, y: f64) -> Location {
    Location {
        lat: (PI * (1.0 - 2.0 * y)).sinh().atan().to_degrees(),
        lng: x * 360.0 - 180.0,
    }
}

fn draw_layer(
    layer: &Layer<'_>,
    (zoom, x, y): (u8, u32, u32),
    view: &View,
    paths: &mut [String; Paint::ALL.len()],
) {
    let side = f64::from(1_u32 << zoom);
    let on_map = |(right, down): &(f64, f64)| {
        let place = place_of(
            (f64::from(x) + right / layer.extent) / side,
            (f64::from(y) + down / layer.extent) / side,
        );
        view.place(place)
    };
    for shape in &layer.shapes {
        let Some(paint) = Paint::of(layer.name, shape) else {
            continue;
        };
        let Some(path) = paths.get_mut(paint as usize) else {
            continue;
        };
        for part in &shape.parts {
            let points: Vec<(f64, f64)> = part.iter().map(on_map).collect();
            if path.len() < MOST && reaches_into(&points) {
                push(path, &points, shape.is_area);
            }
        }
    }
}

/// Whether the box around these points and the view overlap.
fn reaches_into(points: &[(f64, f64)]) -> bool {
    let overlaps = |of: fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        low <= View::SIZE && high >= 0.0
    };
    overlaps(|point| point.0) && overlaps(|point| point.1)
}

fn push(path: &mut String, points: &[(f64, f64)], is_area: bool) {
    let mut last: Option<(f64, f64)> = None;
    for (place, (x, y)) in points.iter().enumerate() {
        let is_near = |(before, above): (f64, f64)| (x - before).hypot(y - above) < NEAR;
        if last.is_some_and(is_near) && place + 1 < points.len() {
            continue;
        }
        let command = if last.is_none() { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", at(*x), at(*y));
        last = Some((*x, *y));
    }
    if is_area {
        path.push('z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_needs_few_tiles_at_any_zoom() {
        let centre = Location {
            lat: 49.7,
            lng: 15.3,
        };
        for reach in [120.0, 900.0, 7_000.0, 60_000.0] {
            let wanted = tiles((0, 20), &View { centre, reach });
            assert!((1..=9).contains(&wanted.len()), "{reach}: {wanted:?}");
        }
        assert_eq!(
            tiles(
                (14, 15),
                &View {
                    centre,
                    reach: 60_000.0
                }
            ),
            []
        );
    }

    #[test]
    fn a_place_is_in_its_tile() {
        let place = Location {
            lat: 50.0875,
            lng: 14.4213,
        };
        // The Old Town Square, as any map on the web numbers its tile.
        assert_eq!(tile_at(14, place), (8848, 5550));
        let corner = place_of(8848.0 / 16_384.0, 5550.0 / 16_384.0);
        assert!(
            corner.lat > place.lat && corner.lng < place.lng,
            "{corner:?}"
        );
    }
}
