//! From the parts of a detail page to a listing.

use schema::{Attributes, PropertyType};

use crate::json::Unread;
use crate::pages::{attribute_list, on_offer};
use crate::reading::Reading;

use super::labels::{KINDS, LABELS};
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

/// The breadcrumb's kind of offer and section, else those of the title (`Prodej bytu, 2+1, 53 m²`).
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let title = page.shown.title.as_deref();
    let noun = title
        .and_then(|title| title.split_once(' '))
        .map(|(_, noun)| noun);
    attributes.offer_type = on_offer::offer_type([page.trail.offer.as_deref(), title], unread);
    attributes.property_type =
        on_offer::property_type(page.trail.section.as_deref().or(noun), unread);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let row = KINDS
        .iter()
        .find_map(|label| attribute_list::value(&page.shown.rows, label));
    // Every house is "domu/vily" there.
    let title = title.filter(|_| property_type != PropertyType::House);
    let titles = [
        page.trail.finer.as_deref(),
        title,
        page.shown.headline.as_deref(),
    ];
    let titles: Vec<&str> = titles.into_iter().flatten().collect();
    on_offer::refine(property_type, row, &titles, attributes, unread);
}
