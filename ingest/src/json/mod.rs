//! Lenient readers of JSON. A field of another type than the portal sends does not lose the listing: it is left out and
//! reported.

mod field;
mod field_reader;

pub(crate) use field::{Field, Flag, Gps, Number, Object, Word, read_fields};
pub(crate) use field_reader::FieldReader;

use schema::Location;
use serde_json::{Map, Value};

/// Returns the value that a code table has for `key`.
pub(crate) fn look_up<K: PartialEq, V: Copy>(table: &[(K, V)], key: &K) -> Option<V> {
    table
        .iter()
        .find(|(code, _)| code == key)
        .map(|(_, value)| *value)
}

/// Tells whether an object has an `id` and at least two of these other fields, by which a portal's adverts are recognised.
pub(crate) fn has_id_and_two_of(object: &Map<String, Value>, fields: &[&str]) -> bool {
    let known = fields.iter().filter(|name| object.contains_key(**name));
    object.contains_key("id") && known.count() >= 2
}

/// Makes a position of two coordinates. Portals send 0, 0 for an unknown position.
pub(crate) fn position(lat: Option<f64>, lng: Option<f64>) -> Option<Location> {
    let (lat, lng) = lat.zip(lng)?;
    (lat != 0.0 || lng != 0.0).then_some(Location { lat, lng })
}

/// Converts a storey number that counts the ground floor as 1 and cellars from −1 to a floor number, whose ground floor
/// is 0.
pub(crate) fn floor_from_storey(storey: f64) -> f64 {
    if storey >= 1.0 { storey - 1.0 } else { storey }
}

/// Decides whether a feature is there. An area above 0 proves it, whatever the flag says. A "no" counts only if the
/// portal requires an answer (`required`); elsewhere it is the form's untouched default.
pub(crate) fn has_feature(area: Option<f64>, flag: Option<bool>, required: bool) -> Option<bool> {
    if area.is_some_and(|area| area > 0.0) {
        return Some(true);
    }
    flag.filter(|present| *present || required)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_count_from_the_ground() {
        assert_eq!(
            [3.0, 1.0, 0.0, -1.0].map(|storey| floor_from_storey(storey) as i16),
            [2, 0, 0, -1]
        );
    }

    #[test]
    fn zero_zero_is_an_unknown_position() {
        assert_eq!(position(Some(0.0), Some(0.0)), None);
        assert_eq!(position(Some(50.0), None), None);
        assert_eq!(
            position(Some(50.0), Some(0.0)),
            Some(Location {
                lat: 50.0,
                lng: 0.0
            })
        );
    }
}
