//! The blocking rules, and the keys that they give a listing.

use super::day_rules::days;
use super::identifier_rules::{
    address_point, copy, house_number, order_number, phone, point, small_municipality, text,
    unit_or_parcel,
};
use super::key_parts::KeyParts;
use super::place_rules::{
    cell_and_size, district_and_values, municipality_and_price, municipality_and_size, named_place,
    pin_and_rooms, pin_and_size, postal_code_and_values, street_and_rooms, street_and_size,
    wide_cell_and_values,
};
use crate::hash::{Hash, combine};
use crate::profile::Profile;

type AddValues = fn(&KeyParts, &mut Vec<Hash>);

/// A blocking rule.
pub(crate) struct Rule {
    /// Its name in reports and explanations.
    pub name: &'static str,
    /// Adds the values that a listing shares with others under this rule.
    add_values: AddValues,
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
    /// Nothing: the key only counts the listings that share it, and makes no pairs.
    CountOnly = 3,
}

impl KeyStrength {
    /// The strength of the rule that made a key.
    pub fn of_key(key: i64) -> Self {
        match key & STRENGTH_BITS {
            0 => Self::Strong,
            1 => Self::Weak,
            2 => Self::WeakerWhenShared,
            _ => Self::CountOnly,
        }
    }

    /// Whether it matters how many listings share a key.
    pub fn is_counted(self) -> bool {
        matches!(self, Self::WeakerWhenShared | Self::CountOnly)
    }
}

/// The bits of a key that hold its strength.
const STRENGTH_BITS: i64 = 3;

/// How many bits a key has; those above are 0. A hundred million keys hardly ever collide in them, and SQLite stores
/// them in six bytes.
pub(super) const KEY_BITS: u32 = 47;

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

/// The rules whose keys only count, by the first day and by the last. They are numbered from here on, after every rule above.
const COUNT_RULES_FROM: u64 = 1_000;

const fn rule(name: &'static str, add_values: AddValues, strength: KeyStrength) -> Rule {
    Rule {
        name,
        add_values,
        strength,
    }
}

/// The names of the rules whose keys make pairs.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.name)
}

/// The blocking keys of a listing, sorted and without repeats.
pub fn keys(profile: &Profile) -> Vec<i64> {
    let parts = KeyParts::from_profile(profile);
    let (mut values, mut found) = (Vec::new(), Vec::with_capacity(64));
    for rule in 0..RULES.len() {
        found.extend(keys_of_rule(rule, &parts, &mut values));
    }
    found.extend(day_keys(&parts).into_iter().flatten());
    found.sort_unstable();
    found.dedup();
    found
}

/// The blocking keys of a listing that make pairs, each with the name of its rule.
pub(crate) fn keys_with_rules(profile: &Profile) -> Vec<(i64, &'static str)> {
    let parts = KeyParts::from_profile(profile);
    let (mut values, mut found) = (Vec::new(), Vec::new());
    for (number, rule) in RULES.iter().enumerate() {
        let keys = keys_of_rule(number, &parts, &mut values);
        found.extend(keys.map(|key| (key, rule.name)));
    }
    found
}

/// The keys that count how many listings share a value.
pub(crate) struct SharedValueKeys {
    /// The key of the pin.
    pub pin: Option<i64>,
    /// The keys of the phone numbers, in their order.
    pub phones: Vec<i64>,
    /// The key of the day on which the listing was first seen.
    pub first_day: Option<i64>,
    /// The key of the day on which it was gone.
    pub last_day: Option<i64>,
}

impl SharedValueKeys {
    /// Every key.
    pub fn into_keys(self) -> impl Iterator<Item = i64> {
        let days = [self.pin, self.first_day, self.last_day];
        days.into_iter().flatten().chain(self.phones)
    }
}

/// The keys of a listing that count how many listings share a value with it.
pub(crate) fn shared_value_keys(profile: &Profile) -> SharedValueKeys {
    let parts = KeyParts::from_profile(profile);
    let keys_of = |name| -> Vec<i64> {
        let rule = RULES.iter().position(|rule| rule.name == name);
        rule.map_or_else(Vec::new, |rule| {
            keys_of_rule(rule, &parts, &mut Vec::new()).collect()
        })
    };
    let [first_day, last_day] = day_keys(&parts);
    SharedValueKeys {
        pin: keys_of(POINT).first().copied(),
        phones: keys_of(PHONE),
        first_day,
        last_day,
    }
}

/// The keys that count the listings of the first and of the last day. They make no pairs.
fn day_keys(parts: &KeyParts) -> [Option<i64>; 2] {
    let [first, last] = days(parts.profile);
    let day_key = |place, day| {
        let rule = combine(parts.offer, COUNT_RULES_FROM + place);
        Some(key(rule, day?, KeyStrength::CountOnly))
    };
    [day_key(0, first), day_key(1, last)]
}

/// The keys of one rule. `values` is empty before and after.
fn keys_of_rule<'a>(
    rule: usize,
    parts: &KeyParts,
    values: &'a mut Vec<Hash>,
) -> impl Iterator<Item = i64> + use<'a> {
    let Rule {
        add_values,
        strength,
        ..
    } = RULES[rule];
    add_values(parts, values);
    let rule = combine(parts.offer, rule as u64);
    values
        .drain(..)
        .map(move |value| key(rule, value, strength))
}

/// The key of a value under a rule for one kind of offer, so that a sale and a rent never share one.
fn key(rule: Hash, value: Hash, strength: KeyStrength) -> i64 {
    let hash = combine(rule, value).cast_signed();
    (hash & ((1 << KEY_BITS) - 1) & !STRENGTH_BITS) | strength as i64
}
