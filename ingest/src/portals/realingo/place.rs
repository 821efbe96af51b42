//! Where an offer lies, and its page on the portal.

use czech::countries::is_abroad;
use czech::house_number::split_house_number;
use czech::numbered_parts::{district, municipality};
use schema::{Listing, PinPrecision};

use super::payload::{Location, Offer, Surroundings};
use crate::json::{Field, FieldReader, Object, Word, position};

/// Fills the place.
pub(crate) fn fill_place(
    offer: &Offer,
    surroundings: &Surroundings,
    listing: &mut Listing,
    reader: &mut FieldReader,
) {
    if let Some(Object(location)) = reader.value("location", &offer.location) {
        let attributes = &mut listing.attributes;
        let latitude = reader.number("location", &location.latitude);
        attributes.location = position(latitude, reader.number("location", &location.longitude));
        fill_address(&location, listing, reader);
        if let Some(declared) = reader.word("pin", &location.location_precision) {
            reader.reject("pin", declared, FieldReader::UNKNOWN_CODE);
        }
    }
    fill_units(surroundings, listing, reader);
}

/// Fills the place from the address line. The street comes first, and the municipality last, unless a postal code
/// follows. An address abroad ends with the country; then only the line is kept.
fn fill_address(location: &Location, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    attributes.address = reader.word("address", &location.address);
    let line = attributes.address.as_deref().unwrap_or_default();
    if is_abroad(line) {
        reader.reject("country", line, "property abroad");
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

/// Tells whether a text is a postal code such as `439 42`.
fn is_postal_code(text: &str) -> bool {
    let digits = |part: &str, count: usize| {
        part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    text.split_once(' ')
        .is_some_and(|(area, office)| digits(area, 3) && digits(office, 2))
}

/// Fills region (kraj) and district (okres), which are recognised by their names among the units of the page.
fn fill_units(surroundings: &Surroundings, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    for unit in reader
        .value("region", &surroundings.breadcrumbs)
        .unwrap_or_default()
    {
        let Some(Object(unit)) = reader.value("region", &unit) else {
            continue;
        };
        let Some(name) = reader.word("region", &unit.name) else {
            continue;
        };
        if let Some(named) = name.strip_prefix("okres ") {
            attributes.district = Some(district(named.trim()).to_owned());
        } else if name.ends_with(" kraj") || name.starts_with("Kraj ") {
            attributes.region = Some(name);
        }
    }
}

/// Builds the address of the offer's page. The portal sends its path.
pub(crate) fn url(path: &Field<Word>, reader: &mut FieldReader) -> Option<String> {
    let path = reader.word("url", path)?;
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'+' | b'.');
    let is_path = path.starts_with('/') && !path.starts_with("//") && path.bytes().all(plain);
    is_path.then(|| format!("https://www.realingo.cz{path}"))
}
