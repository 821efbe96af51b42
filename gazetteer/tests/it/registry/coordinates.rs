//! From the national grid to degrees.

use gazetteer::registry::{GridError, GridPoint};
use proptest::prelude::*;

/// Points of the grid and their positions according to PROJ 9.5.1 (inverse Krovak, EPSG:5239), in degrees.
#[rustfmt::skip]
const GOLDEN: [((f64, f64), (f64, f64)); 14] = [
    ((744_384.54, 1_042_569.73), (50.089_479_887_0, 14.398_605_628_8)),
    ((432_064.28, 1_120_000.0), (49.698_704_118_5, 18.836_668_763_3)),
    ((901_942.00, 1_020_000.0), (50.075_633_318_0, 12.174_613_768_6)),
    ((650_000.0, 936_371.33), (51.145_713_613_5, 15.527_331_061_0)),
    ((720_000.0, 1_219_794.01), (48.538_878_279_6, 15.053_487_161_3)),
    ((773_555.00, 999_234.00), (50.438_594_106_6, 13.908_465_719_3)),
    ((515_561.05, 1_166_540.03), (49.217_631_745_0, 17.743_926_698_3)),
    ((598_000.0, 1_160_000.0), (49.201_998_257_2, 16.609_095_125_4)),
    ((471_500.0, 1_101_000.0), (49.839_902_997_7, 18.269_486_127_6)),
    ((822_000.0, 1_070_000.0), (49.745_348_002_6, 13.383_698_955_3)),
    ((546_000.0, 1_121_000.0), (49.599_060_066_8, 17.266_326_481_3)),
    ((690_000.0, 1_063_000.0), (49.971_631_841_2, 15.188_593_730_4)),
    ((640_500.25, 1_143_200.75), (49.309_525_849_3, 16.003_127_989_3)),
    ((756_123.4, 1_165_432.1), (48.980_642_588_6, 14.469_038_076_7)),
];

/// Metres in a degree of latitude, and of longitude in the middle of the country.
const METRES: (f64, f64) = (111_200.0, 71_700.0);

#[test]
fn positions_agree_with_the_reference_to_a_millimetre() {
    for ((y, x), (lat, lng)) in GOLDEN {
        let found = GridPoint::from_distances(y, x).unwrap().to_wgs84();
        let off = ((found.lat - lat) * METRES.0).hypot((found.lng - lng) * METRES.1);
        assert!(off < 0.001, "Y {y} X {x} is {off} m off: {found:?}");
        assert_eq!(
            GridPoint::from_easting_northing(-y, -x).unwrap().to_wgs84(),
            found
        );
    }
}

#[test]
fn swapped_axes_and_wrong_signs_are_refused_with_the_reason() {
    let (y, x) = (744_384.54, 1_042_569.73);
    assert!(matches!(
        GridPoint::from_distances(x, y),
        Err(GridError::Swapped { .. })
    ));
    assert!(matches!(
        GridPoint::from_distances(-y, -x),
        Err(GridError::Sign { .. })
    ));
    assert!(matches!(
        GridPoint::from_easting_northing(y, x),
        Err(GridError::Sign { .. })
    ));
    assert!(matches!(
        GridPoint::from_easting_northing(-x, -y),
        Err(GridError::Swapped { .. })
    ));
    assert!(matches!(
        GridPoint::from_distances(14.4, 50.1),
        Err(GridError::Outside { .. })
    ));
    for nonsense in [f64::NAN, f64::INFINITY, 0.0] {
        assert!(GridPoint::from_distances(nonsense, x).is_err());
        assert!(GridPoint::from_distances(y, nonsense).is_err());
    }
}

/// Converts degrees to the grid in a different way than the code under test: by the published forward formulas of the
/// projection, after shifting the datum back by the inverse of the rotation.
#[expect(
    clippy::many_single_char_names,
    reason = "the letters of the published formulas"
)]
mod forward {
    const BESSEL: (f64, f64) = (6_377_397.155, 1.0 / 299.152_812_8);
    const WGS84: (f64, f64) = (6_378_137.0, 1.0 / 298.257_223_563);

    fn e2((_, flattening): (f64, f64)) -> f64 {
        flattening * (2.0 - flattening)
    }

    pub fn to_grid(lat: f64, lng: f64) -> (f64, f64) {
        let (lat, lng) = datum(lat.to_radians(), lng.to_radians());
        project(lat, lng)
    }

    /// WGS 84 to Bessel: the exact inverse of the shift with seven parameters.
    fn datum(lat: f64, lng: f64) -> (f64, f64) {
        let normal = WGS84.0 / (1.0 - e2(WGS84) * lat.sin().powi(2)).sqrt();
        let moved = [
            normal * lat.cos() * lng.cos() - 572.213,
            normal * lat.cos() * lng.sin() - 85.334,
            normal * (1.0 - e2(WGS84)) * lat.sin() - 461.94,
        ];
        let second = |seconds: f64| (seconds / 3600.0).to_radians();
        let (rx, ry, rz) = (second(4.9732), second(1.529), second(5.2484));
        let scale = 1.0 + 3.5378e-6;
        let [a, b, c] = moved.map(|value| value / scale);
        // Cramer's rule for the matrix [1 -rz ry; rz 1 -rx; -ry rx 1].
        let determinant = 1.0 + rx * rx + ry * ry + rz * rz;
        let x = (a * (1.0 + rx * rx) + b * (rz + rx * ry) + c * (rx * rz - ry)) / determinant;
        let y = (a * (rx * ry - rz) + b * (1.0 + ry * ry) + c * (rx + ry * rz)) / determinant;
        let z = (a * (ry + rx * rz) + b * (ry * rz - rx) + c * (1.0 + rz * rz)) / determinant;
        // Latitude by iteration rather than by Bowring's formula.
        let across = x.hypot(y);
        let mut latitude = z.atan2(across);
        for _ in 0..20 {
            let normal = BESSEL.0 / (1.0 - e2(BESSEL) * latitude.sin().powi(2)).sqrt();
            latitude = (z + e2(BESSEL) * normal * latitude.sin()).atan2(across);
        }
        (latitude, y.atan2(x))
    }

    fn project(lat: f64, lng: f64) -> (f64, f64) {
        let quarter = std::f64::consts::FRAC_PI_4;
        let e2 = e2(BESSEL);
        let e = e2.sqrt();
        let phi = 49.5_f64.to_radians();
        let alpha = (1.0 + (1.0 - e2).recip() * e2 * phi.cos().powi(4)).sqrt();
        let u0 = (phi.sin() / alpha).asin();
        let g = |phi: f64| ((1.0 + e * phi.sin()) / (1.0 - e * phi.sin())).powf(alpha * e / 2.0);
        let k = (u0 / 2.0 + quarter).tan() / (phi / 2.0 + quarter).tan().powf(alpha) * g(phi);
        let n0 = BESSEL.0 * (1.0 - e2).sqrt() / (1.0 - e2 * phi.sin().powi(2));
        let s0 = 78.5_f64.to_radians();
        let n = s0.sin();
        let rho0 = 0.9999 * n0 / s0.tan();
        let tilt = 30.288_139_752_777_8_f64.to_radians();
        let u = 2.0 * ((k * (lat / 2.0 + quarter).tan().powf(alpha) / g(lat)).atan() - quarter);
        let v = alpha * ((24.0 + 5.0 / 6.0_f64).to_radians() - lng);
        let s = (tilt.cos() * u.sin() + tilt.sin() * u.cos() * v.cos()).asin();
        let d = (u.cos() * v.sin() / s.cos()).asin();
        let rho = rho0 * ((s0 / 2.0 + quarter).tan() / (s / 2.0 + quarter).tan()).powf(n);
        ((n * d).sin() * rho, (n * d).cos() * rho)
    }
}

proptest! {
    #[test]
    fn a_round_trip_moves_a_point_by_less_than_a_millimetre(y in 432_000.0..902_000.0, x in 936_000.0..1_220_000.0) {
        let at = GridPoint::from_distances(y, x).unwrap().to_wgs84();
        let (back_y, back_x) = forward::to_grid(at.lat, at.lng);
        prop_assert!((back_y - y).hypot(back_x - x) < 0.001, "{y} {x} became {back_y} {back_x}");
    }

    #[test]
    fn any_pair_is_read_or_refused(y in any::<f64>(), x in any::<f64>()) {
        if let Ok(point) = GridPoint::from_distances(y, x) {
            let at = point.to_wgs84();
            prop_assert!((48.0..51.6).contains(&at.lat) && (11.5..19.5).contains(&at.lng), "{at:?}");
        }
        let _ = GridPoint::from_easting_northing(y, x);
    }
}
