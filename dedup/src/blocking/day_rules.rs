//! Days on which listings appear and disappear. These keys make no pairs; they count how crowded a
//! day was.

use schema::Timestamp;

use crate::hash::{Hash, combine, hash};
use crate::profile::{MunicipalitySize, Profile};

const DAY_MILLIS: i64 = 24 * 3_600_000;

/// Flats of a city are counted apart by size, in steps of this many m².
const SIZE_STEP: f64 = 10.0;

/// The day on which the listing was first seen, among comparable listings of its municipality.
pub(super) fn first_day(profile: &Profile) -> Option<Hash> {
    day(profile, profile.lifetime.first_seen)
}

/// The day on which the listing was gone.
pub(super) fn last_day(profile: &Profile) -> Option<Hash> {
    day(profile, profile.lifetime.gone_at?)
}

/// A village counts all listings of a day together. Elsewhere only those of one type and layout, and
/// in a large city of about one size, compete for being the same property.
fn day(profile: &Profile, at: Timestamp) -> Option<Hash> {
    let place = &profile.place;
    let municipality = place.names.municipality?;
    let day = at.millis().div_euclid(DAY_MILLIS).cast_unsigned();
    let of_municipality = combine(municipality, day);
    if place.names.small {
        return Some(of_municipality);
    }
    let property_type = format!("{:?}", profile.property_type);
    let arrangement = format!("{:?}", profile.best_arrangement());
    let comparable = combine(of_municipality, hash(&[&property_type, &arrangement]));
    let in_city = place.municipality_size != MunicipalitySize::Other;
    let size = profile.size().filter(|_| in_city);
    let step = size.map_or(0, |size| (size / SIZE_STEP) as u64 + 1);
    Some(combine(comparable, step))
}
