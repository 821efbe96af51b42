//! Copies, and unit, parcel, order and phone numbers.

use super::{Levels, common};
use crate::profile::marks::OrderCode;
use crate::profile::{Frequency, Profile};
use crate::weights::identifiers;

/// An order number of at least this length is rarely used by two agencies.
const LONG_CODE: u8 = 6;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    if a.same_as.as_ref() == Some(&b.key) || b.same_as.as_ref() == Some(&a.key) {
        levels.reach(identifiers::COPY);
    }
    let (one, other) = (&a.marks, &b.marks);
    let units = one
        .units
        .iter()
        .filter(|unit| other.units.binary_search(unit).is_ok());
    if let Some(short) = units.map(|unit| unit.short).min() {
        levels.reach(if short {
            identifiers::SHORT_UNIT
        } else {
            identifiers::UNIT
        });
    }
    if common(&one.parcels, &other.parcels) > 0 {
        levels.reach(identifiers::PARCEL);
    }
    let phone = shared_phone(a, b);
    orders(&one.orders, &other.orders, phone.is_some(), levels);
    if let Some(sharing) = phone {
        levels.reach(match sharing {
            Frequency::Rare => identifiers::RARE_PHONE,
            Frequency::Occasional => identifiers::OCCASIONAL_PHONE,
            Frequency::Common => identifiers::COMMON_PHONE,
        });
    }
}

/// The frequency of the rarest phone number that both state.
fn shared_phone(a: &Profile, b: &Profile) -> Option<Frequency> {
    let (one, other) = (&a.marks.phones, &b.marks.phones);
    let sharing = one.iter().zip(&a.frequencies.phones);
    sharing
        .filter(|(phone, _)| other.binary_search(phone).is_ok())
        .map(|(_, sharing)| *sharing)
        .min()
}

/// A shared order number counts by its length. Different order numbers of one agency count against
/// the pair; two listings are from one agency if they share a phone number or a format of order
/// numbers with letters.
fn orders(one: &[OrderCode], other: &[OrderCode], one_agent: bool, levels: &mut Levels) {
    if let Some(shared) = one.iter().find(|code| other.binary_search(code).is_ok()) {
        levels.reach(if shared.length >= LONG_CODE {
            identifiers::ORDER
        } else {
            identifiers::SHORT_ORDER
        });
        return;
    }
    let of_one_shape =
        |code: &OrderCode| code.lettered && other.iter().any(|there| there.shape == code.shape);
    if !other.is_empty() && one.iter().any(|code| one_agent || of_one_shape(code)) {
        levels.reach(identifiers::DIFFERENT_ORDER);
    }
}

pub(super) fn show(profile: &Profile) -> String {
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
