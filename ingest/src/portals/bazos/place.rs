//! Where the property is, as far as a postal code can say it.

use czech::countries::is_abroad;
use czech::street_in_text::street_in_text;
use schema::{Listing, Location, PinPrecision};

use crate::portals::lenient::{Unread, position};
use crate::sense;

use super::payload::Advert;

/// Postal codes that stand for "Slovensko" and "Zahraničí".
const ABROAD: [&str; 2] = ["98765", "98766"];

/// Fills address, postal code, street and position.
pub fn fill(advert: &Advert, listing: &mut Listing, unread: &mut Unread) {
    let zip = unread
        .word("zip_code", &advert.zip_code)
        .unwrap_or_default();
    let digits: String = zip.chars().filter(char::is_ascii_digit).collect();
    let locality = unread.word("locality", &advert.locality);
    let pin = pin(advert, unread);
    let coded_abroad =
        ABROAD.contains(&digits.as_str()) || locality.as_deref().is_some_and(is_abroad);
    if coded_abroad {
        listing.attributes.address = locality;
        return;
    }
    if listing.attributes.title.as_deref().is_some_and(is_abroad) {
        unread.note(
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
        unread.note("postalCode", &zip, "not a Czech postal code");
    }
    attributes.address = match (&attributes.postal_code, locality) {
        (Some(code), Some(locality)) => Some(format!("{code} {locality}")),
        (code, locality) => locality.or_else(|| code.clone()),
    };
    street(listing);
    listing.attributes.location = pin;
    listing.evidence.pin = pin
        .filter(|place| sense::in_the_country(*place))
        .map(|_| PinPrecision::Municipality);
}

/// The municipality of a postal code that belongs to no other: the three cities whose codes begin apart.
fn city_of(digits: &str) -> Option<&'static str> {
    match digits.as_bytes() {
        [b'1', ..] => Some("Praha"),
        [b'6', b'0'..=b'5', ..] => Some("Brno"),
        [b'7', b'0'..=b'2', ..] => Some("Ostrava"),
        _ => None,
    }
}

/// The street that the title names, else the text.
fn street(listing: &mut Listing) {
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

fn pin(advert: &Advert, unread: &mut Unread) -> Option<Location> {
    let mut degrees = |name: &str, field| {
        let text = unread.word(name, field)?;
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        if value.is_none() {
            unread.note("location", &text, "not a number of degrees");
        }
        value
    };
    let lat = degrees("latitude", &advert.latitude);
    let lng = degrees("longitude", &advert.longitude);
    position(lat, lng)
}
