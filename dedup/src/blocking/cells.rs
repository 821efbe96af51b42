//! Cells of the map (H3).

use h3o::{CellIndex, LatLng, Resolution};
use schema::Location;

/// The cell of a pin, and the next ones whose middle is less than `slack` metres farther than that of its own.
pub fn cells(pin: Location, resolution: Resolution, slack: f64) -> Vec<u64> {
    let Ok(point) = LatLng::new(pin.lat, pin.lng) else { return Vec::new() };
    let cell = point.to_cell(resolution);
    let own = point.distance_m(LatLng::from(cell));
    // Neighbouring middles lie at least this far apart, cells being of unequal size; near its own middle, a pin has no
    // other within the slack, and most pins need no look at the neighbours.
    let apart = resolution.edge_length_m() * 3f64.sqrt() * 0.8;
    if apart - 2.0 * own >= slack {
        return vec![u64::from(cell)];
    }
    let near = |next: &CellIndex| *next == cell || point.distance_m(LatLng::from(*next)) - own < slack;
    cell.grid_disk::<Vec<_>>(1).into_iter().filter(near).map(u64::from).collect()
}
