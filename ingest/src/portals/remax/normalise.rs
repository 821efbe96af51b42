//! From the parts of a detail page to a listing.

use schema::Attributes;

use crate::json::Unread;
use crate::pages::{attribute_list, on_offer};
use crate::reading::Reading;

use super::labels::{KINDS, LABELS, SECTION};
use super::payload::Page;
use super::place;

/// The listing that the page shows.
pub fn listing(page: &Page) -> Reading {
    page.shown.reading(
        LABELS,
        |listing, unread| category(page, &mut listing.attributes, unread),
        |listing, unread| place::fill(page, listing, unread),
    )
}

/// The kind of offer is the title's verb, else the breadcrumb's word; the section a row's, else the title's noun
/// (`Prodej bytu 2+kk`). What it is more closely is said by a row, by a title that names one kind only, or by the
/// section itself.
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let title = page.shown.title.as_deref();
    let noun = title
        .and_then(|title| title.split_once(' '))
        .map(|(_, noun)| noun);
    let section = attribute_list::value(&page.shown.rows, SECTION);
    attributes.offer_type = on_offer::offer_type([title, page.offer.as_deref()], unread);
    attributes.property_type = on_offer::property_type(section.or(noun), unread);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let row = KINDS
        .iter()
        .find_map(|label| attribute_list::value(&page.shown.rows, label));
    let one_kind = |text: &&str| !text.contains([',', '/']) && !text.contains(" a ");
    let title = title
        .and_then(|title| title.split(',').next())
        .filter(one_kind);
    let titles = [
        title,
        page.shown.headline.as_deref(),
        section.filter(one_kind),
    ];
    let titles: Vec<&str> = titles.into_iter().flatten().collect();
    on_offer::refine(property_type, row, &titles, attributes, unread);
}
