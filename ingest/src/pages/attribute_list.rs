//! The attribute list of a detail page: rows of a label and a value, and the fields that they fill.
//!
//! Each portal has a table of its own labels ([`Labels`]). The values are read in the same way for all portals.

use schema::{Attributes, Listing, PropertyType};

use crate::notation::Meaning;
use crate::notation::area::area;
use crate::notation::energy_class::energy_class;
use crate::notation::heating::heating_of_text;
use crate::notation::words;
use crate::notation::year_built::year;
use czech::floor::Counting;
use czech::floor::{floor_count, floor_of_field};
use czech::fold;
use czech::text::present;

use super::amenities::fill_amenities;
use crate::json::FieldReader;

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Row {
    /// The label as written, without its colon.
    pub label: String,
    /// The value as shown.
    pub value: String,
    /// What an icon shown instead of a value says: a tick is yes, a cross is no.
    pub ticked: Option<bool>,
}

impl Row {
    /// Makes a row with a written value. A colon behind the label is removed.
    pub(crate) fn new(label: &str, value: String) -> Self {
        Self {
            label: label.trim_end_matches(':').trim_end().to_owned(),
            value,
            ticked: None,
        }
    }

    /// Tells whether the row has this label, which is folded and has no colon.
    fn has_label(&self, label: &str) -> bool {
        fold(&self.label) == label
    }

    /// Returns yes for a tick or any words, no for a cross or a "no", and `None` for an empty row.
    fn presence(&self) -> Option<bool> {
        self.ticked.or_else(|| match fold(&self.value).as_str() {
            "" => None,
            "ne" | "neni" | "bez" => Some(false),
            _ => Some(true),
        })
    }
}

/// What the value of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attribute {
    /// Something that the spec has no field for, or that is read elsewhere.
    Ignored,
    /// The agency's order number, behind this prefix that the portal adds.
    OrderCode(&'static str),
    /// Number of the unit.
    UnitNumber,
    /// Usable floor area.
    LivingArea,
    /// Total floor area.
    TotalArea,
    /// Plot.
    LandArea,
    /// Construction.
    Construction,
    /// Condition.
    Condition,
    /// Ownership.
    Ownership,
    /// Position of the house.
    Position,
    /// How furnished.
    Equipment,
    /// Sewerage.
    Sewerage,
    /// Source and type of heating.
    Heating,
    /// Energy class.
    EnergyClass,
    /// The unit's floor.
    Floor(Counting),
    /// Storeys of the building.
    FloorCount,
    /// Storeys of the property itself: the building's for a house, but the flat's own for a flat.
    OwnStoreys,
    /// Balcony, and its area.
    Balcony,
    /// Loggia, and its area.
    Loggia,
    /// Terrace, and its area.
    Terrace,
    /// Cellar or storage room, and its area.
    Cellar,
    /// Garden, and its area.
    Garden,
    /// Garage, and its area.
    Garage,
    /// Swimming pool.
    Pool,
    /// Wheelchair access.
    BarrierFree,
    /// Elevator.
    Elevator,
    /// Where cars can be parked, garages included: a list.
    Parking,
    /// A list of what belongs to the property.
    Amenities,
    /// How many cars can be parked.
    ParkingPlaces,
    /// The year in which the building was finished or approved for use.
    YearBuilt,
    /// What the advertiser adds to the price.
    PriceNote,
}

/// A portal's labels, folded and without colons. If several labels fill one field, the earlier one in the table wins.
pub(crate) type Labels = [(&'static str, Attribute)];

/// Reason for rejecting a word that is not understood.
pub(crate) const UNKNOWN_WORD: &str = "a word the portal was not known to use";

/// Fills the listing from the rows. The property type must be filled before, because the meaning of some labels depends
/// on it.
pub(crate) fn fill_from_rows(
    rows: &[Row],
    labels: &Labels,
    listing: &mut Listing,
    reader: &mut FieldReader,
) {
    for (label, attribute) in labels {
        for row in rows.iter().filter(|row| row.has_label(label)) {
            fill_from_row(*attribute, row, listing, reader);
        }
    }
    for row in rows
        .iter()
        .filter(|row| !labels.iter().any(|(label, _)| row.has_label(label)))
    {
        reader.reject(
            &row.label,
            &row.value,
            "an attribute the portal was not known to publish",
        );
    }
    remove_contradicted_count(listing, reader);
}

/// Removes a number of storeys that is smaller than the unit's floor, such as the fifth floor of one: advertisers check
/// the floor more carefully. An equal number is kept, because an attic is often not counted.
fn remove_contradicted_count(listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    if let (Some(floor), Some(count)) = (attributes.floor, attributes.floor_count)
        && floor > count
    {
        reader.reject("floorCount", count, "less than the unit's own floor");
        attributes.floor_count = None;
    }
}

/// Returns the value of the row with this label, which is folded and has no colon.
pub(crate) fn row_value<'a>(rows: &'a [Row], label: &str) -> Option<&'a str> {
    rows.iter()
        .find(|row| row.has_label(label))
        .map(|row| row.value.as_str())
}

/// Returns the value of the row with the first of these labels that has one.
pub(crate) fn first_row_value<'a>(rows: &'a [Row], labels: &[&str]) -> Option<&'a str> {
    labels.iter().find_map(|label| row_value(rows, label))
}

/// Fills the field of one row.
fn fill_from_row(attribute: Attribute, row: &Row, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    let value = row.value.as_str();
    match attribute {
        Attribute::Ignored => {}
        Attribute::OrderCode(prefix) => {
            let code = value.trim();
            listing.evidence.order_code = present(code.strip_prefix(prefix).unwrap_or(code));
        }
        Attribute::UnitNumber => attributes.unit_number = present(value),
        Attribute::PriceNote => listing.evidence.note_on_price = present(value),
        Attribute::YearBuilt => match year(value) {
            Some(year) => listing.evidence.year_built = Some(year),
            None => reader.reject("yearBuilt", value, "not a year"),
        },
        Attribute::LivingArea => {
            fill_area("livingArea", value, &mut attributes.living_area, reader);
        }
        Attribute::TotalArea => {
            fill_area("totalArea", value, &mut listing.evidence.total_area, reader);
        }
        Attribute::LandArea => fill_area("landArea", value, &mut attributes.land_area, reader),
        Attribute::Heating => fill_heating(value, attributes, reader),
        Attribute::Floor(counting) => {
            attributes.floor = floor_of_field(value, counting);
            if attributes.floor.is_none() {
                reader.reject("floor", value, "not a floor");
            }
        }
        Attribute::OwnStoreys if attributes.property_type == Some(PropertyType::Apartment) => {}
        Attribute::FloorCount | Attribute::OwnStoreys => match floor_count(value) {
            Some(count) => attributes.floor_count = Some(count),
            None => reader.reject("floorCount", value, "not a number of floors"),
        },
        Attribute::Construction
        | Attribute::Condition
        | Attribute::Ownership
        | Attribute::Equipment
        | Attribute::Position
        | Attribute::Sewerage
        | Attribute::EnergyClass => fill_word(attribute, value, attributes, reader),
        _ => fill_feature(attribute, row, attributes, reader),
    }
}

/// Fills a field from a word of the portal's form. A word that is not understood is rejected.
fn fill_word(
    attribute: Attribute,
    value: &str,
    attributes: &mut Attributes,
    reader: &mut FieldReader,
) {
    let (field, understood) = match attribute {
        Attribute::Construction => (
            "buildingType",
            keep_first(&mut attributes.building_type, words::construction(value)),
        ),
        Attribute::Condition => (
            "propertyState",
            keep_first(&mut attributes.property_state, words::condition(value)),
        ),
        Attribute::Ownership => (
            "ownership",
            keep_first(&mut attributes.ownership, words::ownership(value)),
        ),
        Attribute::Equipment => (
            "equipment",
            keep_first(&mut attributes.equipment, words::equipment(value)),
        ),
        Attribute::Position => (
            "housePosition",
            keep_first(&mut attributes.house_position, words::position(value)),
        ),
        Attribute::Sewerage => (
            "sewerage",
            keep_first(&mut attributes.sewerage, words::sewerage(value)),
        ),
        _ => {
            let class = energy_class(value);
            let understood = class.is_some();
            attributes.energy_class = class.or_else(|| attributes.energy_class.take());
            ("energyClass", understood)
        }
    };
    if !understood {
        reader.reject(field, value, UNKNOWN_WORD);
    }
}

/// Fills `target` with the meaning, unless an earlier row has filled it. Tells whether there is a meaning.
fn keep_first<T: Copy, U: From<T>>(target: &mut Option<U>, meaning: Option<Meaning<T>>) -> bool {
    let understood = meaning.is_some();
    if target.is_none() {
        *target = meaning.and_then(Meaning::value).map(U::from);
    }
    understood
}

/// Fills whether a feature is there and, if the row says so, how large it is.
fn fill_feature(
    attribute: Attribute,
    row: &Row,
    attributes: &mut Attributes,
    reader: &mut FieldReader,
) {
    let presence = row.presence();
    let size = area(&row.value);
    let (flag, area) = match attribute {
        Attribute::Balcony => (&mut attributes.balcony, Some(&mut attributes.balcony_area)),
        Attribute::Loggia => (&mut attributes.loggia, Some(&mut attributes.loggia_area)),
        Attribute::Terrace => (&mut attributes.terrace, Some(&mut attributes.terrace_area)),
        Attribute::Cellar => (&mut attributes.storage, Some(&mut attributes.storage_area)),
        Attribute::Garden => (&mut attributes.garden, Some(&mut attributes.garden_area)),
        Attribute::Garage => (&mut attributes.garage, Some(&mut attributes.garage_area)),
        Attribute::Pool => (&mut attributes.swimming_pool, None),
        Attribute::BarrierFree => (&mut attributes.barrier_free, None),
        Attribute::Elevator => (&mut attributes.elevator, None),
        Attribute::ParkingPlaces => {
            if fold(&row.value) != "0" {
                attributes.parking = Some(true);
            }
            return;
        }
        Attribute::Parking if is_plain_answer(&row.value) => (&mut attributes.parking, None),
        Attribute::Parking => return fill_amenities("parking", &row.value, attributes, reader),
        _ => return fill_amenities(&row.label, &row.value, attributes, reader),
    };
    *flag = flag.or(presence);
    if let Some(area) = area {
        *area = area.or(size);
    }
}

/// Tells whether a value is just yes or no. Other portals list the kinds of parking instead.
fn is_plain_answer(value: &str) -> bool {
    matches!(fold(value).as_str(), "ano" | "ne")
}

fn fill_area(field: &str, value: &str, target: &mut Option<f64>, reader: &mut FieldReader) {
    match area(value) {
        Some(area) => *target = target.or(Some(area)),
        None => reader.reject(field, value, "not an area in m²"),
    }
}

/// Fills source and type of heating. They may be in different rows; the first row that names one wins.
fn fill_heating(value: &str, attributes: &mut Attributes, reader: &mut FieldReader) {
    let Some(heating) = heating_of_text(value) else {
        reader.reject("heatingSource", value, UNKNOWN_WORD);
        return;
    };
    if attributes.heating_source.is_none() {
        attributes.heating_source = heating.source.map(str::to_owned);
    }
    if attributes.heating_type.is_none() {
        attributes.heating_type = heating.kind.map(str::to_owned);
    }
}
