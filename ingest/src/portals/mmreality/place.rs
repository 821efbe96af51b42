//! Where the property is.

use schema::{Listing, PinPrecision};

use crate::notation::abroad::abroad;
use crate::notation::city_district::{self, CAPITAL, PRAGUE, municipality};
use crate::notation::house_number::split_house_number;
use crate::portals::lenient::{Object, Unread, position};

use super::payload::{Place, Point};

/// The country whose places are served.
const HOME: &str = "cz";

/// Fills place and position.
pub fn fill(place: &Place, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    attributes.address = unread.word("address", &place.location);
    let city = unread.word("city", &place.municipality);
    attributes.city = city.as_deref().map(|city| municipality(city).to_owned());
    let country = unread.word("country", &place.country_code);
    let Object(Point { latitude, longitude }) = unread.read("location", &place.point).unwrap_or_default();
    let location = position(unread.figure("location", &latitude), unread.figure("location", &longitude));
    let is_abroad = country.map_or_else(
        || attributes.address.as_deref().is_some_and(abroad),
        |country| !country.eq_ignore_ascii_case(HOME),
    );
    if is_abroad {
        if let Some(place) = location {
            unread.note("location", format!("{}, {}", place.lat, place.lng), "the property is abroad");
        }
        return;
    }
    attributes.location = location;
    listing.evidence.pin = location
        .and(unread.flag("pin", &place.accurate))
        .map(|accurate| if accurate { PinPrecision::Exact } else { PinPrecision::Municipality });
    let quarter = unread.word("neighborhood", &place.municipality_part);
    attributes.neighborhood = quarter.filter(|quarter| municipality(quarter) == quarter);
    let okres = unread.word("district", &place.district);
    attributes.district = okres.map(|okres| city_district::district(&okres).to_owned());
    if attributes.city.as_deref() == Some(PRAGUE) {
        attributes.region = Some(CAPITAL.to_owned());
        attributes.district = Some(PRAGUE.to_owned());
    }
    if let Some(street) = unread.word("street", &place.street) {
        let (street, number) = split_house_number(&street);
        attributes.street = Some(street.to_owned());
        listing.evidence.house_number = number.map(str::to_owned);
    }
}
