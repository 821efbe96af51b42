//! The blocking rules, and how a key is made of what a rule yields.

use super::by_figures::{
    cell_and_size, district_and_figures, municipality_and_price, municipality_and_size,
    named_place, pin_and_size, postal_code_and_figures, street_and_size, wide_cell_and_figures,
};
use super::by_mark::{
    address_point, copy, house_number, order_number, phone, point, small_municipality, text,
    unit_or_parcel,
};
use super::by_rooms::{pin_and_rooms, street_and_rooms};
use crate::profile::{Hash, Profile};

/// A rule's name and what it yields.
pub struct Rule {
    /// Its name in reports and explanations.
    pub name: &'static str,
    /// Its keys for a listing, before they are bound to the kind of offer.
    pub keys: fn(&Profile) -> Vec<Hash>,
    /// What sharing a key says.
    pub tells: Tells,
}

/// What it says of two listings that they share a key of a rule. The last bits of a key hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    /// Enough to compare them, whatever else they say.
    Much = 0,
    /// So little that their figures must fit, too.
    Little = 1,
    /// Little, and less the more listings share it.
    LessByMany = 2,
}

impl Tells {
    /// Of the rule that gave a key.
    pub fn of(key: i64) -> Self {
        match key & BITS {
            0 => Self::Much,
            1 => Self::Little,
            _ => Self::LessByMany,
        }
    }
}

/// The bits of a key that hold what it tells.
const BITS: i64 = 3;

const fn rule(name: &'static str, keys: fn(&Profile) -> Vec<Hash>, tells: Tells) -> Rule {
    Rule { name, keys, tells }
}

/// Every rule. A true pair need meet under one of them.
pub const RULES: &[Rule] = &[
    rule("address point", address_point, Tells::Much),
    rule("house number", house_number, Tells::Much),
    rule("order number", order_number, Tells::Much),
    rule("unit or parcel", unit_or_parcel, Tells::Much),
    rule("copy", copy, Tells::Much),
    rule(POINT, point, Tells::LessByMany),
    rule(PHONE, phone, Tells::LessByMany),
    rule("text", text, Tells::Little),
    rule("small municipality", small_municipality, Tells::Little),
    rule("street and size", street_and_size, Tells::Little),
    rule("street and rooms", street_and_rooms, Tells::Little),
    rule("cell and size", cell_and_size, Tells::Little),
    rule("pin and size", pin_and_size, Tells::Little),
    rule("pin and rooms", pin_and_rooms, Tells::Little),
    rule("name in the text", named_place, Tells::Little),
    rule(
        "postal code and figures",
        postal_code_and_figures,
        Tells::Little,
    ),
    rule(
        "municipality and size",
        municipality_and_size,
        Tells::Little,
    ),
    rule(
        "municipality and price",
        municipality_and_price,
        Tells::Little,
    ),
    rule("district and figures", district_and_figures, Tells::Little),
    rule(
        "region of the pin and figures",
        wide_cell_and_figures,
        Tells::Little,
    ),
];

const POINT: &str = "point";
const PHONE: &str = "phone";

/// All keys of a listing, bound to its kind of offer, without repeats.
pub fn keys(profile: &Profile) -> Vec<i64> {
    let mut found: Vec<i64> = keys_by_rule(profile).map(|(_, key)| key).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The keys with the rule that gave each.
pub fn keys_by_rule(profile: &Profile) -> impl Iterator<Item = (&'static str, i64)> {
    (0..RULES.len())
        .flat_map(move |place| keys_of(place, profile).map(move |key| (RULES[place].name, key)))
}

/// The keys by which is counted how many listings share something: the pin's, where there is one, and those of the
/// phones in their order.
pub fn counted(profile: &Profile) -> (Option<i64>, Vec<i64>) {
    let of = |name| {
        let place = RULES.iter().position(|rule| rule.name == name);
        place.into_iter().flat_map(|place| keys_of(place, profile))
    };
    (of(POINT).next(), of(PHONE).collect())
}

/// The keys of one rule, bound to the kind of offer: a sale and a rent never meet.
fn keys_of(place: usize, profile: &Profile) -> impl Iterator<Item = i64> {
    use schema::SpecEnum;
    let offer = profile
        .offer_type
        .map_or(u64::MAX, |offer| u64::from(offer.code()));
    let bound = mixed(offer, place as u64);
    let tells = RULES[place].tells as i64;
    let keys = (RULES[place].keys)(profile).into_iter();
    keys.map(move |key| (mixed(bound, key).cast_signed() & !BITS) | tells)
}

/// One value of two, in this order.
pub(super) fn mixed(one: u64, other: u64) -> u64 {
    let value = (one ^ other.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (value ^ (value >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ other
}
