//! Positions in degrees, minutes and seconds: `50°03'46.7"N,14°43'41.5"E`.

use schema::Location;

/// The precision of the result: six decimal places. The last place is 0.1 m; a tenth of a second is 3 m.
const PLACES: f64 = 1e6;

/// Parses a latitude and a longitude.
pub(crate) fn parse_position(text: &str) -> Option<Location> {
    let (lat, lng) = text.split_once(',')?;
    Some(Location {
        lat: degrees(lat, ['N', 'S'])?,
        lng: degrees(lng, ['E', 'W'])?,
    })
}

/// Parses `50°03'46.7"N`. Seconds may be missing, or be 60. The second of the two directions is negative.
fn degrees(text: &str, [positive, negative]: [char; 2]) -> Option<f64> {
    let text = text.trim();
    let sign = match text.chars().next_back()? {
        direction if direction == positive => 1.0,
        direction if direction == negative => -1.0,
        _ => return None,
    };
    let (degrees, rest) = text
        .trim_end_matches([positive, negative])
        .split_once('°')?;
    let (minutes, seconds) = rest.split_once('\'')?;
    let seconds = Some(seconds.trim_end_matches('"').trim()).filter(|seconds| !seconds.is_empty());
    let part = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|part| (0.0..=180.0).contains(part))
    };
    let parts = part(degrees)? + part(minutes)? / 60.0 + seconds.map_or(Some(0.0), part)? / 3600.0;
    Some((sign * parts * PLACES).round() / PLACES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, expected: Option<(f64, f64)>) {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let found = parse_position(text);
        match (found, expected) {
            (Some(found), Some((lat, lng))) => {
                assert!(near(found.lat, lat) && near(found.lng, lng), "{text}");
            }
            (found, expected) => assert_eq!(found.map(|at| (at.lat, at.lng)), expected, "{text}"),
        }
    }

    #[test]
    fn degrees_minutes_and_seconds_are_converted() {
        reads(
            "50°03'46.7\"N,14°43'41.5\"E",
            Some((50.062_972, 14.728_194)),
        );
        reads("49°01'60\"N, 15°51'10\"E", Some((49.033_333, 15.852_778)));
        reads("49°01'N,15°51'E", Some((49.016_667, 15.85)));
        reads("33°26'S,70°40'W", Some((-33.433_333, -70.666_667)));
    }

    #[test]
    fn anything_else_is_not_a_position() {
        for text in [
            "",
            ",",
            "50.06,14.72",
            "50°03'46.7\"N",
            "50°03'46.7\"E,14°43'41.5\"N",
            "x°y'z\"N,1°2'3\"E",
            "NaN°0'N,0°0'E",
        ] {
            reads(text, None);
        }
    }
}
