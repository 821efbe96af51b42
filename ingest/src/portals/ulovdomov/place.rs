//! Where an advert lies, and its page on the portal.

use schema::Listing;

use super::payload::{Named, Offer, Place};
use crate::json::{Field, FieldReader, Object};

/// The beginning of the address of every advert's page.
const PAGES: &str = "https://www.ulovdomov.cz/inzerat/";

/// Fills the place.
pub(crate) fn fill_place(place: &Place, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    attributes.location = reader.location(&place.geo_coordinates);
    attributes.city = name("city", &place.village, reader);
    attributes.neighborhood = name("neighborhood", &place.village_part, reader);
    attributes.street = name("street", &place.street, reader);
    attributes.address = address(
        attributes.city.as_deref(),
        attributes.neighborhood.as_deref(),
        attributes.street.as_deref(),
    );
}

fn name(field: &str, unit: &Field<Object<Named>>, reader: &mut FieldReader) -> Option<String> {
    let Object(Named { id, title }) = reader.value(field, unit)?;
    let none = reader.number(field, &id) == Some(0.0);
    reader.word(field, &title).filter(|_| !none)
}

/// Builds the line under an advert's title: `Loudova, Olomouc - Povel`.
fn address(city: Option<&str>, quarter: Option<&str>, street: Option<&str>) -> Option<String> {
    let city = city?;
    let place = match quarter {
        Some(quarter) if quarter != city => format!("{city} - {quarter}"),
        _ => city.to_owned(),
    };
    Some(street.map_or(place.clone(), |street| format!("{street}, {place}")))
}

/// Returns the URL of the advert's page: as sent, or else built from its words and number.
pub(crate) fn url(offer: &Offer, reader: &mut FieldReader) -> Option<String> {
    let sent = reader.word("url", &offer.absolute_url);
    sent.filter(|url| url.strip_prefix(PAGES).is_some_and(is_plain))
        .or_else(|| {
            let words = reader.word("url", &offer.seo)?;
            let number = reader.word("url", &offer.id)?;
            let page = format!("{words}/{number}");
            is_plain(&page).then(|| format!("{PAGES}{page}"))
        })
}

/// Tells whether a text can be part of an address without encoding.
fn is_plain(text: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'.' | b'+');
    !text.is_empty() && text.bytes().all(plain)
}
