//! From the parts of a detail page to a listing.

use schema::Attributes;

use crate::json::Unread;
use crate::pages::on_offer;
use crate::reading::Reading;

use super::labels::LABELS;
use super::payload::Page;
use super::place;

/// The listing that the page shows. What it does not show may be in its record.
pub fn listing(page: &Page) -> Reading {
    page.shown.reading(
        LABELS,
        |listing, unread| category(page, &mut listing.attributes, unread),
        |listing, unread| {
            from_record(page, &mut listing.attributes);
            place::fill(page, listing, unread);
        },
    )
}

fn from_record(page: &Page, attributes: &mut Attributes) {
    if page.shown.price.is_none() {
        attributes.price_total = page.record.amount("price");
    }
    attributes.living_area = attributes
        .living_area
        .or_else(|| page.record.amount("area"));
    attributes.land_area = attributes
        .land_area
        .or_else(|| page.record.amount("landArea"));
}

/// `/detail/prodej/byt/…`: the parts after `detail`.
fn part_of_address(page: &Page, at: usize) -> Option<&str> {
    page.shown
        .url
        .as_deref()?
        .split_once("/detail/")?
        .1
        .split('/')
        .nth(at)
}

/// `Byt/3+kk`, `Dům/Rodinný dům`: the property type, and its layout or finer type. Where the category names none, the
/// title may. Kind of offer and section are in the address as well.
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let category = page.record.text("category");
    let (main, finer) = match category.and_then(|category| category.split_once('/')) {
        Some((main, finer)) => (Some(main), Some(finer)),
        None => (category.or_else(|| part_of_address(page, 1)), None),
    };
    let offers = [page.record.text("variant"), part_of_address(page, 0)];
    attributes.offer_type = on_offer::offer_type(offers, unread);
    attributes.property_type = on_offer::property_type(main, unread);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    on_offer::refine(
        property_type,
        finer,
        &page.shown.titles(),
        attributes,
        unread,
    );
}
