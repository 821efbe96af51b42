//! Converting the parts of a detail page to a listing.

use schema::{Attributes, PropertyType};

use crate::json::FieldReader;
use crate::pages::{attribute_list, offer_text};
use crate::reading::Reading;

use super::labels::{KINDS, LABELS};
use super::payload::Page;
use super::place;

/// Converts a page to a listing.
pub(crate) fn to_reading(page: &Page) -> Reading {
    page.content.to_reading(
        LABELS,
        |listing, reader| category(page, &mut listing.attributes, reader),
        |listing, reader| place::fill_place(page, listing, reader),
    )
}

/// Fills kind of offer, property type and subtype, from the breadcrumb or else from the title (`Prodej bytu, 2+1, 53 m²`).
fn category(page: &Page, attributes: &mut Attributes, reader: &mut FieldReader) {
    let title = page.content.title.as_deref();
    let noun = title
        .and_then(|title| title.split_once(' '))
        .map(|(_, noun)| noun);
    attributes.offer_type = offer_text::offer_type([page.trail.offer.as_deref(), title], reader);
    attributes.property_type =
        offer_text::property_type(page.trail.section.as_deref().or(noun), reader);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let row = KINDS
        .iter()
        .find_map(|label| attribute_list::row_value(&page.content.rows, label));
    // The title of every house says "domu/vily".
    let title = title.filter(|_| property_type != PropertyType::House);
    let titles = [
        page.trail.finer.as_deref(),
        title,
        page.content.headline.as_deref(),
    ];
    let titles: Vec<&str> = titles.into_iter().flatten().collect();
    offer_text::fill_subtype(property_type, row, &titles, attributes, reader);
}
