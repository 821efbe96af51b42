//! The labels of the attribute list, as the page shows them, and the codes of the record.

use crate::json::FieldReader;
use crate::pages::attribute_list::{Attribute, Labels, Row};

use super::payload::{Accessories, Group, Property, name_of};

/// What the value of each row is.
pub(crate) const LABELS: &Labels = &[
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
    ("dopravni spojeni", Attribute::Ignored),
    ("druh krytiny", Attribute::Ignored),
    ("elektricky proud", Attribute::Ignored),
    ("izolace proti vlhku", Attribute::Ignored),
    ("kvalita vody", Attribute::Ignored),
    ("okolni prostranstvi", Attribute::Ignored),
    ("oploceni", Attribute::Ignored),
    ("orientace bytu", Attribute::Ignored),
    ("podlahy", Attribute::Ignored),
    ("prijezd", Attribute::Ignored),
    ("rozvod plynu", Attribute::Ignored),
    ("stav vlhkosti", Attribute::Ignored),
    ("stropy", Attribute::Ignored),
    ("tvar strechy", Attribute::Ignored),
    ("typ konstrukce", Attribute::Ignored),
    ("vyuziti volneho casu", Attribute::Ignored),
    ("wc", Attribute::Ignored),
    ("zavedene inz. site", Attribute::Ignored),
    ("zdroj teple vody", Attribute::Ignored),
    ("zdroj vody", Attribute::Ignored),
];

const CONDITION: &str = "stav nemovitosti";
const CONSTRUCTION: &str = "konstrukce";
const OWNERSHIP: &str = "vlastnictvi";
const SITUATION: &str = "poloha objektu";
const ENERGY: &str = "energeticka trida";

/// The period of a monthly price, which the spec counts as a price of the whole.
pub(crate) const MONTH: &str = "month";

/// Builds the attribute list from the named values and the ticked words.
pub(crate) fn attribute_rows(property: &Property, reader: &mut FieldReader) -> Vec<Row> {
    let building = &property.building;
    let named = [
        (CONDITION, "propertyState", &building.condition),
        (CONSTRUCTION, "buildingType", &building.construction),
        (OWNERSHIP, "ownership", &building.ownership),
        (SITUATION, "housePosition", &building.situation),
    ];
    let mut rows = Vec::new();
    for (label, field, value) in named {
        rows.extend(name_of(field, value, reader).map(|value| Row::new(label, value)));
    }
    let class = reader.value("energyClass", &building.energy_classification);
    let class = class.and_then(|class| reader.word("energyClass", &class.0.code));
    rows.extend(class.map(|class| Row::new(ENERGY, class)));
    for group in reader
        .value("accessoryGroups", &building.accessory_groups)
        .unwrap_or_default()
    {
        rows.extend(
            reader
                .value("accessoryGroups", &group)
                .and_then(|group| row_of_group(&group.0, reader)),
        );
    }
    rows
}

/// Builds a row of a label and the words ticked under it.
fn row_of_group(group: &Group, reader: &mut FieldReader) -> Option<Row> {
    let label = reader.word("accessoryGroups", &group.name)?;
    let Accessories(accessories) = reader.value(&label, &group.accessories)?;
    let words: Vec<String> = accessories
        .iter()
        .filter_map(|accessory| name_of(&label, accessory, reader))
        .collect();
    Some(Row::new(&label, words.join(", ")))
}
