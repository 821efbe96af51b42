//! Where an advert of API v2 lies, and its page on the portal.

use schema::{Listing, Location, PinPrecision};
use serde_json::Value;

use super::normalise::object_of;
use super::payload::{Bounds, Estate, Seo};
use crate::portals::lenient::{Object, Unread, position};
use crate::portals::sreality::place::is_slug;
use crate::portals::sreality::{codes, districts};

/// Fills the place.
pub fn locate(estate: &Estate, listing: &mut Listing, unread: &mut Unread) {
    let pin = unread
        .read("location", &estate.map)
        .or_else(|| unread.read("location", &estate.gps));
    if let Some(Object(pin)) = pin {
        let latitude = unread.figure("location", &pin.lat);
        let longitude = unread.figure("location", &pin.lon);
        listing.attributes.location = position(latitude, longitude);
        listing.evidence.pin = precision(estate, &object_of(&pin.bounding_box));
    }
    let id = unread.figure("district", &estate.locality_district_id);
    let district = id.and_then(|id| districts::name(id as i64));
    listing.attributes.district = district.map(str::to_owned);
    if let Some(line) = line(estate) {
        address(line, listing);
    }
}

/// The address line: a text in a list item, `{value, accuracy}` in a detail.
fn line(estate: &Estate) -> Option<&str> {
    let locality = estate.locality.get()?;
    let line = locality
        .as_str()
        .or_else(|| locality.get("value").and_then(Value::as_str))?
        .trim();
    (!line.is_empty()).then_some(line)
}

/// Reads a line such as `Mšecká, Praha 5 - Jinonice`, `Šiklové, Praha` or `Sazovice, okres Zlín`.
fn address(line: &str, listing: &mut Listing) {
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
        let (name, number) = without_number(street);
        attributes.street = Some(name.to_owned());
        listing.evidence.house_number = number.map(str::to_owned);
    }
}

/// A street and the house number behind it.
fn without_number(street: &str) -> (&str, Option<&str>) {
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

/// Precision of the pin. With `not_address` it is the middle of a unit; the diagonal of its box tells which kind: most
/// streets stay below 2 km, most quarters below 8 km.
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

/// The diagonal of the box, in metres.
fn diagonal(bounds: &Bounds) -> Option<f64> {
    let low = corner(&object_of(&bounds.left_bottom_bounding))?;
    let high = corner(&object_of(&bounds.right_top_bounding))?;
    Some(low.metres_to(high))
}

fn corner(corner: &super::payload::Corner) -> Option<Location> {
    Some(Location {
        lat: corner.lat.get()?.0,
        lng: corner.lon.get()?.0,
    })
}

/// The advert's page.
pub fn url(estate: &Estate, seo: &Seo) -> Option<String> {
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
    let link = object_of(&object_of(&estate.links).this);
    link.href.get()?.0.rsplit('/').next().map(str::to_owned)
}
