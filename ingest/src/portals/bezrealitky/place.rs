//! Where the property of an advert lies, and the URL of the advert's page.

use schema::{Listing, PinPrecision};

use super::payload::{Offer, Place};
use crate::json::{Field, FieldReader, Object, Word};

/// Prague as a region (kraj), and on this site also as a district (okres).
const CAPITAL: &str = "Hlavní město Praha";
/// Prague as a district of the spec.
const PRAGUE: &str = "Praha";

/// Fills the place.
pub(crate) fn fill_place(place: &Place, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    attributes.location = reader.location(&place.gps);
    attributes.street = reader.word("street", &place.street);
    attributes.city = reader.word("city", &place.city);
    attributes.neighborhood = quarter(place, attributes.city.as_deref(), reader);
    attributes.postal_code = reader.word("postalCode", &place.zip);
    attributes.address = reader.word("address", &place.address);
    let units = Units::from_place(place, attributes.address.as_deref(), reader);
    attributes.region = units.region;
    attributes.district = units.district;

    listing.evidence.house_number = reader.word("houseNumber", &place.house_number);
    listing.evidence.address_point = address_point(place, reader);
    if listing.evidence.address_point.is_some() && listing.attributes.location.is_some() {
        listing.evidence.pin = Some(PinPrecision::Exact);
    }
}

/// Returns the quarter without the city in front of it.
fn quarter(place: &Place, city: Option<&str>, reader: &mut FieldReader) -> Option<String> {
    let quarter = reader.word("neighborhood", &place.city_district)?;
    let bare = city
        .and_then(|city| quarter.strip_prefix(city))
        .and_then(|rest| rest.strip_prefix(" - "));
    Some(bare.unwrap_or(&quarter).trim().to_owned())
}

fn address_point(place: &Place, reader: &mut FieldReader) -> Option<i64> {
    let code = reader.word("addressPoint", &place.ruian_id)?;
    let point = code.parse().ok().filter(|point| *point > 0);
    if point.is_none() {
        reader.reject("addressPoint", code, "not a code of an address point");
    }
    point
}

/// Region (kraj) and district (okres), found by their names among the units an advert lies in.
#[derive(Debug, Default)]
struct Units {
    region: Option<String>,
    district: Option<String>,
}

impl Units {
    /// Finds region and district in the tree of units, or else in the parts of the two address lines.
    fn from_place(place: &Place, address: Option<&str>, reader: &mut FieldReader) -> Self {
        let mut units = Self::default();
        for unit in reader
            .value("region", &place.region_tree)
            .unwrap_or_default()
        {
            let Some(Object(unit)) = reader.value("region", &unit) else {
                continue;
            };
            if let Some(name) = reader.word("region", &unit.name) {
                units.add(&name);
            }
        }
        let typed = reader.word("address", &place.address_input);
        for line in [address, typed.as_deref()].into_iter().flatten() {
            line.split(", ").for_each(|part| units.add(part.trim()));
        }
        units
    }

    /// Keeps a unit that is a region or a district, unless one was found before. Prague is both.
    fn add(&mut self, name: &str) {
        let is_region = name.ends_with(" kraj") || name.to_lowercase().starts_with("kraj ");
        if name == CAPITAL {
            self.region.get_or_insert_with(|| name.to_owned());
            self.district.get_or_insert_with(|| PRAGUE.to_owned());
        } else if is_region {
            self.region.get_or_insert_with(|| name.to_owned());
        } else if let Some(district) = name
            .strip_prefix("okres ")
            .filter(|district| *district != CAPITAL)
        {
            self.district
                .get_or_insert_with(|| district.trim().to_owned());
        }
    }
}

/// Builds the URL of the advert's page.
pub(crate) fn url(offer: &Offer) -> Option<String> {
    let uri = slug(&offer.uri)?;
    Some(format!(
        "https://www.bezrealitky.cz/nemovitosti-byty-domy/{uri}"
    ))
}

/// Returns the text of a field if it can be part of a URL without encoding.
fn slug(field: &Field<Word>) -> Option<&str> {
    let text = field.get()?.0.trim();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!text.is_empty() && text.bytes().all(plain)).then_some(text)
}
