//! From the parts of a detail page to a listing.

use schema::{Attributes, PropertyType};

use crate::json::Unread;
use crate::pages::on_offer;
use crate::reading::Reading;

use super::labels::LABELS;
use super::payload::Page;
use super::place;

/// The listing that the page shows.
pub fn listing(page: &Page) -> Reading {
    page.shown.reading(
        LABELS,
        |listing, unread| category(page, &mut listing.attributes, unread),
        |listing, unread| {
            if listing.attributes.property_type == Some(PropertyType::Apartment) {
                listing.attributes.land_area = None;
            }
            place::fill(page, listing, unread);
        },
    )
}

/// The kind of offer is the title's verb, else the address's; the section the address's. Layout and kind are in the
/// title, and the kind in the finer section as well.
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let mut path = page.path.iter().map(String::as_str);
    let (verb, section, finer) = (path.next(), path.next(), path.next());
    attributes.offer_type = on_offer::offer_type([page.shown.title.as_deref(), verb], unread);
    attributes.property_type = on_offer::property_type(section, unread);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let titles: Vec<&str> = page.shown.titles().into_iter().chain(finer).collect();
    on_offer::refine(property_type, None, &titles, attributes, unread);
}
