//! Unit, parcel and order numbers, and phones.

use super::{Levels, common};
use crate::profile::Profile;
use crate::profile::marks::OrderCode;
use crate::scoring::weights::marks;

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

pub fn show(profile: &Profile) -> String {
    let marks = &profile.marks;
    let counted = [
        (marks.units.len(), "unit number"),
        (marks.parcels.len(), "parcel"),
        (marks.orders.len(), "order number"),
        (marks.phones.len(), "phone"),
    ];
    let parts: Vec<_> = counted
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    parts.join(", ")
}
