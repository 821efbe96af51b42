//! The blocking rules, and the keys that they give a listing.

use super::day_rules::{first_day, last_day};
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

/// The rules whose keys only count. They are numbered from here on, after every rule above.
const COUNT_RULES_FROM: usize = 1_000;

/// The values that are counted and make no pairs: the first day and the last day.
const COUNT_RULES: [fn(&Profile) -> Option<Hash>; 2] = [first_day, last_day];

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

/// The names of the rules whose keys make pairs.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.name)
}

/// The blocking keys of a listing, sorted and without repeats.
pub fn keys(profile: &Profile) -> Vec<i64> {
    let days = (0..COUNT_RULES.len()).filter_map(|rule| day_key(rule, profile));
    let mut found: Vec<i64> = keys_by_rule(profile)
        .map(|(_, key)| key)
        .chain(days)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The blocking keys of a listing that make pairs, each with the name of its rule.
pub(crate) fn keys_by_rule(profile: &Profile) -> impl Iterator<Item = (&'static str, i64)> {
    (0..RULES.len())
        .flat_map(move |rule| keys_of_rule(rule, profile).map(move |key| (RULES[rule].name, key)))
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
    let keys_of = |name| {
        let rule = RULES.iter().position(|rule| rule.name == name);
        rule.into_iter()
            .flat_map(|rule| keys_of_rule(rule, profile))
    };
    SharedValueKeys {
        pin: keys_of(POINT).next(),
        phones: keys_of(PHONE).collect(),
        first_day: day_key(0, profile),
        last_day: day_key(1, profile),
    }
}

/// The key of one of [`COUNT_RULES`].
fn day_key(rule: usize, profile: &Profile) -> Option<i64> {
    let value = COUNT_RULES[rule](profile)?;
    Some(key(
        profile,
        COUNT_RULES_FROM + rule,
        value,
        KeyStrength::CountOnly,
    ))
}

/// The keys of one rule.
fn keys_of_rule(rule: usize, profile: &Profile) -> impl Iterator<Item = i64> {
    let values = (RULES[rule].values)(profile).into_iter();
    values.map(move |value| key(profile, rule, value, RULES[rule].strength))
}

/// A key. It depends on the kind of offer, so a sale and a rent never share one.
fn key(profile: &Profile, rule: usize, value: Hash, strength: KeyStrength) -> i64 {
    use schema::SpecEnum;
    let offer = profile
        .offer_type
        .map_or(u64::MAX, |offer| u64::from(offer.code()));
    let offer_and_rule = combine(offer, rule as u64);
    let hash = combine(offer_and_rule, value).cast_signed();
    (hash & ((1 << KEY_BITS) - 1) & !STRENGTH_BITS) | strength as i64
}
