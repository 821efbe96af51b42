//! Converting the parts of a detail page to a listing.

use schema::Attributes;

use crate::json::FieldReader;
use crate::notation::price::{Price, price};
use crate::pages::offer_text;
use crate::reading::Reading;

use super::labels::LABELS;
use super::payload::Page;
use super::place;

/// Converts a page to a listing. Values that the page does not show may be in its record.
pub(crate) fn to_reading(page: &Page) -> Reading {
    page.content.to_reading(
        LABELS,
        |listing, reader| fill_category(page, &mut listing.attributes, reader),
        |listing, reader| {
            fill_from_record(page, &mut listing.attributes);
            let former = page.former_price.as_deref().and_then(price);
            listing.evidence.former_price = former.and_then(Price::total);
            if page.note_on_price.is_some() {
                listing
                    .evidence
                    .note_on_price
                    .clone_from(&page.note_on_price);
            }
            place::fill_place(page, listing, reader);
        },
    )
}

/// Fills price and areas that the page does not show from the record.
fn fill_from_record(page: &Page, attributes: &mut Attributes) {
    if page.content.price.is_none() {
        attributes.price_total = page.record.amount("price");
    }
    attributes.living_area = attributes
        .living_area
        .or_else(|| page.record.amount("area"));
    attributes.land_area = attributes
        .land_area
        .or_else(|| page.record.amount("landArea"));
}

/// Returns a part of the address behind `detail`: `/detail/prodej/byt/…`.
fn part_of_address(page: &Page, at: usize) -> Option<&str> {
    page.content
        .url
        .as_deref()?
        .split_once("/detail/")?
        .1
        .split('/')
        .nth(at)
}

/// Fills kind of offer, property type and subtype. A category such as `Byt/3+kk` or `Dům/Rodinný dům` names the property
/// type and its layout or subtype; if it names no subtype, the title may. Kind of offer and section are also in the
/// address.
fn fill_category(page: &Page, attributes: &mut Attributes, reader: &mut FieldReader) {
    let category = page.record.text("category");
    let (main, finer) = match category.and_then(|category| category.split_once('/')) {
        Some((main, finer)) => (Some(main), Some(finer)),
        None => (category.or_else(|| part_of_address(page, 1)), None),
    };
    let offers = [page.record.text("variant"), part_of_address(page, 0)];
    attributes.offer_type = offer_text::offer_type(offers, reader);
    attributes.property_type = offer_text::property_type(main, reader);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    offer_text::fill_subtype(
        property_type,
        finer,
        &page.content.titles(),
        attributes,
        reader,
    );
}
