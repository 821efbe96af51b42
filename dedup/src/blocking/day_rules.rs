//! Days on which listings appear and disappear. These keys make no pairs; they count how crowded a
//! day was.

use schema::Timestamp;

use crate::hash::{Hash, combine, hash};
use crate::profile::{Lifetime, MunicipalitySize, Profile};

const DAY_MILLIS: i64 = 24 * 3_600_000;

/// Flats of a city are counted apart by size, in steps of this many m².
const SIZE_STEP: f64 = 10.0;

/// The day on which the listing was first seen and the day on which it was gone, among comparable
/// listings of its municipality.
///
/// A village counts all listings of a day together. Elsewhere only those of one type and layout, and
/// in a large city of about one size, compete for being the same property.
pub(super) fn days(profile: &Profile) -> [Option<Hash>; 2] {
    let place = &profile.place;
    let Some(municipality) = place.names.municipality else {
        return [None, None];
    };
    let comparable = (!place.names.small).then(|| comparable(profile));
    let count = |at: Timestamp| {
        let day = at.millis().div_euclid(DAY_MILLIS).cast_unsigned();
        let of_municipality = combine(municipality, day);
        comparable.map_or(of_municipality, |(kind, size)| {
            combine(combine(of_municipality, kind), size)
        })
    };
    let Lifetime {
        first_seen,
        gone_at,
        ..
    } = profile.lifetime;
    [Some(count(first_seen)), gone_at.map(count)]
}

/// The type and layout of a listing, and the step of its size if it is in a large city.
fn comparable(profile: &Profile) -> (Hash, u64) {
    let property_type = format!("{:?}", profile.property_type);
    let arrangement = format!("{:?}", profile.best_arrangement());
    let in_city = profile.place.municipality_size != MunicipalitySize::Other;
    let size = profile.size().filter(|_| in_city);
    let step = size.map_or(0, |size| (size / SIZE_STEP) as u64 + 1);
    (hash(&[&property_type, &arrangement]), step)
}
