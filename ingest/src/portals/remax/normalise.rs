//! Converting the parts of a detail page to a listing.

use schema::Attributes;

use crate::json::FieldReader;
use crate::pages::{attribute_list, offer_text};
use crate::reading::Reading;

use super::labels::{KINDS, LABELS, SECTION};
use super::payload::Page;
use super::place;

/// Converts a page to a listing.
pub(crate) fn to_reading(page: &Page) -> Reading {
    page.content.to_reading(
        LABELS,
        |listing, reader| fill_category(page, &mut listing.attributes, reader),
        |listing, reader| {
            listing
                .evidence
                .note_on_price
                .clone_from(&page.note_on_price);
            place::fill_place(page, listing, reader);
        },
    )
}

/// Fills kind of offer, property type and subtype. The kind of offer is in the title or else in the breadcrumb, and the
/// section in a row or else in the title (`Prodej bytu 2+kk`). The subtype is in a row, in a title that names only one
/// kind, or in the section.
fn fill_category(page: &Page, attributes: &mut Attributes, reader: &mut FieldReader) {
    let title = page.content.title.as_deref();
    let noun = title.and_then(offer_text::without_verb);
    let section = attribute_list::row_value(&page.content.rows, SECTION);
    attributes.offer_type = offer_text::offer_type([title, page.offer.as_deref()], reader);
    attributes.property_type = offer_text::property_type(section.or(noun), reader);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let row = attribute_list::first_row_value(&page.content.rows, &KINDS);
    let names_one_kind = |text: &&str| !text.contains([',', '/']) && !text.contains(" a ");
    let title = title
        .and_then(|title| title.split(',').next())
        .filter(names_one_kind);
    let titles = [
        title,
        page.content.headline.as_deref(),
        section.filter(names_one_kind),
    ];
    let titles: Vec<&str> = titles.into_iter().flatten().collect();
    offer_text::fill_subtype(property_type, row, &titles, attributes, reader);
}
