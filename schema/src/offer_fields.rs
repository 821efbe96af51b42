//! The fields of an offer that portals publish, in one table: [`FIELDS`], and [`Attributes`] with a member for each.
//!
//! To add a field, add one line to the table here and one line with its merge rule to `dedup/src/merging/fields.rs`,
//! which does not compile without it. Dump lines, the JSON that is served and stored, and the OpenAPI document follow the
//! table; only a field that searches filter by is also marked `column`, with a migration that adds the column to
//! `offers`.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::enumerations::{
    Arrangement, BuildingType, Equipment, OfferType, Ownership, PropertyState, PropertyType,
    SpecEnum, Subtype, UnknownValue,
};

/// A position in WGS 84 degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Location {
    /// Latitude, north positive.
    pub lat: f64,
    /// Longitude, east positive.
    pub lng: f64,
}

/// A field of the spec's Offer that portals publish.
#[derive(Debug)]
pub struct OfferField {
    /// The name in JSON.
    pub name: &'static str,
    /// What it means, as the OpenAPI document says it.
    pub description: &'static str,
    /// What it holds, and where [`Attributes`] keeps it.
    pub kind: FieldKind,
    /// The column of the table `offers` that searches filter by.
    pub(crate) column: Option<&'static str>,
}

/// What a field holds.
#[derive(Debug)]
pub enum FieldKind {
    /// A position; `null` rather than absent where it is unknown.
    Location(Access<Location>),
    /// A text.
    Text {
        /// Where it is kept.
        access: Access<String>,
        /// Values that the spec names. Others may occur; empty where it names none.
        known_values: &'static [&'static str],
    },
    /// A number.
    Number(Access<f64>),
    /// A whole number.
    WholeNumber(Access<i16>),
    /// A feature that is there or is not.
    Flag(Access<bool>),
    /// A value of one of the spec's enumerations.
    Enumerated {
        /// Where it is kept.
        access: EnumeratedAccess,
        /// The name of the enumeration's type, here and in the OpenAPI document.
        type_name: &'static str,
        /// The accepted texts, in the order of the spec.
        values: &'static [&'static str],
    },
}

/// Reads and writes one field of [`Attributes`].
#[derive(Debug)]
pub struct Access<T: 'static> {
    /// The value.
    pub get: fn(&Attributes) -> &Option<T>,
    /// Where to write it.
    pub get_mut: fn(&mut Attributes) -> &mut Option<T>,
}

/// Reads and writes one enumerated field of [`Attributes`].
#[derive(Debug)]
pub struct EnumeratedAccess {
    /// The place of the value in the spec's list.
    pub code: fn(&Attributes) -> Option<u8>,
    /// The value's text.
    pub text: fn(&Attributes) -> Option<&'static str>,
    /// Sets the value from its text.
    pub set: fn(&mut Attributes, &str) -> Result<(), UnknownValue>,
}

macro_rules! offer_fields {
    ($(
        $field:ident: $type:ty, $kind:ident $([$($known:literal),+])?, $name:literal, $description:literal
        $(, $column:ident)?;
    )+) => {
        /// The published facts of a property: the fields of [`FIELDS`]. Unknown is `None`, never 0 or an empty text.
        #[derive(Debug, Clone, PartialEq, Default, Deserialize)]
        #[serde(default)]
        pub struct Attributes {
            $(
                #[doc = $description]
                #[serde(rename = $name)]
                pub $field: Option<$type>,
            )+
        }

        /// The JSON name of each member of [`Attributes`], for code that lists the members.
        pub mod names {
            $(
                #[doc = concat!("The JSON name of `", stringify!($field), "`.")]
                #[expect(non_upper_case_globals, reason = "named as the member")]
                pub const $field: &str = $name;
            )+
        }

        /// Every field, in the order of the spec.
        pub const FIELDS: &[OfferField] = &[$(
            OfferField {
                name: $name,
                description: $description,
                kind: offer_fields!(@kind $kind $field: $type $([$($known),+])?),
                column: offer_fields!(@column $field $($column)?),
            },
        )+];
    };
    (@kind text $field:ident: $type:ty $([$($known:literal),+])?) => {
        FieldKind::Text {
            access: offer_fields!(@access $field),
            known_values: &[$($($known),+)?],
        }
    };
    (@kind enumerated $field:ident: $type:ty) => {
        FieldKind::Enumerated {
            access: EnumeratedAccess {
                code: |attributes| attributes.$field.map(SpecEnum::code),
                text: |attributes| attributes.$field.map(SpecEnum::as_str),
                set: |attributes, text| {
                    attributes.$field = Some(text.parse()?);
                    Ok(())
                },
            },
            type_name: stringify!($type),
            values: <$type as SpecEnum>::TEXTS,
        }
    };
    (@kind number $field:ident: $type:ty) => { FieldKind::Number(offer_fields!(@access $field)) };
    (@kind whole_number $field:ident: $type:ty) => {
        FieldKind::WholeNumber(offer_fields!(@access $field))
    };
    (@kind flag $field:ident: $type:ty) => { FieldKind::Flag(offer_fields!(@access $field)) };
    (@kind location $field:ident: $type:ty) => { FieldKind::Location(offer_fields!(@access $field)) };
    (@access $field:ident) => {
        Access {
            get: |attributes| &attributes.$field,
            get_mut: |attributes| &mut attributes.$field,
        }
    };
    (@column $field:ident) => { None };
    (@column $field:ident column) => { Some(stringify!($field)) };
}

offer_fields! {
    location: Location, location, "location", "Geocoded position; null if no portal gave one.";
    title: String, text, "title", "Listing title as written by the portal, in Czech.";
    description: String, text, "description", "Full listing text as written by the portal, in Czech.";
    city: String, text, "city", "Municipality.", column;
    street: String, text, "street", "Street name without the house number.", column;
    region: String, text, "region", "Region (kraj).", column;
    neighborhood: String, text, "neighborhood", "City part or quarter.", column;
    district: String, text, "district", "District (okres).", column;
    postal_code: String, text, "postalCode",
        "Czech postal code, usually with a space between the groups.", column;
    address: String, text, "address", "Address line as published; precision differs between portals.";
    unit_number: String, text, "unitNumber", "Apartment or unit number; rarely present.";
    property_type: PropertyType, enumerated, "type", "Property type.", column;
    subtype: Subtype, enumerated, "subtype", "Finer property type.", column;
    offer_type: OfferType, enumerated, "offerType", "Kind of offer.", column;
    arrangement: Arrangement, enumerated, "arrangement",
        "Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen.",
        column;
    property_state: PropertyState, enumerated, "propertyState", "Condition of the property.", column;
    ownership: Ownership, enumerated, "ownership",
        "Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`.",
        column;
    building_type: BuildingType, enumerated, "buildingType", "Construction type.", column;
    price_total: f64, number, "priceTotal",
        "Asking price in CZK: the total for a sale, the monthly amount for a rent.", column;
    living_area: f64, number, "livingArea", "Living (usable) floor area in m².", column;
    land_area: f64, number, "landArea", "Plot area in m².", column;
    floor: i16, whole_number, "floor",
        "Floor of the unit; 0 is the ground floor, negative is below ground.", column;
    floor_count: i16, whole_number, "floorCount", "Number of floors in the building.", column;
    equipment: Equipment, enumerated, "equipment", "How furnished the property is.", column;
    garden: bool, flag, "garden", "Garden.";
    storage: bool, flag, "storage", "Storage room or cellar.";
    balcony: bool, flag, "balcony", "Balcony.";
    loggia: bool, flag, "loggia", "Loggia.";
    terrace: bool, flag, "terrace", "Terrace.";
    garage: bool, flag, "garage", "Garage.";
    elevator: bool, flag, "elevator", "Elevator.";
    parking: bool, flag, "parking", "Parking.";
    barrier_free: bool, flag, "barrierFree", "Wheelchair access.";
    swimming_pool: bool, flag, "swimmingPool", "Swimming pool.";
    garden_area: f64, number, "gardenArea", "Area of the garden in m².";
    storage_area: f64, number, "storageArea", "Area of the storage room or cellar in m².";
    balcony_area: f64, number, "balconyArea", "Area of the balcony in m².";
    loggia_area: f64, number, "loggiaArea", "Area of the loggia in m².";
    terrace_area: f64, number, "terraceArea", "Area of the terrace in m².";
    garage_area: f64, number, "garageArea", "Area of the garage in m².";
    energy_class: String, text, "energyClass",
        "Energy class as published: usually a letter A to G. Not an enumeration.";
    heating_source: String,
        text ["gas", "electric", "solid", "solid-fuel", "combined", "heat-pump", "other"],
        "heatingSource", "Heating source.";
    heating_type: String, text ["communal", "local"], "heatingType",
        "Heating type: `communal` is central.";
    sewerage: String, text ["communal", "septic-tank"], "sewerage",
        "Sewerage: `communal` is the public sewer.";
    house_position: String, text ["free_standing", "terraced", "semi_detached"], "housePosition",
        "Position of the house.";
}

impl OfferField {
    /// The field of this name in JSON.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.name == name)
    }

    /// Whether every offer has the field, with `null` for unknown.
    pub fn is_always_present(&self) -> bool {
        matches!(self.kind, FieldKind::Location(_))
    }

    /// Adds the field to a JSON object, unless it is unknown and need not be present.
    fn serialize_into<M: SerializeMap>(
        &self,
        attributes: &Attributes,
        object: &mut M,
    ) -> Result<(), M::Error> {
        match &self.kind {
            FieldKind::Location(access) => {
                object.serialize_entry(self.name, (access.get)(attributes))
            }
            FieldKind::Text { access, .. } => {
                add(object, self.name, (access.get)(attributes).as_ref())
            }
            FieldKind::Number(access) => {
                let value = (access.get)(attributes).map(ShortNumber);
                add(object, self.name, value.as_ref())
            }
            FieldKind::WholeNumber(access) => {
                add(object, self.name, (access.get)(attributes).as_ref())
            }
            FieldKind::Flag(access) => add(object, self.name, (access.get)(attributes).as_ref()),
            FieldKind::Enumerated { access, .. } => {
                add(object, self.name, (access.text)(attributes).as_ref())
            }
        }
    }
}

fn add<M: SerializeMap, T: Serialize>(
    object: &mut M,
    name: &str,
    value: Option<&T>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| object.serialize_entry(name, value))
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for field in FIELDS {
            field.serialize_into(self, &mut object)?;
        }
        object.end()
    }
}

/// A number that is written without a fraction where it is whole (`4693000`, not `4693000.0`).
struct ShortNumber(f64);

impl Serialize for ShortNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(&self.0, serializer)
    }
}

/// Serialises a number; a whole one without a fraction.
///
/// # Errors
/// Those of the serialiser.
pub fn number<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Below 2^53 every whole number is exact, and an i64 holds it.
    if value.fract() == 0.0 && value.abs() < 9e15 {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}
