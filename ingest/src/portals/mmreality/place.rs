//! Where the property is.

use czech::countries::is_abroad;
use czech::numbered_parts::municipality;
use schema::{Listing, PinPrecision};

use crate::portals::lenient::{Object, Unread, position};
use crate::portals::named_place::Named;

use super::payload::{Place, Point};

/// The country whose places are served.
const HOME: &str = "cz";

/// Fills place and position; the place line is known before.
pub fn fill(place: &Place, listing: &mut Listing, unread: &mut Unread) {
    let city = unread.word("city", &place.municipality);
    let quarter = unread.word("neighborhood", &place.municipality_part);
    let named = Named {
        region: None,
        district: unread.word("district", &place.district),
        city: city.as_deref().map(|city| municipality(city).to_owned()),
        quarter: quarter.filter(|quarter| municipality(quarter) == quarter),
        street: unread.word("street", &place.street),
    };
    let is_abroad = unread.word("country", &place.country_code).map_or_else(
        || listing.attributes.address.as_deref().is_some_and(is_abroad),
        |country| !country.eq_ignore_ascii_case(HOME),
    );
    let Object(Point {
        latitude,
        longitude,
    }) = unread.read("location", &place.point).unwrap_or_default();
    let location = position(
        unread.figure("location", &latitude),
        unread.figure("location", &longitude),
    );
    named.fill(location, is_abroad, listing, unread);
    let accurate = unread.flag("pin", &place.accurate);
    listing.evidence.pin = listing.attributes.location.and(accurate).map(|accurate| {
        if accurate {
            PinPrecision::Exact
        } else {
            PinPrecision::Municipality
        }
    });
}
