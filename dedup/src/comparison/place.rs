//! Place: street, house number, pin, quarter and municipality as one comparison.

use super::Levels;
use crate::hash::Hash;
use crate::profile::{Frequency, MunicipalitySize, Place, Precision, Profile};
use crate::weights::{Level, place};

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    levels.reach(level(a, b));
}

fn level(a: &Profile, b: &Profile) -> Level {
    let (left, right) = (&a.place, &b.place);
    if left.address_point.is_some() && left.address_point == right.address_point {
        return place::ADDRESS_POINT;
    }
    let metres = distance(left, right);
    let frequency = a.frequencies.pin.max(b.frequencies.pin);
    let one_point = metres.is_some_and(|metres| metres <= 15.0);
    if left.same_municipality(right) == Some(false) {
        let vague = left.names_only_a_town() || right.names_only_a_town();
        let named = names(b, left.street_name)
            || names(a, right.street_name)
            || names(b, left.quarter_name)
            || names(a, right.quarter_name);
        return match metres {
            _ if vague && named => place::POSTAL_TOWN_AND_NAME,
            Some(metres) if vague && metres <= 2_000.0 => place::POSTAL_TOWN_AND_PIN,
            Some(metres) if vague && metres > 15_000.0 => place::DIFFERENT_MUNICIPALITY,
            _ if vague => place::POSTAL_TOWN,
            _ => place::DIFFERENT_MUNICIPALITY,
        };
    }
    match left.same_street(right) {
        Some(true) => on_one_street(left, right, metres, frequency),
        Some(false) => place::DIFFERENT_STREET,
        _ if one_point && frequency == Frequency::Rare => place::POINT,
        _ if one_point && frequency == Frequency::Occasional => place::SHARED_POINT,
        _ if names(b, left.street_name) || names(a, right.street_name) => place::STREET_IN_TEXT,
        _ => by_pin(a, b, metres),
    }
}

fn on_one_street(left: &Place, right: &Place, metres: Option<f64>, frequency: Frequency) -> Level {
    let one_point = metres.is_some_and(|metres| metres <= 15.0);
    if one_point && frequency == Frequency::Rare {
        place::STREET_AND_POINT
    } else if left.same_house(right) {
        place::HOUSE
    } else if metres.is_some_and(|metres| metres <= 60.0) {
        place::STREET_AND_PIN
    } else {
        place::STREET
    }
}

/// Whether the text of a listing contains a name.
fn names(profile: &Profile, name: Option<Hash>) -> bool {
    name.is_some_and(|name| profile.marks.names.binary_search(&name).is_ok())
}

fn by_pin(a: &Profile, b: &Profile, metres: Option<f64>) -> Level {
    let (left, right) = (&a.place, &b.place);
    let shared_by_many = a.frequencies.pin.max(b.frequencies.pin) == Frequency::Common;
    let precise =
        !shared_by_many && left.precision.marks_property() && right.precision.marks_property();
    let coarse = left.precision.may_mark_property() && right.precision.may_mark_property();
    let named = || (names(b, left.quarter_name) || names(a, right.quarter_name)).then_some(true);
    let quarters = left.same_quarter(right).or_else(named);
    match metres {
        Some(metres) if precise && metres <= 25.0 => place::PIN_25,
        Some(metres) if precise && metres <= 100.0 => place::PIN_100,
        Some(metres) if precise && metres <= 300.0 => place::PIN_300,
        Some(metres) if precise && metres > 4_000.0 => place::PIN_VERY_FAR,
        Some(metres) if precise && metres > 1_000.0 => place::PIN_FAR,
        Some(metres) if metres > 12_000.0 => place::PIN_VERY_FAR,
        _ if quarters == Some(false) => place::DIFFERENT_QUARTER,
        _ if left.names.small && right.names.small => place::VILLAGE,
        _ if quarters == Some(true) => place::QUARTER,
        Some(metres) if metres <= 1_000.0 => place::PIN_1000,
        Some(metres) if metres > 3_000.0 && coarse => place::COARSE_PIN_FAR,
        _ => match left.municipality_size.max(right.municipality_size) {
            MunicipalitySize::Capital => place::CAPITAL,
            MunicipalitySize::LargeCity => place::LARGE_CITY,
            MunicipalitySize::Other => place::MUNICIPALITY,
        },
    }
}

/// Metres between the pins; `None` if one is missing.
fn distance(left: &Place, right: &Place) -> Option<f64> {
    Some(left.pin?.metres_to(right.pin?))
}

pub(super) fn show(profile: &Profile) -> String {
    let place = &profile.place;
    let mut parts: Vec<String> = Vec::new();
    if !place.words.is_empty() {
        parts.push(place.words.clone());
    }
    if let Some(pin) = place.pin {
        let precision = match place.precision {
            Precision::Exact => "exact",
            Precision::Street => "street",
            Precision::Unknown => "of unknown precision",
            Precision::Area => "middle of an area",
        };
        parts.push(format!("pin {:.5} {:.5} ({precision})", pin.lat, pin.lng));
    }
    parts.join(", ")
}
