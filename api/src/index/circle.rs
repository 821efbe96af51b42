//! A circle on the globe. The distance along the great circle decides; a box in degrees excludes most points cheaply.

use geo::Haversine;
use schema::Location;

/// All points within a distance of a centre, inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Circle {
    centre: Location,
    radius_meters: f64,
    lat: (f64, f64),
    lng: (f64, f64),
}

impl Circle {
    /// The circle of `radius_meters` around `centre`.
    pub fn new(centre: Location, radius_meters: f64) -> Self {
        // Slightly too large, so that rounding never excludes a point on the edge.
        let angle = radius_meters / Haversine.radius() * 1.000_001 + 1e-9;
        let lat = (
            centre.lat - angle.to_degrees(),
            centre.lat + angle.to_degrees(),
        );
        let around_a_pole = lat.0 <= -90.0 || lat.1 >= 90.0;
        let reach = (angle.sin() / centre.lat.to_radians().cos())
            .asin()
            .to_degrees();
        let lng = (centre.lng - reach, centre.lng + reach);
        let across_the_date_line = lng.0 < -180.0 || lng.1 > 180.0;
        Self {
            centre,
            radius_meters,
            lat,
            lng: if around_a_pole || across_the_date_line {
                (-180.0, 180.0)
            } else {
                lng
            },
        }
    }

    /// The smallest and largest latitude of its points, in degrees.
    pub(crate) fn lat(&self) -> (f64, f64) {
        self.lat
    }

    /// The smallest and largest longitude of its points, in degrees.
    pub(crate) fn lng(&self) -> (f64, f64) {
        self.lng
    }

    /// Whether a point is in the circle.
    pub(crate) fn contains(&self, location: Location) -> bool {
        self.centre.great_circle_metres_to(location) <= self.radius_meters
    }
}

#[cfg(test)]
mod tests {
    use geo::{Destination, Point};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_point_of_the_circle_is_inside_its_box(
            lat in -90.0..=90.0f64,
            lng in -180.0..=180.0f64,
            radius in 1.0..=100_000.0f64,
            bearing in 0.0..360.0f64,
            part in 0.0..=1.0f64,
        ) {
            let centre = Location { lat, lng };
            let circle = Circle::new(centre, radius);
            let there = Haversine.destination(Point::new(lng, lat), bearing, radius * part);
            let there = Location { lat: there.y(), lng: there.x() };
            if circle.contains(there) {
                prop_assert!((circle.lat().0..=circle.lat().1).contains(&there.lat));
                prop_assert!((circle.lng().0..=circle.lng().1).contains(&there.lng));
            }
        }
    }

    #[test]
    fn the_distance_is_in_metres() {
        let prague = Location {
            lat: 50.0755,
            lng: 14.4378,
        };
        let brno = Location {
            lat: 49.1951,
            lng: 16.6068,
        };
        assert!(Circle::new(prague, 185_500.0).contains(brno));
        assert!(!Circle::new(prague, 183_000.0).contains(brno));
    }
}
