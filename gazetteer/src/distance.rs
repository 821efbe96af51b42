//! Distances on the map.

use schema::Location;

/// Kilometres in a degree of latitude.
pub(crate) const KM_PER_DEGREE: f64 = 111.2;

/// Kilometres between two points. Flat-earth: within the country the error is below a hundredth of the distance.
pub(crate) fn kilometres(a: Location, b: Location) -> f64 {
    let middle = f64::midpoint(a.lat, b.lat).to_radians();
    let north = (a.lat - b.lat) * KM_PER_DEGREE;
    let east = (a.lng - b.lng) * KM_PER_DEGREE * middle.cos();
    north.hypot(east)
}
