//! The boundaries of regions and districts, simplified for maps.
//!
//! ČÚZK publishes them generalised in `…_ST_UKSG.xml.zip` (`GeneralizovaneHranice`), still with tens of thousands of
//! points. A map of the country shows a kilometre as one or two pixels, so points that are less than [`TOLERANCE`] off
//! the line between their neighbours are left out (D. H. Douglas and T. K. Peucker, 1973).

use schema::Location;
use serde::{Deserialize, Serialize};

use super::krovak::{GridError, GridPoint};

/// How far the simplified boundary may be from the published one, in metres.
const TOLERANCE: f64 = 150.0;
/// Coordinates are kept in steps of this many to a degree: about a metre.
const STEPS: f64 = 1e5;

/// What an outline is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OutlineKind {
    /// Kraj (VÚSC).
    Region,
    /// Okres.
    District,
}

/// The simplified boundary of a region or district.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Outline {
    /// What it is of.
    pub kind: OutlineKind,
    /// Its code in the registry.
    pub code: u32,
    /// The day of the edition that states it, `YYYYMMDD`.
    pub(crate) date: u32,
    /// Closed rings, of parts and of holes alike: the first point, then the step to each next one, as latitude and
    /// longitude.
    rings: Vec<Vec<(i32, i32)>>,
}

impl Outline {
    /// The outline of a thing from its published rings, each an easting and northing after the other in metres.
    pub(super) fn from_rings(
        (kind, code): (OutlineKind, u32),
        date: u32,
        rings: &[String],
    ) -> Result<Self, String> {
        let rings: Result<Vec<_>, String> = rings.iter().map(|ring| packed(ring)).collect();
        Ok(Self {
            kind,
            code,
            date,
            rings: rings?,
        })
    }

    /// Its rings; the last point of each is the first again.
    pub fn rings(&self) -> impl Iterator<Item = Vec<Location>> {
        self.rings.iter().map(|ring| {
            let (mut lat, mut lng) = (0_i32, 0_i32);
            let points = ring.iter().map(|(north, east)| {
                lat = lat.saturating_add(*north);
                lng = lng.saturating_add(*east);
                Location {
                    lat: f64::from(lat) / STEPS,
                    lng: f64::from(lng) / STEPS,
                }
            });
            points.collect()
        })
    }
}

/// A ring as it is kept.
fn packed(text: &str) -> Result<Vec<(i32, i32)>, String> {
    let wrong = |what: &str| {
        format!(
            "a ring of its boundary has {what}; accepted: at least four pairs of easting and northing in metres \
             (EPSG:5514), the last as the first. Import the file as ČÚZK publishes it"
        )
    };
    let number = |word: &str| {
        let number = word.parse::<f64>().ok();
        number.ok_or_else(|| wrong(&format!("{word:?}, which is not a number")))
    };
    let numbers: Result<Vec<f64>, String> = text.split_whitespace().map(number).collect();
    let numbers = numbers?;
    let (points, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() || points.len() < 4 {
        return Err(wrong(&format!("{} numbers", numbers.len())));
    }
    if points.first() != points.last() {
        return Err(wrong("another end than start"));
    }
    let mut before = (0, 0);
    let simple = simplified(points).into_iter().map(|[easting, northing]| {
        let point = GridPoint::from_easting_northing(easting, northing)?;
        let Location { lat, lng } = point.to_wgs84();
        let now = ((lat * STEPS).round() as i32, (lng * STEPS).round() as i32);
        let step = (now.0 - before.0, now.1 - before.1);
        before = now;
        Ok(step)
    });
    let simple: Result<Vec<_>, GridError> = simple.collect();
    simple.map_err(|error| error.to_string())
}

/// A closed ring without the points that are hardly off the line between others.
fn simplified(ring: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let Some(first) = ring.first() else {
        return Vec::new();
    };
    let apart = |point: &[f64; 2]| (point[0] - first[0]).hypot(point[1] - first[1]);
    let farthest =
        (0..ring.len()).max_by(|one, other| apart(&ring[*one]).total_cmp(&apart(&ring[*other])));
    let farthest = farthest.unwrap_or_default();
    let mut kept = vec![false; ring.len()];
    let mut open = vec![(0, farthest), (farthest, ring.len() - 1)];
    while let Some((start, end)) = open.pop() {
        (kept[start], kept[end]) = (true, true);
        let off = |at: &usize| metres_off(ring[*at], ring[start], ring[end]);
        let most = (start + 1..end).max_by(|one, other| off(one).total_cmp(&off(other)));
        if let Some(most) = most.filter(|most| off(most) > TOLERANCE) {
            open.extend([(start, most), (most, end)]);
        }
    }
    let points = ring.iter().zip(kept);
    points
        .filter_map(|(point, kept)| kept.then_some(*point))
        .collect()
}

/// How far a point is from the line between two others.
fn metres_off(point: [f64; 2], start: [f64; 2], end: [f64; 2]) -> f64 {
    let (along, across) = (end[0] - start[0], end[1] - start[1]);
    let (x, y) = (point[0] - start[0], point[1] - start[1]);
    let square = along * along + across * across;
    let share = if square > 0.0 {
        ((x * along + y * across) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (x - share * along).hypot(y - share * across)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_are_left_out_and_corners_are_kept() {
        let mut ring = Vec::new();
        for step in 0..100 {
            ring.push([f64::from(step) * 100.0, f64::from(step % 2) * 20.0]);
        }
        ring.extend([[9_900.0, 5_000.0], [0.0, 5_000.0], [0.0, 0.0]]);
        let simple = simplified(&ring);
        assert!(simple.len() <= 6, "{simple:?}");
        assert_eq!(simple.first(), simple.last());
        for corner in [[0.0, 0.0], [9_900.0, 5_000.0], [0.0, 5_000.0]] {
            assert!(simple.contains(&corner), "{corner:?}: {simple:?}");
        }
    }

    #[test]
    fn a_ring_keeps_its_place_to_a_few_metres() {
        let text =
            "-740000 -1040000 -720000 -1040000 -720000 -1060000 -740000 -1060000 -740000 -1040000";
        let thing = (OutlineKind::District, 3304);
        let outline = Outline::from_rings(thing, 20_260_630, &[text.to_owned()]).unwrap();
        let ring = outline.rings().next().unwrap();
        let corner = GridPoint::from_easting_northing(-720_000.0, -1_060_000.0).unwrap();
        let corner = corner.to_wgs84();
        assert_eq!(ring.len(), 5);
        assert!(
            ring.iter().any(|point| point.metres_to(corner) < 2.0),
            "{ring:?}"
        );
    }

    #[test]
    fn a_ring_that_is_none_is_refused_with_what_is_accepted() {
        let thing = (OutlineKind::Region, 108);
        for (text, said) in [
            ("-740000 -1040000 -720000", "3 numbers"),
            ("-740000 west", "not a number"),
            (
                "-740000 -1040000 -720000 -1040000 -720000 -1060000 -740000 -1060000",
                "another end",
            ),
            ("1 2 3 4 5 6 1 2", "lie outside"),
        ] {
            let refused = Outline::from_rings(thing, 0, &[text.to_owned()]).unwrap_err();
            assert!(refused.contains(said), "{text}: {refused}");
        }
    }
}
