//! Property type and subtype.

use schema::SpecEnum;

use super::Levels;
use crate::profile::Profile;
use crate::weights::kind;

pub(super) fn compare(a: &Profile, b: &Profile, levels: &mut Levels) {
    match (a.property_type, b.property_type) {
        (Some(one), Some(other)) if one != other => levels.reach(kind::DIFFERENT_TYPE),
        _ => match (a.subtype, b.subtype) {
            (Some(one), Some(other)) if one == other => levels.reach(kind::SUBTYPE),
            (Some(_), Some(_)) => levels.reach(kind::DIFFERENT_SUBTYPE),
            _ => {}
        },
    }
}

pub(super) fn show(profile: &Profile) -> String {
    let parts = [
        profile.property_type.map(SpecEnum::as_str),
        profile.subtype.map(SpecEnum::as_str),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
