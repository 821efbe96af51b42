//! Parsing a `listing`: an advert that already uses the specification's Offer fields.

use schema::{Attributes, Location};

use super::error::LineError;
use super::line::one_of;
use super::object::{JsonText, Object, boolean, is_null, number, text};
use crate::reading::{Reading, ValueReject};

const LISTING: &str = "listing";

/// The fields that a listing may have: the optional fields of the specification's Offer, and `location`.
pub const LISTING_FIELDS: [&str; 45] = [
    "location",
    "title",
    "description",
    "city",
    "street",
    "region",
    "neighborhood",
    "district",
    "postalCode",
    "address",
    "unitNumber",
    "type",
    "subtype",
    "offerType",
    "arrangement",
    "propertyState",
    "ownership",
    "buildingType",
    "priceTotal",
    "livingArea",
    "landArea",
    "floor",
    "floorCount",
    "equipment",
    "garden",
    "storage",
    "balcony",
    "loggia",
    "terrace",
    "garage",
    "elevator",
    "parking",
    "barrierFree",
    "swimmingPool",
    "gardenArea",
    "storageArea",
    "balconyArea",
    "loggiaArea",
    "terraceArea",
    "garageArea",
    "energyClass",
    "heatingSource",
    "heatingType",
    "sewerage",
    "housePosition",
];

/// Parses a `listing`. A floor that is not a whole number is left out. A field that is null or an empty text counts as
/// absent.
///
/// # Errors
/// [`LineError`] for broken JSON, unknown fields, values of the wrong type and values outside an enumeration.
pub fn parse_listing(body: &str) -> Result<Reading, LineError> {
    let listing = Object::parse(LISTING, body)?;
    let mut reading = Reading::default();
    for (field, value) in listing.entries() {
        if is_null(value) && LISTING_FIELDS.contains(&field) {
            continue;
        }
        read_field(&mut reading, field, value)?;
    }
    Ok(reading)
}

fn read_field(reading: &mut Reading, field: &str, value: &JsonText) -> Result<(), LineError> {
    let attributes = &mut reading.listing.attributes;
    if let Some(place) = text_field(attributes, field) {
        let text = text(&error_name(field), value)?;
        *place = (!text.trim().is_empty()).then(|| text.into_owned());
    } else if let Some(place) = number_field(attributes, field) {
        *place = Some(number(&error_name(field), value)?);
    } else if let Some(place) = floor_field(attributes, field) {
        match floor_number(number(&error_name(field), value)?) {
            Ok(whole) => *place = Some(whole),
            Err(reason) => reading
                .unread
                .push(ValueReject::new(field, value.get(), reason)),
        }
    } else if let Some(place) = flag_field(attributes, field) {
        *place = Some(boolean(&error_name(field), value)?);
    } else if field == "location" {
        attributes.location = Some(location(value)?);
    } else {
        enumerated_field(attributes, field, value)?;
    }
    Ok(())
}

/// The name of a field in errors.
fn error_name(field: &str) -> String {
    format!("{LISTING}.{field}")
}

/// The field with this name, if it is a text.
pub(crate) fn text_field<'a>(
    attributes: &'a mut Attributes,
    field: &str,
) -> Option<&'a mut Option<String>> {
    Some(match field {
        "title" => &mut attributes.title,
        "description" => &mut attributes.description,
        "city" => &mut attributes.city,
        "street" => &mut attributes.street,
        "region" => &mut attributes.region,
        "neighborhood" => &mut attributes.neighborhood,
        "district" => &mut attributes.district,
        "postalCode" => &mut attributes.postal_code,
        "address" => &mut attributes.address,
        "unitNumber" => &mut attributes.unit_number,
        "energyClass" => &mut attributes.energy_class,
        "heatingSource" => &mut attributes.heating_source,
        "heatingType" => &mut attributes.heating_type,
        "sewerage" => &mut attributes.sewerage,
        "housePosition" => &mut attributes.house_position,
        _ => return None,
    })
}

fn number_field<'a>(attributes: &'a mut Attributes, field: &str) -> Option<&'a mut Option<f64>> {
    Some(match field {
        "priceTotal" => &mut attributes.price_total,
        "livingArea" => &mut attributes.living_area,
        "landArea" => &mut attributes.land_area,
        "gardenArea" => &mut attributes.garden_area,
        "storageArea" => &mut attributes.storage_area,
        "balconyArea" => &mut attributes.balcony_area,
        "loggiaArea" => &mut attributes.loggia_area,
        "terraceArea" => &mut attributes.terrace_area,
        "garageArea" => &mut attributes.garage_area,
        _ => return None,
    })
}

fn floor_field<'a>(attributes: &'a mut Attributes, field: &str) -> Option<&'a mut Option<i16>> {
    Some(match field {
        "floor" => &mut attributes.floor,
        "floorCount" => &mut attributes.floor_count,
        _ => return None,
    })
}

fn flag_field<'a>(attributes: &'a mut Attributes, field: &str) -> Option<&'a mut Option<bool>> {
    Some(match field {
        "garden" => &mut attributes.garden,
        "storage" => &mut attributes.storage,
        "balcony" => &mut attributes.balcony,
        "loggia" => &mut attributes.loggia,
        "terrace" => &mut attributes.terrace,
        "garage" => &mut attributes.garage,
        "elevator" => &mut attributes.elevator,
        "parking" => &mut attributes.parking,
        "barrierFree" => &mut attributes.barrier_free,
        "swimmingPool" => &mut attributes.swimming_pool,
        _ => return None,
    })
}

fn enumerated_field(
    attributes: &mut Attributes,
    field: &str,
    value: &JsonText,
) -> Result<(), LineError> {
    let name = error_name(field);
    match field {
        "type" => attributes.property_type = Some(one_of(&name, value)?),
        "subtype" => attributes.subtype = Some(one_of(&name, value)?),
        "offerType" => attributes.offer_type = Some(one_of(&name, value)?),
        "arrangement" => attributes.arrangement = Some(one_of(&name, value)?),
        "propertyState" => attributes.property_state = Some(one_of(&name, value)?),
        "ownership" => attributes.ownership = Some(one_of(&name, value)?),
        "buildingType" => attributes.building_type = Some(one_of(&name, value)?),
        "equipment" => attributes.equipment = Some(one_of(&name, value)?),
        _ => return Err(LineError::unknown(LISTING, field, &LISTING_FIELDS)),
    }
    Ok(())
}

/// A floor or a number of floors. JSON does not distinguish `2` from `2.0`.
fn floor_number(number: f64) -> Result<i16, &'static str> {
    if number.fract() != 0.0 {
        Err("not a whole number")
    } else if !(f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&number) {
        Err("outside any number of floors")
    } else {
        Ok(number as i16)
    }
}

fn location(value: &JsonText) -> Result<Location, LineError> {
    let location = Object::parse("listing.location", value.get())?;
    location.expect_keys(&["lat", "lng"])?;
    Ok(Location {
        lat: number("listing.location.lat", location.require("lat")?)?,
        lng: number("listing.location.lng", location.require("lng")?)?,
    })
}
