//! From the parts of a detail page to a listing.

use schema::Attributes;

use crate::json::FieldReader;
use crate::pages::{attribute_list, offer_text};
use crate::reading::Reading;

use super::labels::{KINDS, LABELS, SECTION};
use super::payload::Page;
use super::place;

/// The listing that the page shows.
pub(crate) fn to_reading(page: &Page) -> Reading {
    page.content.to_reading(
        LABELS,
        |listing, reader| category(page, &mut listing.attributes, reader),
        |listing, reader| place::fill_place(page, listing, reader),
    )
}

/// The kind of offer is the title's verb, else the breadcrumb's word; the section a row's, else the title's noun
/// (`Prodej bytu 2+kk`). What it is more closely is said by a row, by a title that names one kind only, or by the
/// section itself.
fn category(page: &Page, attributes: &mut Attributes, reader: &mut FieldReader) {
    let title = page.content.title.as_deref();
    let noun = title
        .and_then(|title| title.split_once(' '))
        .map(|(_, noun)| noun);
    let section = attribute_list::row_value(&page.content.rows, SECTION);
    attributes.offer_type = offer_text::offer_type([title, page.offer.as_deref()], reader);
    attributes.property_type = offer_text::property_type(section.or(noun), reader);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let row = KINDS
        .iter()
        .find_map(|label| attribute_list::row_value(&page.content.rows, label));
    let one_kind = |text: &&str| !text.contains([',', '/']) && !text.contains(" a ");
    let title = title
        .and_then(|title| title.split(',').next())
        .filter(one_kind);
    let titles = [
        title,
        page.content.headline.as_deref(),
        section.filter(one_kind),
    ];
    let titles: Vec<&str> = titles.into_iter().flatten().collect();
    offer_text::fill_subtype(property_type, row, &titles, attributes, reader);
}
