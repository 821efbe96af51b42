//! Drawing the tiles of a view.

use std::f64::consts::PI;
use std::fmt::Write as _;

use schema::Location;

use super::archive::{StreetMap, StreetMapError};
use super::paint::Paint;
use super::tile::{self, Layer};
use crate::drawing::View;

/// The circumference of the Earth at the equator, in metres.
const EQUATOR: f64 = 40_075_016.7;
/// The units of the picture in a unit of the map, so that all numbers in it are whole.
const FINER: f64 = 10.0;
/// Points that are closer than this many units of the picture are left out, and so are smaller areas.
const NEAR: f64 = 7.0;
/// The most bytes of a picture.
const MOST: usize = 250_000;

/// The paths of each kind of thing.
type Paths = [String; Paint::ALL.len()];

/// The streets of a view as a picture.
pub(crate) fn drawn(map: &StreetMap, view: &View) -> Result<String, StreetMapError> {
    let mut paths = Paths::default();
    for (zoom, x, y) in tiles(map.zooms, view) {
        if let Some(bytes) = map.tile(zoom, x, y)? {
            for layer in tile::layers(&bytes) {
                draw_layer(&layer, &TileOnMap::new(view, (zoom, x, y)), &mut paths);
            }
        }
    }
    leave_out_what_is_too_much(&mut paths);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\">",
        View::SIZE * FINER
    );
    for (paint, path) in Paint::ALL.into_iter().zip(paths) {
        if !path.is_empty() {
            let _ = write!(svg, "<path {} d=\"{path}\"/>", paint.attributes());
        }
    }
    svg.push_str("</svg>");
    Ok(svg)
}

/// Leaves whole kinds of things out: half of the buildings would look as if there were no others.
fn leave_out_what_is_too_much(paths: &mut Paths) {
    let mut total = 0;
    for paint in Paint::MOST_NEEDED_FIRST {
        let path = &mut paths[paint as usize];
        if total + path.len() > MOST {
            path.clear();
        }
        total += path.len();
    }
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

/// Where a tile is in the picture.
struct TileOnMap {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl TileOnMap {
    fn new(view: &View, (zoom, x, y): (u8, u32, u32)) -> Self {
        let side = f64::from(1_u32 << zoom);
        let corner =
            |x: u32, y: u32| view.place(place_of(f64::from(x) / side, f64::from(y) / side));
        let ((left, top), (right, bottom)) = (corner(x, y), corner(x + 1, y + 1));
        Self {
            left: left * FINER,
            top: top * FINER,
            width: (right - left) * FINER,
            height: (bottom - top) * FINER,
        }
    }

    /// The place of a point that is given as shares of the tile. Within a tile, the projection of the tiles differs from that
    /// of the view by less than a pixel.
    fn place(&self, right: f64, down: f64) -> (f64, f64) {
        (
            self.left + right * self.width,
            self.top + down * self.height,
        )
    }
}

fn draw_layer(layer: &Layer<'_>, tile: &TileOnMap, paths: &mut Paths) {
    for shape in &layer.shapes {
        let Some(paint) = Paint::of_shape(layer.name, shape) else {
            continue;
        };
        let path = &mut paths[paint as usize];
        // It will be left out.
        if path.len() > MOST {
            continue;
        }
        for part in &shape.parts {
            let points = part
                .iter()
                .map(|(right, down)| tile.place(right / layer.extent, down / layer.extent));
            let points: Vec<(f64, f64)> = points.collect();
            if is_worth_drawing(&points, shape.is_area) {
                push(path, &points, shape.is_area);
            }
        }
    }
}

/// Whether the box around these points overlaps the view, and is not too small an area to see.
fn is_worth_drawing(points: &[(f64, f64)], is_area: bool) -> bool {
    let span = |of: fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        (low, high)
    };
    let (across, down) = (span(|point| point.0), span(|point| point.1));
    let overlaps = |(low, high): (f64, f64)| low <= View::SIZE * FINER && high >= 0.0;
    let is_seen = |(low, high): (f64, f64)| high - low >= NEAR;
    overlaps(across) && overlaps(down) && (!is_area || is_seen(across) || is_seen(down))
}

/// Adds a line or a ring. After the first point, each is given by its distance from the one before.
fn push(path: &mut String, points: &[(f64, f64)], is_area: bool) {
    let mut last: Option<(i64, i64)> = None;
    for (place, (x, y)) in points.iter().enumerate() {
        let (x, y) = (x.round() as i64, y.round() as i64);
        let Some((before, above)) = last else {
            let _ = write!(path, "M{x} {y}");
            last = Some((x, y));
            continue;
        };
        let (right, down) = (x - before, y - above);
        let is_near = (right as f64).hypot(down as f64) < NEAR;
        if is_near && place + 1 < points.len() {
            continue;
        }
        let space = if down < 0 { "" } else { " " };
        let _ = write!(path, "l{right}{space}{down}");
        last = Some((x, y));
    }
    if is_area {
        path.push('z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_would_be_too_large_has_no_buildings_rather_than_some() {
        let of = |paint: Paint, paths: &Paths| paths[paint as usize].len();
        let mut paths = Paths::default();
        paths[Paint::Road as usize] = "r".repeat(MOST / 2);
        paths[Paint::MainRoad as usize] = "m".repeat(MOST / 4);
        paths[Paint::Building as usize] = "b".repeat(MOST / 2);
        leave_out_what_is_too_much(&mut paths);
        assert_eq!(of(Paint::Building, &paths), 0);
        assert_eq!(of(Paint::Road, &paths), MOST / 2);
        assert_eq!(of(Paint::MainRoad, &paths), MOST / 4);
    }

    #[test]
    fn points_are_whole_numbers_and_near_ones_are_left_out() {
        let mut path = String::new();
        push(
            &mut path,
            &[(10.2, 20.0), (11.0, 21.0), (40.0, 5.0), (41.0, 5.0)],
            true,
        );
        assert_eq!(path, "M10 20l30-15l1 0z");
    }

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
