//! The labels of the attribute list, as the page shows them, and the codes of the record.

use schema::Equipment;

use crate::json::Unread;
use crate::pages::attribute_list::{Attribute, Labels, Row};

use super::payload::{Accessories, Group, Property, name};

/// What the rows say.
pub const LABELS: &Labels = &[
    (CONDITION, Attribute::Condition),
    (CONSTRUCTION, Attribute::Construction),
    (OWNERSHIP, Attribute::Ownership),
    (SITUATION, Attribute::Position),
    (ENERGY, Attribute::EnergyClass),
    ("parkovani", Attribute::Parking),
    ("vytapeni", Attribute::Heating),
    ("kanalizace", Attribute::Sewerage),
    ("zahrada", Attribute::Garden),
    ("vedlejsi prostory a stavby", Attribute::Amenities),
    ("dopravni spojeni", Attribute::Beside),
    ("druh krytiny", Attribute::Beside),
    ("elektricky proud", Attribute::Beside),
    ("izolace proti vlhku", Attribute::Beside),
    ("kvalita vody", Attribute::Beside),
    ("okolni prostranstvi", Attribute::Beside),
    ("oploceni", Attribute::Beside),
    ("orientace bytu", Attribute::Beside),
    ("podlahy", Attribute::Beside),
    ("prijezd", Attribute::Beside),
    ("rozvod plynu", Attribute::Beside),
    ("stav vlhkosti", Attribute::Beside),
    ("stropy", Attribute::Beside),
    ("tvar strechy", Attribute::Beside),
    ("typ konstrukce", Attribute::Beside),
    ("vyuziti volneho casu", Attribute::Beside),
    ("wc", Attribute::Beside),
    ("zavedene inz. site", Attribute::Beside),
    ("zdroj teple vody", Attribute::Beside),
    ("zdroj vody", Attribute::Beside),
];

const CONDITION: &str = "stav nemovitosti";
const CONSTRUCTION: &str = "konstrukce";
const OWNERSHIP: &str = "vlastnictvi";
const SITUATION: &str = "poloha objektu";
const ENERGY: &str = "energeticka trida";

/// Furnishing.
pub const FURNISHINGS: &[(&str, Equipment)] = &[
    ("1", Equipment::Full),
    ("2", Equipment::None),
    ("3", Equipment::Partial),
];

/// The period of a price that the spec counts as one of the whole.
pub const MONTH: &str = "month";

/// The attribute list: the values that have a name, and what is ticked.
pub fn rows(property: &Property, unread: &mut Unread) -> Vec<Row> {
    let building = &property.building;
    let named = [
        (CONDITION, "propertyState", &building.condition),
        (CONSTRUCTION, "buildingType", &building.construction),
        (OWNERSHIP, "ownership", &building.ownership),
        (SITUATION, "housePosition", &building.situation),
    ];
    let mut rows = Vec::new();
    for (label, field, value) in named {
        rows.extend(name(field, value, unread).map(|value| Row::new(label, value)));
    }
    let class = unread.read("energyClass", &building.energy_classification);
    let class = class.and_then(|class| unread.word("energyClass", &class.0.code));
    rows.extend(class.map(|class| Row::new(ENERGY, class)));
    for group in unread
        .read("accessoryGroups", &building.accessory_groups)
        .unwrap_or_default()
    {
        rows.extend(
            unread
                .read("accessoryGroups", &group)
                .and_then(|group| ticked(&group.0, unread)),
        );
    }
    rows
}

/// A label, and the words ticked under it.
fn ticked(group: &Group, unread: &mut Unread) -> Option<Row> {
    let label = unread.word("accessoryGroups", &group.name)?;
    let Accessories(accessories) = unread.read(&label, &group.accessories)?;
    let words: Vec<String> = accessories
        .iter()
        .filter_map(|accessory| name(&label, accessory, unread))
        .collect();
    Some(Row::new(&label, words.join(", ")))
}
