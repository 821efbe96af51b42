//! Cells of the map (H3).

use h3o::{CellIndex, LatLng, Resolution};
use schema::Location;
use schema::location::METRES_PER_DEGREE;

use crate::hash::Hash;

/// A pin with its finest cell. Its cells of other sizes are the parents of that one: finding a cell from a pin costs
/// more than all the rest.
#[derive(Clone, Copy)]
pub(super) struct Pin {
    pin: Location,
    finest: CellIndex,
}

impl Pin {
    /// `None` if the coordinates are not finite.
    pub fn at(pin: Location) -> Option<Self> {
        let point = LatLng::new(pin.lat, pin.lng).ok()?;
        let finest = point.to_cell(Resolution::Nine);
        Some(Self { pin, finest })
    }

    /// The cell around the pin, and the neighbouring cells whose centre is at most `slack` metres farther from
    /// the pin than the centre of its own cell.
    pub fn cells(self, resolution: Resolution, slack: f64) -> impl Iterator<Item = Hash> {
        let own = self.finest.parent(resolution);
        own.into_iter().flat_map(move |cell| {
            let next = self.next_cells(cell, resolution, slack);
            std::iter::once(cell).chain(next).map(u64::from)
        })
    }

    fn next_cells(
        self,
        cell: CellIndex,
        resolution: Resolution,
        slack: f64,
    ) -> impl Iterator<Item = CellIndex> {
        let plane = Plane {
            origin: self.pin,
            east: METRES_PER_DEGREE * self.pin.lat.to_radians().cos(),
        };
        let middle = plane.middle(cell);
        let own = middle.distance();
        // The least distance between neighbouring centres; cells differ in size. A pin near the centre of
        // its cell has no neighbour within the slack, so most pins skip the search.
        let apart = resolution.edge_length_m() * 3f64.sqrt() * 0.8;
        let ring: Vec<CellIndex> = if apart - 2.0 * own < slack {
            cell.grid_ring_fast(1).flatten().collect()
        } else {
            Vec::new()
        };
        let middles: Vec<Step> = plane.middles(middle, &ring).collect();
        ring.into_iter()
            .zip(middles)
            .filter(move |(_, next)| next.distance() - own < slack)
            .map(|(next, _)| next)
    }
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
        (self.east * self.east + self.north * self.north).sqrt()
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
                let cell = point.to_cell(Resolution::Nine).parent(resolution).unwrap();
                let farther = |next: &CellIndex| {
                    point.distance_m(LatLng::from(*next)) - point.distance_m(LatLng::from(cell))
                };
                let found: Vec<u64> = Pin::at(pin).unwrap().cells(resolution, slack).collect();
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
