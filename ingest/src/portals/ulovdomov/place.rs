//! Where an advert lies, and its page on the portal.

use schema::Listing;

use super::payload::{Named, Offer, Place};
use crate::json::{Field, Object, Unread};

/// The beginning of every advert's page.
const PAGES: &str = "https://www.ulovdomov.cz/inzerat/";

/// Fills the place.
pub fn locate(place: &Place, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    attributes.location = unread.pin(&place.geo_coordinates);
    attributes.city = name("city", &place.village, unread);
    attributes.neighborhood = name("neighborhood", &place.village_part, unread);
    attributes.street = name("street", &place.street, unread);
    attributes.address = address(
        attributes.city.as_deref(),
        attributes.neighborhood.as_deref(),
        attributes.street.as_deref(),
    );
}

fn name(field: &str, unit: &Field<Object<Named>>, unread: &mut Unread) -> Option<String> {
    let Object(Named { id, title }) = unread.read(field, unit)?;
    let none = unread.figure(field, &id) == Some(0.0);
    unread.word(field, &title).filter(|_| !none)
}

/// The line under an advert's title: `Loudova, Olomouc - Povel`.
fn address(city: Option<&str>, quarter: Option<&str>, street: Option<&str>) -> Option<String> {
    let city = city?;
    let place = match quarter {
        Some(quarter) if quarter != city => format!("{city} - {quarter}"),
        _ => city.to_owned(),
    };
    Some(street.map_or(place.clone(), |street| format!("{street}, {place}")))
}

/// The advert's page: as sent, else from the words and the number that it is made of.
pub fn url(offer: &Offer, unread: &mut Unread) -> Option<String> {
    let sent = unread.word("url", &offer.absolute_url);
    sent.filter(|url| url.strip_prefix(PAGES).is_some_and(can_stand_in_an_address))
        .or_else(|| {
            let words = unread.word("url", &offer.seo)?;
            let number = unread.word("url", &offer.id)?;
            let page = format!("{words}/{number}");
            can_stand_in_an_address(&page).then(|| format!("{PAGES}{page}"))
        })
}

fn can_stand_in_an_address(text: &str) -> bool {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'.' | b'+');
    !text.is_empty() && text.bytes().all(plain)
}
