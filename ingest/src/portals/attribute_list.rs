//! The attribute list of a detail page: rows of a label and a value, and the fields that they fill.
//!
//! A portal has a table of its own labels ([`Labels`]); how values are read is the same for all of them.

use czech::floor::{Counting, floor_count, floor_of_field};
use czech::fold;
use czech::text::present;
use schema::{Listing, PropertyType};

use crate::notation::Meaning;
use crate::notation::area::area;
use crate::notation::energy_class::energy_class;
use crate::notation::heating::heating_of_text;
use crate::notation::words;

use super::amenities::amenities;
use super::lenient::Unread;

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// Its label as written, without a colon.
    pub label: String,
    /// Its value as shown.
    pub value: String,
    /// The icon in place of a value: a tick is yes, a cross no.
    pub ticked: Option<bool>,
}

impl Row {
    /// A row with a written value; the colon behind its label goes.
    pub fn new(label: &str, value: String) -> Self {
        Self {
            label: label.trim_end_matches(':').trim_end().to_owned(),
            value,
            ticked: None,
        }
    }

    /// Whether this is its label, which is folded and without a colon.
    fn is(&self, label: &str) -> bool {
        fold(&self.label) == label
    }

    /// A tick or any words are a yes, a cross or "ne" a no, nothing at all is nothing.
    fn is_there(&self) -> Option<bool> {
        self.ticked.or_else(|| match fold(&self.value).as_str() {
            "" => None,
            "ne" | "neni" | "bez" => Some(false),
            _ => Some(true),
        })
    }
}

/// What a label says of the property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    /// Nothing that the spec has a field for, or what is read elsewhere.
    Beside,
    /// The agency's order number, behind this prefix of the portal's.
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
    /// Storeys of what is on offer: of a house they are the building's, of a flat its own.
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
}

/// A portal's labels, folded and without colons. Where several fill one field, the earlier in the table counts.
pub type Labels = [(&'static str, Attribute)];

/// Reason for a word that no reader of its kind understands.
pub const UNKNOWN_WORD: &str = "a word the portal was not known to use";

/// Takes the rows over into the listing. The type of property must be known before, for some labels depend on it.
pub fn take_over(rows: &[Row], labels: &Labels, listing: &mut Listing, unread: &mut Unread) {
    for (label, attribute) in labels {
        for row in rows.iter().filter(|row| row.is(label)) {
            take(*attribute, row, listing, unread);
        }
    }
    for row in rows
        .iter()
        .filter(|row| !labels.iter().any(|(label, _)| row.is(label)))
    {
        unread.note(
            &row.label,
            &row.value,
            "an attribute the portal was not known to publish",
        );
    }
    drop_contradicted_count(listing, unread);
}

/// A flat on the fifth floor of one: the number of storeys is the one that nobody looks at. An attic is often not
/// counted, so that one floor above the last is believed.
fn drop_contradicted_count(listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    if let (Some(floor), Some(count)) = (attributes.floor, attributes.floor_count)
        && floor > count
    {
        unread.note("floorCount", count, "less than the unit's own floor");
        attributes.floor_count = None;
    }
}

/// The value of the row with this label, which is folded and without a colon.
pub fn value<'a>(rows: &'a [Row], label: &str) -> Option<&'a str> {
    rows.iter()
        .find(|row| row.is(label))
        .map(|row| row.value.as_str())
}

fn take(attribute: Attribute, row: &Row, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let value = row.value.as_str();
    match attribute {
        Attribute::Beside => {}
        Attribute::OrderCode(prefix) => {
            let code = value.trim();
            listing.evidence.order_code = present(code.strip_prefix(prefix).unwrap_or(code));
        }
        Attribute::UnitNumber => attributes.unit_number = present(value),
        Attribute::LivingArea => measure("livingArea", value, &mut attributes.living_area, unread),
        Attribute::TotalArea => {
            measure("totalArea", value, &mut listing.evidence.total_area, unread)
        }
        Attribute::LandArea => measure("landArea", value, &mut attributes.land_area, unread),
        Attribute::Construction => {
            word(
                "buildingType",
                value,
                &mut attributes.building_type,
                words::construction,
                unread,
            );
        }
        Attribute::Condition => {
            word(
                "propertyState",
                value,
                &mut attributes.property_state,
                words::condition,
                unread,
            );
        }
        Attribute::Ownership => {
            word(
                "ownership",
                value,
                &mut attributes.ownership,
                words::ownership,
                unread,
            );
        }
        Attribute::Position => {
            text(
                "housePosition",
                value,
                &mut attributes.house_position,
                words::position,
                unread,
            );
        }
        Attribute::Equipment => {
            word(
                "equipment",
                value,
                &mut attributes.equipment,
                words::equipment,
                unread,
            );
        }
        Attribute::Sewerage => text(
            "sewerage",
            value,
            &mut attributes.sewerage,
            words::sewerage,
            unread,
        ),
        Attribute::Heating => warmth(value, listing, unread),
        Attribute::EnergyClass => match energy_class(value) {
            Some(class) => attributes.energy_class = Some(class),
            None => unread.note("energyClass", value, UNKNOWN_WORD),
        },
        Attribute::Floor(counting) => {
            attributes.floor = floor_of_field(value, counting);
            if attributes.floor.is_none() {
                unread.note("floor", value, "not a floor");
            }
        }
        Attribute::OwnStoreys if attributes.property_type == Some(PropertyType::Apartment) => {}
        Attribute::FloorCount | Attribute::OwnStoreys => match floor_count(value) {
            Some(count) => attributes.floor_count = Some(count),
            None => unread.note("floorCount", value, "not a number of floors"),
        },
        _ => feature(attribute, row, listing, unread),
    }
}

/// Rows that say that something is there, and some how large it is.
fn feature(attribute: Attribute, row: &Row, listing: &mut Listing, unread: &mut Unread) {
    let there = row.is_there();
    let size = area(&row.value);
    let attributes = &mut listing.attributes;
    let (flag, measure) = match attribute {
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
        Attribute::Parking => return amenities("parking", &row.value, attributes, unread),
        _ => return amenities(&row.label, &row.value, attributes, unread),
    };
    *flag = flag.or(there);
    if let Some(measure) = measure {
        *measure = measure.or(size);
    }
}

/// `Ano`, `Ne`, where another portal names what there is.
fn is_plain_answer(value: &str) -> bool {
    matches!(fold(value).as_str(), "ano" | "ne")
}

fn measure(field: &str, value: &str, target: &mut Option<f64>, unread: &mut Unread) {
    match area(value) {
        Some(area) => *target = target.or(Some(area)),
        None => unread.note(field, value, "not an area in m²"),
    }
}

fn word<T: Copy>(
    field: &str,
    value: &str,
    target: &mut Option<T>,
    read: fn(&str) -> Option<Meaning<T>>,
    unread: &mut Unread,
) {
    match read(value) {
        Some(meaning) => *target = target.or(meaning.value()),
        None => unread.note(field, value, UNKNOWN_WORD),
    }
}

fn text(
    field: &str,
    value: &str,
    target: &mut Option<String>,
    read: fn(&str) -> Option<Meaning<&'static str>>,
    unread: &mut Unread,
) {
    let mut found = None;
    word(field, value, &mut found, read, unread);
    if target.is_none() {
        *target = found.map(str::to_owned);
    }
}

/// Source and type may be said in different rows; the first that says something counts.
fn warmth(value: &str, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let Some(heating) = heating_of_text(value) else {
        unread.note("heatingSource", value, UNKNOWN_WORD);
        return;
    };
    if attributes.heating_source.is_none() {
        attributes.heating_source = heating.source.map(str::to_owned);
    }
    if attributes.heating_type.is_none() {
        attributes.heating_type = heating.kind.map(str::to_owned);
    }
}
