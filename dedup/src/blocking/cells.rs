//! Cells of the map (H3).

use h3o::{CellIndex, LatLng, Resolution};
use schema::Location;
use schema::location::METRES_PER_DEGREE;

/// The cell of a pin, and the neighbouring cells whose centre is at most `slack` metres farther from
/// the pin than the centre of its own cell.
pub(super) fn cells(pin: Location, resolution: Resolution, slack: f64) -> Vec<u64> {
    let Ok(point) = LatLng::new(pin.lat, pin.lng) else {
        return Vec::new();
    };
    let cell = point.to_cell(resolution);
    let plane = Plane {
        origin: pin,
        east: METRES_PER_DEGREE * pin.lat.to_radians().cos(),
    };
    let middle = plane.middle(cell);
    let own = middle.distance();
    // The least distance between neighbouring centres; cells differ in size. A pin near the centre of
    // its cell has no neighbour within the slack, so most pins skip the search.
    let apart = resolution.edge_length_m() * 3f64.sqrt() * 0.8;
    let mut found = vec![u64::from(cell)];
    if apart - 2.0 * own < slack {
        let ring: Vec<CellIndex> = cell.grid_ring_fast(1).flatten().collect();
        let near = plane
            .middles(middle, &ring)
            .map(|next| next.distance() - own < slack);
        found.extend(
            ring.iter()
                .zip(near)
                .filter(|(_, near)| *near)
                .map(|(next, _)| u64::from(*next)),
        );
    }
    found
}

/// The surroundings of a pin, projected on a plane.
struct Plane {
    origin: Location,
    /// Metres in a degree of longitude.
    east: f64,
}

/// Metres from the pin.
#[derive(Clone, Copy)]
struct Step {
    east: f64,
    north: f64,
}

impl Step {
    fn distance(self) -> f64 {
        self.east.hypot(self.north)
    }

    fn and(self, other: Self, times: f64) -> Self {
        Self {
            east: self.east + times * other.east,
            north: self.north + times * other.north,
        }
    }
}

impl Plane {
    fn middle(&self, cell: CellIndex) -> Step {
        let middle = LatLng::from(cell);
        Step {
            east: (middle.lng() - self.origin.lng) * self.east,
            north: (middle.lat() - self.origin.lat) * METRES_PER_DEGREE,
        }
    }

    /// The centres of the cells around a cell, in the order of the ring. Cells form a lattice, so the
    /// first two centres determine the others.
    fn middles(&self, own: Step, ring: &[CellIndex]) -> impl Iterator<Item = Step> {
        let ends = ring.first().zip(ring.get(1));
        ends.into_iter().flat_map(move |(first, second)| {
            let (first, second) = (self.middle(*first), self.middle(*second));
            let opposite = |step: Step| own.and(own, 1.0).and(step, -1.0);
            let third = second.and(first, -1.0).and(own, 1.0);
            [
                first,
                second,
                third,
                opposite(first),
                opposite(second),
                opposite(third),
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_cells_are_those_with_centres_barely_farther() {
        for (resolution, slack) in [
            (Resolution::Five, 4_000.0),
            (Resolution::Seven, 600.0),
            (Resolution::Nine, 60.0),
        ] {
            for step in 0..200 {
                let pin = Location {
                    lat: 48.6 + f64::from(step) * 0.0117,
                    lng: 12.2 + f64::from(step) * 0.0313,
                };
                let point = LatLng::new(pin.lat, pin.lng).unwrap();
                let cell = point.to_cell(resolution);
                let farther = |next: &CellIndex| {
                    point.distance_m(LatLng::from(*next)) - point.distance_m(LatLng::from(cell))
                };
                let found = cells(pin, resolution, slack);
                for next in cell.grid_disk::<Vec<_>>(1) {
                    // On the edge of the slack the plane and the sphere may tell otherwise.
                    let edge = (farther(&next) - slack).abs() < 0.05 * slack;
                    let is_near = next == cell || farther(&next) < slack;
                    assert!(
                        edge || found.contains(&u64::from(next)) == is_near,
                        "{pin:?} {resolution} {next}"
                    );
                }
            }
        }
    }
}
