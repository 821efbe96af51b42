//! A piece of the country on a square map.

use schema::Location;

/// How many metres a degree of latitude has.
const DEGREE: f64 = 111_195.0;

/// A square around a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct View {
    pub(crate) centre: Location,
    /// From the centre to the edge, in metres.
    pub(crate) reach: f64,
}

impl View {
    /// The width of the map in its own units.
    pub(crate) const SIZE: f64 = 320.0;

    /// The units of a metre.
    pub(crate) fn scale(&self) -> f64 {
        Self::SIZE / 2.0 / self.reach
    }

    /// Where a place is on the map.
    pub(crate) fn place(&self, place: Location) -> (f64, f64) {
        let narrow = self.centre.lat.to_radians().cos();
        let middle = Self::SIZE / 2.0;
        (
            middle + (place.lng - self.centre.lng) * DEGREE * narrow * self.scale(),
            middle - (place.lat - self.centre.lat) * DEGREE * self.scale(),
        )
    }

    /// The north-western and the south-eastern corner.
    pub(crate) fn corners(&self) -> (Location, Location) {
        let lat = self.reach / DEGREE;
        let lng = lat / self.centre.lat.to_radians().cos();
        let Location {
            lat: middle,
            lng: centre,
        } = self.centre;
        (
            Location {
                lat: middle + lat,
                lng: centre - lng,
            },
            Location {
                lat: middle - lat,
                lng: centre + lng,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_are_at_the_edges() {
        let view = View {
            centre: Location {
                lat: 50.0,
                lng: 14.4,
            },
            reach: 500.0,
        };
        let (north_west, south_east) = view.corners();
        let (x, y) = view.place(north_west);
        assert!(x.abs() < 1e-6 && y.abs() < 1e-6, "{x} {y}");
        let (x, y) = view.place(south_east);
        assert!(
            (x - View::SIZE).abs() < 1e-6 && (y - View::SIZE).abs() < 1e-6,
            "{x} {y}"
        );
    }
}
