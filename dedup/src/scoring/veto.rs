//! Vetoes: rules that forbid two listings to be one record, whatever their match weight. Vetoes are
//! few; everything else is a weight.

use std::fmt;

use crate::hash::Hash;
use crate::profile::Profile;
use crate::profile::marks::Unit;

/// Why two listings may not be one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Veto {
    /// Sale and rent of one flat are two records (contract, part 4).
    OfferType,
    /// A share of a property and the whole, or two different shares.
    Share,
    /// Different unit numbers.
    Unit,
    /// Different parcel numbers.
    Parcel,
    /// Different house numbers on one street.
    HouseNumber,
}

impl fmt::Display for Veto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OfferType => "different kinds of offer",
            Self::Share => "a share and the whole, or two different shares",
            Self::Unit => "different unit numbers",
            Self::Parcel => "different parcel numbers",
            Self::HouseNumber => "different house numbers on one street",
        })
    }
}

/// The first veto between two listings.
pub(crate) fn veto_between(a: &Profile, b: &Profile) -> Option<Veto> {
    if a.offer_type != b.offer_type {
        Some(Veto::OfferType)
    } else if !shares_agree(a.share.as_deref(), b.share.as_deref()) {
        Some(Veto::Share)
    } else if has_different_unit(&a.marks.units, &b.marks.units) {
        Some(Veto::Unit)
    } else if disjoint(&a.marks.parcels, &b.marks.parcels) {
        Some(Veto::Parcel)
    } else if has_different_house(a, b) {
        Some(Veto::HouseNumber)
    } else {
        None
    }
}

/// The whole agrees only with the whole. A share of unstated size agrees with every share.
fn shares_agree(one: Option<&str>, other: Option<&str>) -> bool {
    let stated = |share: &str| share.bytes().any(|byte| byte.is_ascii_digit());
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => one == other || !stated(one) || !stated(other),
        _ => false,
    }
}

/// Whether both state house numbers on one street and the numbers differ.
fn has_different_house(a: &Profile, b: &Profile) -> bool {
    a.place.same_street(&b.place) == Some(true) && a.place.is_different_house(&b.place)
}

/// Whether both name units of one kind but share none of that kind. Lists are sorted.
fn has_different_unit(one: &[Unit], other: &[Unit]) -> bool {
    let of_kind = |units: &[Unit], kind| units.iter().any(|unit| unit.kind == kind);
    let shared = |kind| {
        one.iter()
            .any(|unit| unit.kind == kind && other.binary_search(unit).is_ok())
    };
    one.iter()
        .any(|unit| of_kind(other, unit.kind) && !shared(unit.kind))
}

/// Whether both lists have values but none in common. Lists are sorted.
fn disjoint(one: &[Hash], other: &[Hash]) -> bool {
    !one.is_empty()
        && !other.is_empty()
        && !one.iter().any(|mark| other.binary_search(mark).is_ok())
}
