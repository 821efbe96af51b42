//! Unit, parcel and order numbers, phones, and small areas.

use super::{Levels, common};
use crate::profile::Profile;
use crate::profile::marks::OrderCode;
use crate::scoring::weights::marks;

/// Areas over this, in tenths of m², are sizes of the whole and compared elsewhere.
const SMALL: u32 = 300;

/// Order numbers from this length on are hardly used by two agencies.
const LONG_CODE: u8 = 6;

pub fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    let (one, other) = (&a.marks, &b.marks);
    if common(&one.units, &other.units) > 0 {
        levels.reach(marks::UNIT);
    }
    if common(&one.parcels, &other.parcels) > 0 {
        levels.reach(marks::PARCEL);
    }
    let one_agent = common(&one.phones, &other.phones) > 0;
    orders(&one.orders, &other.orders, one_agent, levels);
    if one_agent {
        levels.reach(marks::PHONE);
    }
    small_areas(&one.areas, &other.areas, levels);
}

/// A number shared is worth its length; numbers of one agency that differ are two orders. One agency is one phone, or
/// one lettered shape of numbers.
fn orders(one: &[OrderCode], other: &[OrderCode], one_agent: bool, levels: &mut Levels) {
    if let Some(shared) = one.iter().find(|code| other.binary_search(code).is_ok()) {
        levels.reach(if shared.length >= LONG_CODE { marks::ORDER } else { marks::SHORT_ORDER });
        return;
    }
    let of_one_shape =
        |code: &OrderCode| code.lettered && other.iter().any(|there| there.shape == code.shape);
    if !other.is_empty() && one.iter().any(|code| one_agent || of_one_shape(code)) {
        levels.reach(marks::OTHER_ORDER);
    }
}

fn small_areas(one: &[u32], other: &[u32], levels: &mut Levels) {
    let telling = |areas: &[u32]| -> Vec<u32> {
        areas.iter().copied().filter(|area| *area < SMALL && area % 10 != 0).collect()
    };
    let (one, other) = (telling(one), telling(other));
    let shared = common(&one, &other);
    for _ in 0..shared.min(3) {
        levels.reach(marks::SMALL_AREA);
    }
    if shared == 0 && !one.is_empty() && !other.is_empty() {
        levels.reach(marks::OTHER_SMALL_AREAS);
    }
}

pub fn show(profile: &Profile) -> String {
    let marks = &profile.marks;
    let counted = [
        (marks.units.len(), "unit number"),
        (marks.parcels.len(), "parcel"),
        (marks.orders.len(), "order number"),
        (marks.phones.len(), "phone"),
    ];
    let mut parts: Vec<_> = counted
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    parts.extend(
        marks
            .areas
            .iter()
            .filter(|area| **area < SMALL)
            .map(|area| format!("{} m²", f64::from(*area) / 10.0)),
    );
    parts.join(", ")
}
