//! What forbids two listings to be one record, whatever else agrees. Vetoes are few: everything else is a weight.

use std::fmt;

use crate::profile::marks::Unit;
use crate::profile::{Hash, Profile};

/// Why two listings may never be one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Veto {
    /// Sale and rent of one flat are two records (contract, 4).
    OfferType,
    /// A share is not the whole, nor another share.
    Share,
    /// Different unit numbers.
    Unit,
    /// Different parcel numbers.
    Parcel,
    /// Different house numbers of one street.
    HouseNumber,
}

impl fmt::Display for Veto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OfferType => "different kinds of offer",
            Self::Share => "a share against the whole or another share",
            Self::Unit => "different unit numbers",
            Self::Parcel => "different parcel numbers",
            Self::HouseNumber => "different house numbers of one street",
        })
    }
}

/// The first veto between two listings.
pub fn of(a: &Profile, b: &Profile) -> Option<Veto> {
    if a.offer_type != b.offer_type {
        Some(Veto::OfferType)
    } else if !shares_agree(a.share.as_deref(), b.share.as_deref()) {
        Some(Veto::Share)
    } else if other_unit(&a.marks.units, &b.marks.units) {
        Some(Veto::Unit)
    } else if disjoint(&a.marks.parcels, &b.marks.parcels) {
        Some(Veto::Parcel)
    } else if other_house(a, b) {
        Some(Veto::HouseNumber)
    } else {
        None
    }
}

/// The whole agrees with the whole only; a share without a stated size with every share.
fn shares_agree(one: Option<&str>, other: Option<&str>) -> bool {
    let stated = |share: &str| share.bytes().any(|byte| byte.is_ascii_digit());
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => one == other || !stated(one) || !stated(other),
        _ => false,
    }
}

/// Two house numbers of one street.
fn other_house(a: &Profile, b: &Profile) -> bool {
    a.place.one_street(&b.place) == Some(true) && a.place.other_house(&b.place)
}

/// Units of one kind are named by both, and none in common. Lists are sorted.
fn other_unit(one: &[Unit], other: &[Unit]) -> bool {
    let of_kind = |units: &[Unit], kind| units.iter().any(|unit| unit.kind == kind);
    let shared = |kind| {
        one.iter()
            .any(|unit| unit.kind == kind && other.binary_search(unit).is_ok())
    };
    one.iter()
        .any(|unit| of_kind(other, unit.kind) && !shared(unit.kind))
}

/// Both say something, and nothing in common. Lists are sorted.
fn disjoint(one: &[Hash], other: &[Hash]) -> bool {
    !one.is_empty()
        && !other.is_empty()
        && !one.iter().any(|mark| other.binary_search(mark).is_ok())
}
