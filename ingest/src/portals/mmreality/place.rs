//! Where the property is.

use czech::countries::is_abroad;
use czech::numbered_parts::municipality;
use schema::{Listing, PinPrecision};

use crate::json::{FieldReader, Object, position};
use crate::pages::place_names::PlaceNames;

use super::payload::{Place, Point};

/// The code of the Czech Republic.
const HOME: &str = "cz";

/// Fills place and position. The address line must be filled before.
pub(crate) fn fill_place(place: &Place, listing: &mut Listing, reader: &mut FieldReader) {
    let city = reader.word("city", &place.municipality);
    let quarter = reader.word("neighborhood", &place.municipality_part);
    let named = PlaceNames {
        region: None,
        district: reader.word("district", &place.district),
        city: city.as_deref().map(|city| municipality(city).to_owned()),
        quarter: quarter.filter(|quarter| municipality(quarter) == quarter),
        street: reader.word("street", &place.street),
    };
    let is_abroad = reader.word("country", &place.country_code).map_or_else(
        || listing.attributes.address.as_deref().is_some_and(is_abroad),
        |country| !country.eq_ignore_ascii_case(HOME),
    );
    let Object(Point {
        latitude,
        longitude,
    }) = reader.value("location", &place.point).unwrap_or_default();
    let location = position(
        reader.number("location", &latitude),
        reader.number("location", &longitude),
    );
    named.fill(location, is_abroad, listing, reader);
    let code = reader.number("municipalityCode", &place.municipality_id);
    listing.evidence.municipality_code = code.filter(|_| !is_abroad).map(|code| code as i64);
    let accurate = reader.flag("pin", &place.accurate);
    listing.evidence.pin = listing.attributes.location.and(accurate).map(|accurate| {
        if accurate {
            PinPrecision::Exact
        } else {
            PinPrecision::Municipality
        }
    });
}
