//! Where an advert of API v2 lies, and its page on the portal.

use schema::{Listing, Location, PinPrecision};
use serde_json::Value;

use super::normalise::object_or_default;
use super::payload::{Bounds, Estate, Seo};
use crate::json::{FieldReader, Object, position};
use crate::portals::sreality::place::is_slug;
use crate::portals::sreality::{codes, districts};

/// Fills the place.
pub(crate) fn fill_place(estate: &Estate, listing: &mut Listing, reader: &mut FieldReader) {
    let pin = reader
        .value("location", &estate.map)
        .or_else(|| reader.value("location", &estate.gps));
    if let Some(Object(pin)) = pin {
        let latitude = reader.number("location", &pin.lat);
        let longitude = reader.number("location", &pin.lon);
        listing.attributes.location = position(latitude, longitude);
        listing.evidence.pin = precision(estate, &object_or_default(&pin.bounding_box));
    }
    let id = reader.number("district", &estate.locality_district_id);
    let district = id.and_then(|id| districts::district_name(id as i64));
    listing.attributes.district = district.map(str::to_owned);
    if let Some(line) = address_line(estate) {
        fill_from_line(line, listing);
    }
}

/// Returns the address line: a text in a list item, `{value, accuracy}` in a detail.
fn address_line(estate: &Estate) -> Option<&str> {
    let locality = estate.locality.get()?;
    let line = locality
        .as_str()
        .or_else(|| locality.get("value").and_then(Value::as_str))?
        .trim();
    (!line.is_empty()).then_some(line)
}

/// Fills the place from a line such as `Mšecká, Praha 5 - Jinonice`, `Šiklové, Praha` or `Sazovice, okres Zlín`.
fn fill_from_line(line: &str, listing: &mut Listing) {
    let attributes = &mut listing.attributes;
    attributes.address = Some(line.to_owned());
    let (line, district) = match line.split_once(", okres ") {
        Some((line, district)) => (line, Some(district.trim())),
        None => (line, None),
    };
    if let (None, Some(district)) = (&attributes.district, district) {
        attributes.district = Some(district.to_owned());
    }
    let (street, place) = match line.rsplit_once(", ") {
        Some((street, place)) => (Some(street.trim()), place.trim()),
        None => (None, line.trim()),
    };
    let (town, part) = match place.split_once(" - ") {
        Some((town, part)) => (town.trim(), Some(part.trim())),
        None => (place, None),
    };
    let is_prague = town
        .strip_prefix("Praha ")
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    attributes.city = Some(if is_prague { districts::PRAGUE } else { town }.to_owned());
    attributes.neighborhood = part.or(is_prague.then_some(town)).map(str::to_owned);
    if let Some(street) = street {
        let (name, number) = split_number(street);
        attributes.street = Some(name.to_owned());
        listing.evidence.house_number = number.map(str::to_owned);
    }
}

/// Separates a street and the house number behind it.
fn split_number(street: &str) -> (&str, Option<&str>) {
    match street.rsplit_once(' ') {
        Some((name, number))
            if number.starts_with(|first: char| first.is_ascii_digit())
                && !number.ends_with('.') =>
        {
            (name.trim_end(), Some(number))
        }
        _ => (street, None),
    }
}

/// Returns the precision of the pin. With `not_address` the pin is the middle of a unit. The diagonal of the unit's box
/// tells its kind: most streets are below 2 km, and most quarters below 8 km.
fn precision(estate: &Estate, bounds: &Bounds) -> Option<PinPrecision> {
    let accuracy = estate.locality.get()?.get("accuracy")?.as_str()?;
    match accuracy {
        "address" => Some(PinPrecision::Exact),
        "not_address" => Some(match diagonal(bounds) {
            Some(metres) if metres <= 2_000.0 => PinPrecision::Street,
            Some(metres) if metres <= 8_000.0 => PinPrecision::Quarter,
            _ => PinPrecision::Municipality,
        }),
        _ => None,
    }
}

/// Returns the diagonal of a box in metres.
fn diagonal(bounds: &Bounds) -> Option<f64> {
    let low = corner(&object_or_default(&bounds.left_bottom_bounding))?;
    let high = corner(&object_or_default(&bounds.right_top_bounding))?;
    Some(low.metres_to(high))
}

fn corner(corner: &super::payload::Corner) -> Option<Location> {
    Some(Location {
        lat: corner.lat.get()?.0,
        lng: corner.lon.get()?.0,
    })
}

/// Builds the URL of the advert's page.
pub(crate) fn url(estate: &Estate, seo: &Seo) -> Option<String> {
    let (_, offer) = codes::by_code(codes::OFFERS, seo.category_type_cb.get()?.value)?;
    let (kind, main) = codes::by_code(codes::TYPES, seo.category_main_cb.get()?.value)?;
    let (of, _, sub) = codes::by_code(codes::SUBCATEGORIES, seo.category_sub_cb.get()?.value)?;
    let id = id(estate).filter(|id| is_slug(id))?;
    let place = &seo.locality.get()?.0;
    (kind == of && is_slug(place))
        .then(|| format!("https://www.sreality.cz/detail/{offer}/{main}/{sub}/{place}/{id}"))
}

fn id(estate: &Estate) -> Option<String> {
    if let Some(id) = estate.hash_id.get() {
        return Some(id.0.clone());
    }
    let link = object_or_default(&object_or_default(&estate.links).this);
    link.href.get()?.0.rsplit('/').next().map(str::to_owned)
}
