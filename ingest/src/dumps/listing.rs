//! Parsing a `listing`: an advert that already uses the specification's Offer fields.

use schema::Location;
use schema::offer_fields::{FIELDS, FieldKind, OfferField};

use super::error::LineError;
use super::object::{JsonText, Object, boolean, is_null, number, text};
use crate::reading::{Reading, ValueReject};

const LISTING: &str = "listing";

/// Parses a `listing`, which may have the fields of [`FIELDS`]. A floor that is not a whole number is left out. A field
/// that is null or an empty text counts as absent.
///
/// # Errors
/// [`LineError`] for broken JSON, unknown fields, values of the wrong type and values outside an enumeration.
pub fn parse_listing(body: &str) -> Result<Reading, LineError> {
    let listing = Object::parse(LISTING, body)?;
    let mut reading = Reading::default();
    for (key, value) in listing.entries() {
        let field = OfferField::by_name(key).ok_or_else(|| {
            let names: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
            LineError::unknown(LISTING, key, &names)
        })?;
        if !is_null(value) {
            read_field(&mut reading, field, value)?;
        }
    }
    Ok(reading)
}

fn read_field(
    reading: &mut Reading,
    field: &OfferField,
    value: &JsonText,
) -> Result<(), LineError> {
    let attributes = &mut reading.listing.attributes;
    let name = format!("{LISTING}.{}", field.name);
    match &field.kind {
        FieldKind::Text { access, .. } => {
            let text = text(&name, value)?;
            *(access.get_mut)(attributes) = (!text.trim().is_empty()).then(|| text.into_owned());
        }
        FieldKind::Number(access) => {
            *(access.get_mut)(attributes) = Some(number(&name, value)?);
        }
        FieldKind::WholeNumber(access) => match whole_floor(number(&name, value)?) {
            Ok(whole) => *(access.get_mut)(attributes) = Some(whole),
            Err(reason) => reading
                .unread
                .push(ValueReject::new(field.name, value.get(), reason)),
        },
        FieldKind::Flag(access) => {
            *(access.get_mut)(attributes) = Some(boolean(&name, value)?);
        }
        FieldKind::Location(access) => {
            *(access.get_mut)(attributes) = Some(location(value)?);
        }
        FieldKind::Enumerated { access, values, .. } => {
            let known =
                text(&name, value).is_ok_and(|text| (access.set)(attributes, &text).is_ok());
            if !known {
                let accepted = format!("one of {}", values.join(", "));
                return Err(LineError::not_accepted(&name, value, accepted));
            }
        }
    }
    Ok(())
}

/// A floor or a number of floors. JSON does not distinguish `2` from `2.0`.
fn whole_floor(number: f64) -> Result<i16, &'static str> {
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
