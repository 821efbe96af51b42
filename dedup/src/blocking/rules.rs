//! The blocking rules, and the keys that they give a listing.

use super::identifier_rules::{
    address_point, copy, house_number, order_number, phone, point, small_municipality, text,
    unit_or_parcel,
};
use super::place_rules::{
    cell_and_size, district_and_values, municipality_and_price, municipality_and_size, named_place,
    pin_and_rooms, pin_and_size, postal_code_and_values, street_and_rooms, street_and_size,
    wide_cell_and_values,
};
use crate::hash::{Hash, combine};
use crate::profile::Profile;

/// A blocking rule.
pub(crate) struct Rule {
    /// Its name in reports and explanations.
    pub name: &'static str,
    /// The values that a listing shares with others under this rule.
    values: fn(&Profile) -> Vec<Hash>,
    strength: KeyStrength,
}

/// How much a shared key says about two listings. The lowest bits of a key hold its strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyStrength {
    /// Enough to compare the listings, whatever else they state.
    Strong = 0,
    /// Too little: the pair must also pass a filter.
    Weak = 1,
    /// Too little, and less the more listings share the key.
    WeakerWhenShared = 2,
}

impl KeyStrength {
    /// The strength of the rule that made a key.
    pub fn of_key(key: i64) -> Self {
        match key & STRENGTH_BITS {
            0 => Self::Strong,
            1 => Self::Weak,
            _ => Self::WeakerWhenShared,
        }
    }
}

/// The bits of a key that hold its strength.
const STRENGTH_BITS: i64 = 3;

const POINT: &str = "point";
const PHONE: &str = "phone";

/// Every rule. The index of a rule is part of its keys: reordering the list changes stored keys.
pub(crate) const RULES: &[Rule] = &{
    use KeyStrength::{Strong, Weak, WeakerWhenShared};
    [
        rule("address point", address_point, Strong),
        rule("house number", house_number, Strong),
        rule("order number", order_number, Strong),
        rule("unit or parcel", unit_or_parcel, Strong),
        rule("copy", copy, Strong),
        rule(POINT, point, WeakerWhenShared),
        rule(PHONE, phone, WeakerWhenShared),
        rule("text", text, Weak),
        rule("small municipality", small_municipality, Weak),
        rule("street and size", street_and_size, Weak),
        rule("street and rooms", street_and_rooms, Weak),
        rule("cell and size", cell_and_size, Weak),
        rule("pin and size", pin_and_size, Weak),
        rule("pin and rooms", pin_and_rooms, Weak),
        rule("name in the text", named_place, Weak),
        rule("postal code and values", postal_code_and_values, Weak),
        rule("municipality and size", municipality_and_size, Weak),
        rule("municipality and price", municipality_and_price, Weak),
        rule("district and values", district_and_values, Weak),
        rule("wide cell and values", wide_cell_and_values, Weak),
    ]
};

const fn rule(
    name: &'static str,
    values: fn(&Profile) -> Vec<Hash>,
    strength: KeyStrength,
) -> Rule {
    Rule {
        name,
        values,
        strength,
    }
}

/// The blocking keys of a listing, sorted and without repeats.
pub fn keys(profile: &Profile) -> Vec<i64> {
    let mut found: Vec<i64> = keys_by_rule(profile).map(|(_, key)| key).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The blocking keys of a listing, each with the name of its rule.
pub(crate) fn keys_by_rule(profile: &Profile) -> impl Iterator<Item = (&'static str, i64)> {
    (0..RULES.len())
        .flat_map(move |rule| keys_of_rule(rule, profile).map(move |key| (RULES[rule].name, key)))
}

/// The keys that count how many listings share a value: the key of the pin, if there is one, and
/// those of the phone numbers in their order.
pub(crate) fn shared_value_keys(profile: &Profile) -> (Option<i64>, Vec<i64>) {
    let keys_of = |name| {
        let rule = RULES.iter().position(|rule| rule.name == name);
        rule.into_iter()
            .flat_map(|rule| keys_of_rule(rule, profile))
    };
    (keys_of(POINT).next(), keys_of(PHONE).collect())
}

/// The keys of one rule. They depend on the kind of offer, so a sale and a rent never share one.
fn keys_of_rule(rule: usize, profile: &Profile) -> impl Iterator<Item = i64> {
    use schema::SpecEnum;
    let offer = profile
        .offer_type
        .map_or(u64::MAX, |offer| u64::from(offer.code()));
    let offer_and_rule = combine(offer, rule as u64);
    let strength = RULES[rule].strength as i64;
    let values = (RULES[rule].values)(profile).into_iter();
    values.map(move |value| {
        (combine(offer_and_rule, value).cast_signed() & !STRENGTH_BITS) | strength
    })
}
