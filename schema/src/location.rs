//! Distances between two points of the map.
//!
//! There are two formulas, because matching measures millions of pairs that are close together, and the API answers for
//! circles anywhere on the globe. [`Location::metres_to`] takes about half the time;
//! [`Location::great_circle_metres_to`] is exact on the sphere at any distance.

use geo::{Distance, Haversine, Point};

use crate::Location;

/// Metres in a degree of latitude.
pub const METRES_PER_DEGREE: f64 = 111_195.0;

impl Location {
    /// The distance in metres, measured on a plane. Within the country this is off by less than a thousandth.
    pub fn metres_to(self, other: Self) -> f64 {
        let middle = f64::midpoint(self.lat, other.lat).to_radians();
        let north = (self.lat - other.lat) * METRES_PER_DEGREE;
        let east = (self.lng - other.lng) * METRES_PER_DEGREE * middle.cos();
        north.hypot(east)
    }

    /// [`Location::metres_to`] in kilometres.
    pub fn kilometres_to(self, other: Self) -> f64 {
        self.metres_to(other) / 1000.0
    }

    /// The distance in metres along the great circle.
    pub fn great_circle_metres_to(self, other: Self) -> f64 {
        let point = |location: Self| Point::new(location.lng, location.lat);
        Haversine.distance(point(self), point(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formulas_agree_within_the_country() {
        let towns = [
            (50.0755, 14.4378),
            (49.1951, 16.6068),
            (49.8209, 18.2625),
            (50.2304, 12.8712),
            (48.9745, 14.4743),
            (50.0760, 14.4378),
        ];
        let towns = towns.map(|(lat, lng)| Location { lat, lng });
        for one in towns {
            for other in towns {
                let (plane, sphere) = (one.metres_to(other), one.great_circle_metres_to(other));
                assert!(
                    (plane - sphere).abs() <= sphere / 1000.0,
                    "{one:?} {other:?}: {plane} {sphere}"
                );
            }
        }
        let prague_to_brno = towns[0].great_circle_metres_to(towns[1]);
        assert!((183_000.0..185_500.0).contains(&prague_to_brno));
    }
}
