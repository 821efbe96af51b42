//! Converting the parts of a detail page to a listing.

use schema::{Attributes, PropertyType};

use crate::json::FieldReader;
use crate::pages::offer_text;
use crate::reading::Reading;

use super::labels::LABELS;
use super::payload::Page;
use super::place;

/// Converts a page to a listing.
pub(crate) fn to_reading(page: &Page) -> Reading {
    page.content.to_reading(
        LABELS,
        |listing, reader| category(page, &mut listing.attributes, reader),
        |listing, reader| {
            if listing.attributes.property_type == Some(PropertyType::Apartment) {
                listing.attributes.land_area = None;
            }
            place::fill_place(page, listing, reader);
        },
    )
}

/// Fills kind of offer, property type and subtype. The kind of offer is in the title or else in the address, and the
/// section in the address. The layout is in the title, and the subtype in the title or in the finer section.
fn category(page: &Page, attributes: &mut Attributes, reader: &mut FieldReader) {
    let mut path = page.path.iter().map(String::as_str);
    let (verb, section, finer) = (path.next(), path.next(), path.next());
    attributes.offer_type = offer_text::offer_type([page.content.title.as_deref(), verb], reader);
    attributes.property_type = offer_text::property_type(section, reader);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let titles: Vec<&str> = page.content.titles().into_iter().chain(finer).collect();
    offer_text::fill_subtype(property_type, None, &titles, attributes, reader);
}
