//! Where the property is, as far as a postal code can tell.

use czech::countries::is_abroad;
use czech::street_in_text::street_in_text;
use schema::{Listing, Location, PinPrecision};

use crate::json::{FieldReader, position};
use crate::value_bounds;

use super::payload::Advert;

/// The postal codes that the portal uses for "Slovensko" and "Zahraničí".
const ABROAD: [&str; 2] = ["98765", "98766"];

/// Fills address, postal code, street and position.
pub(crate) fn fill_place(advert: &Advert, listing: &mut Listing, reader: &mut FieldReader) {
    let zip = reader
        .word("zip_code", &advert.zip_code)
        .unwrap_or_default();
    let digits: String = zip.chars().filter(char::is_ascii_digit).collect();
    let locality = reader.word("locality", &advert.locality);
    let pin = pin(advert, reader);
    let coded_abroad =
        ABROAD.contains(&digits.as_str()) || locality.as_deref().is_some_and(is_abroad);
    if coded_abroad {
        listing.attributes.address = locality;
        return;
    }
    if listing.attributes.title.as_deref().is_some_and(is_abroad) {
        reader.reject(
            "postalCode",
            format!("{zip} {}", locality.unwrap_or_default()),
            "the title says it is abroad",
        );
        return;
    }
    let attributes = &mut listing.attributes;
    if digits.len() == 5 && digits.starts_with(|first| ('1'..='7').contains(&first)) {
        let (area, round) = digits.split_at(3);
        attributes.postal_code = Some(format!("{area} {round}"));
        attributes.city = city_of(&digits).map(str::to_owned);
    } else if !digits.is_empty() {
        reader.reject("postalCode", &zip, "not a Czech postal code");
    }
    attributes.address = match (&attributes.postal_code, locality) {
        (Some(code), Some(locality)) => Some(format!("{code} {locality}")),
        (code, locality) => locality.or_else(|| code.clone()),
    };
    fill_street(listing);
    listing.attributes.location = pin;
    listing.evidence.pin = pin
        .filter(|place| value_bounds::is_in_czechia(*place))
        .map(|_| PinPrecision::Municipality);
}

/// Returns the municipality of a postal code that belongs to only one: three cities have first digits of their own.
fn city_of(digits: &str) -> Option<&'static str> {
    match digits.as_bytes() {
        [b'1', ..] => Some("Praha"),
        [b'6', b'0'..=b'5', ..] => Some("Brno"),
        [b'7', b'0'..=b'2', ..] => Some("Ostrava"),
        _ => None,
    }
}

/// Fills the street that the title names, or else the text.
fn fill_street(listing: &mut Listing) {
    let attributes = &mut listing.attributes;
    let texts = [&attributes.title, &attributes.description];
    let street = texts
        .into_iter()
        .find_map(|text| street_in_text(text.as_deref()?));
    if let Some(street) = street {
        attributes.street = Some(street.name);
        listing.evidence.house_number = street.house_number;
    }
}

fn pin(advert: &Advert, reader: &mut FieldReader) -> Option<Location> {
    let mut degrees = |name: &str, field| {
        let text = reader.word(name, field)?;
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        if value.is_none() {
            reader.reject("location", &text, "not a number of degrees");
        }
        value
    };
    let lat = degrees("latitude", &advert.latitude);
    let lng = degrees("longitude", &advert.longitude);
    position(lat, lng)
}
