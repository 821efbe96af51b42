//! Where an advert lies, and its page on the portal.

use schema::{Evidence, Listing, PinPrecision};

use super::codes;
use super::districts;
use super::payload::{Estate, Locality};
use crate::json::{Field, FieldReader, look_up, position};

/// The portal's number of the Czech Republic.
const CZECHIA: f64 = 112.0;

/// How exactly the pin marks the property, as the portal declares it. An advertiser can have the pin moved to the middle
/// of a coarser unit, and the coordinates are then that middle. The position is served as given in any case.
const PINS: &[(&str, PinPrecision)] = &[
    ("gps", PinPrecision::Exact),
    ("address", PinPrecision::Exact),
    ("street", PinPrecision::Street),
    ("ward", PinPrecision::Quarter),
    ("quarter", PinPrecision::Quarter),
    ("municipality", PinPrecision::Municipality),
];

/// Fills the place.
pub(crate) fn fill_place(locality: &Locality, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    let latitude = reader.number("location", &locality.gps_lat);
    let longitude = reader.number("location", &locality.gps_lon);
    attributes.location = position(latitude, longitude);
    listing.evidence.pin = pin(locality, reader);

    let attributes = &mut listing.attributes;
    attributes.region = reader.word("region", &locality.region);
    attributes.district = district(locality, reader);
    attributes.city = reader.word("city", &locality.city);
    let quarter = reader.word("neighborhood", &locality.quarter);
    let part = reader.word("neighborhood", &locality.citypart);
    attributes.neighborhood = part.clone().or_else(|| quarter.clone());
    attributes.street = street(locality, reader);
    attributes.postal_code = postal_code(locality, reader);
    listing.evidence.house_number = house_number(locality, reader);
    listing.attributes.address = address(listing, quarter.as_deref());

    let country = reader.number("country", &locality.country_id);
    if country.is_some_and(|country| country > 0.0 && country != CZECHIA) {
        let name = reader
            .word("country", &locality.country)
            .unwrap_or_default();
        reader.reject("country", name, "property abroad");
    }
}

fn pin(locality: &Locality, reader: &mut FieldReader) -> Option<PinPrecision> {
    let declared = reader.word("pin", &locality.inaccuracy_type)?;
    let precision = look_up(PINS, &declared.as_str());
    if precision.is_none() {
        reader.reject("pin", declared, FieldReader::UNKNOWN_CODE);
    }
    precision
}

/// Returns the district (okres). In Prague the portal sends a postal district (Praha 8), which is not an okres.
fn district(locality: &Locality, reader: &mut FieldReader) -> Option<String> {
    let id = reader.number("district", &locality.district_id);
    if id.is_some_and(|id| districts::is_part_of_prague(id as i64)) {
        return Some(districts::PRAGUE.to_owned());
    }
    reader.word("district", &locality.district)
}

/// Returns the street. A street id of −1 means that there is none.
fn street(locality: &Locality, reader: &mut FieldReader) -> Option<String> {
    let none = reader.number("street", &locality.street_id) == Some(-1.0);
    reader.word("street", &locality.street).filter(|_| !none)
}

/// Returns the postal code in its written form; the portal sends a number. −1 and 0 mean that there is none.
fn postal_code(locality: &Locality, reader: &mut FieldReader) -> Option<String> {
    let code = reader
        .word("postalCode", &locality.zip)
        .filter(|code| code != "-1" && code != "0")?;
    let digits: String = code
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    match (digits.get(..3), digits.get(3..)) {
        (Some(area), Some(office))
            if digits.len() == 5 && digits.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Some(format!("{area} {office}"))
        }
        _ => {
            reader.reject("postalCode", code, "not a Czech postal code");
            None
        }
    }
}

/// Returns building and orientation number as they are written in an address: `1290/16`.
pub(crate) fn house_number(locality: &Locality, reader: &mut FieldReader) -> Option<String> {
    let is_given = |number: &String| number != "0" && number != "-1";
    let building = reader
        .word("houseNumber", &locality.housenumber)
        .filter(is_given);
    let orientation = reader
        .word("houseNumber", &locality.streetnumber)
        .filter(is_given);
    match (building, orientation) {
        (Some(building), Some(orientation)) => Some(format!("{building}/{orientation}")),
        (building, orientation) => building.or(orientation),
    }
}

/// Builds the line that the portal shows at the top of an advert: `Na Šutce 398/2, Praha 8 - Troja`, or without a street
/// `Milín - Stěžov, okres Příbram`.
fn address(listing: &Listing, quarter: Option<&str>) -> Option<String> {
    let attributes = &listing.attributes;
    let city = attributes.city.as_deref()?;
    let town = quarter
        .filter(|quarter| quarter.starts_with("Praha "))
        .unwrap_or(city);
    let place = match attributes.neighborhood.as_deref() {
        Some(part) if part != city && part != town => format!("{town} - {part}"),
        _ => town.to_owned(),
    };
    let Evidence { house_number, .. } = &listing.evidence;
    Some(
        match (&attributes.street, house_number, &attributes.district) {
            (Some(street), Some(number), _) => format!("{street} {number}, {place}"),
            (Some(street), None, _) => format!("{street}, {place}"),
            (None, _, Some(district)) if district != districts::PRAGUE => {
                format!("{place}, okres {district}")
            }
            _ => place,
        },
    )
}

/// Builds the URL of the advert's page. The portal looks only at the subcategory's word and the id, and redirects to
/// its own spelling of the rest. It answers 404 to a wrong word, so an unknown subcategory has no address.
pub(crate) fn url(estate: &Estate, reader: &mut FieldReader) -> Option<String> {
    let advert = &estate.advert;
    let (_, offer) = codes::by_code(codes::OFFERS, advert.category_type_cb.get()?.value)?;
    let (kind, main) = codes::by_code(codes::TYPES, advert.category_main_cb.get()?.value)?;
    let (of, _, sub) = codes::by_code(codes::SUBCATEGORIES, advert.category_sub_cb.get()?.value)?;
    if kind != of {
        return None;
    }
    let id = reader
        .word("url", &advert.hash_id)
        .filter(|id| is_slug(id))?;
    let mut slug = |field: &Field<_>| reader.word("url", field).filter(|name| is_slug(name));
    let city = slug(&estate.locality.city_seo_name)?;
    let part = slug(&estate.locality.citypart_seo_name).unwrap_or_else(|| city.clone());
    let street = slug(&estate.locality.street_seo_name).unwrap_or_default();
    Some(format!(
        "https://www.sreality.cz/detail/{offer}/{main}/{sub}/{city}-{part}-{street}/{id}"
    ))
}

/// Tells whether a text can be part of an address without encoding.
pub(crate) fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+'))
}
