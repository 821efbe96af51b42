//! Where an offer lies, and its page on the portal.

use czech::countries::is_abroad;
use czech::house_number::split_house_number;
use czech::numbered_parts::{district, municipality};
use schema::{Listing, PinPrecision};

use super::payload::{Location, Offer, Surroundings};
use crate::portals::lenient::{Field, Object, Unread, Word, position};

/// Fills the place.
pub fn locate(
    offer: &Offer,
    surroundings: &Surroundings,
    listing: &mut Listing,
    unread: &mut Unread,
) {
    if let Some(Object(location)) = unread.read("location", &offer.location) {
        let attributes = &mut listing.attributes;
        let latitude = unread.figure("location", &location.latitude);
        attributes.location = position(latitude, unread.figure("location", &location.longitude));
        address(&location, listing, unread);
        if let Some(declared) = unread.word("pin", &location.location_precision) {
            unread.note("pin", declared, Unread::UNKNOWN_CODE);
        }
    }
    units(surroundings, listing, unread);
}

/// The parts of the line: the municipality stands last but for its postal code, the street first. Abroad the country
/// stands last, and the line is all that is kept.
fn address(location: &Location, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    attributes.address = unread.word("address", &location.address);
    let line = attributes.address.as_deref().unwrap_or_default();
    if is_abroad(line) {
        unread.note("country", line, "property abroad");
        return;
    }
    let mut parts: Vec<&str> = line
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    attributes.postal_code = parts.pop_if(|last| is_postal_code(last)).map(str::to_owned);
    attributes.city = parts.pop().map(|city| municipality(city).to_owned());
    let mut before = parts.into_iter();
    if let Some(street) = before.next() {
        let (street, number) = split_house_number(street);
        attributes.street = Some(street.to_owned());
        listing.evidence.house_number = number.map(str::to_owned);
    } else if attributes.city.is_some() && attributes.location.is_some() {
        listing.evidence.pin = Some(PinPrecision::Municipality);
    }
    attributes.neighborhood = before.next_back().map(str::to_owned);
}

/// `439 42`.
fn is_postal_code(text: &str) -> bool {
    let digits = |part: &str, count: usize| {
        part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    text.split_once(' ')
        .is_some_and(|(area, office)| digits(area, 3) && digits(office, 2))
}

/// Region (kraj) and district (okres) by their names among the units of the page.
fn units(surroundings: &Surroundings, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    for unit in unread
        .read("region", &surroundings.breadcrumbs)
        .unwrap_or_default()
    {
        let Some(Object(unit)) = unread.read("region", &unit) else {
            continue;
        };
        let Some(name) = unread.word("region", &unit.name) else {
            continue;
        };
        if let Some(named) = name.strip_prefix("okres ") {
            attributes.district = Some(district(named.trim()).to_owned());
        } else if name.ends_with(" kraj") || name.starts_with("Kraj ") {
            attributes.region = Some(name);
        }
    }
}

/// The offer's page, whose path is sent.
pub fn url(path: &Field<Word>, unread: &mut Unread) -> Option<String> {
    let path = unread.word("url", path)?;
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'+' | b'.');
    let is_path = path.starts_with('/') && !path.starts_with("//") && path.bytes().all(plain);
    is_path.then(|| format!("https://www.realingo.cz{path}"))
}
