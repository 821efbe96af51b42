//! From the parts of a detail page to a listing.

use schema::{Attributes, Listing, OfferType};

use crate::notation::kind::property_type;
use crate::notation::offer;
use crate::notation::taken::taken;
use crate::portals::lenient::Unread;
use crate::portals::page::description;
use crate::portals::{attribute_list, on_offer};
use crate::reading::Reading;

use super::labels::LABELS;
use super::payload::Page;
use super::place;

/// The listing that the page shows.
pub fn listing(page: &Page) -> Reading {
    let mut listing = Listing::default();
    let mut unread = Unread::default();
    let attributes = &mut listing.attributes;
    attributes.title = page.title.clone().or_else(|| page.record.text("name").map(str::to_owned));
    let title = attributes.title.clone();
    attributes.description = description(title.as_deref(), page.headline.as_deref(), page.text.as_deref());
    attributes.offer_type = offer_type(page, &mut unread);
    category(page, attributes, &mut unread);
    attributes.price_total = price_total(page, &mut unread);
    attribute_list::take_over(&page.rows, LABELS, &mut listing, &mut unread);
    let attributes = &mut listing.attributes;
    attributes.living_area = attributes.living_area.or_else(|| page.record.amount("area"));
    attributes.land_area = attributes.land_area.or_else(|| page.record.amount("landArea"));
    listing.evidence.share =
        on_offer::share_of([page.title.as_deref(), page.headline.as_deref()], page.text.as_deref());
    listing.evidence.taken = page.record.text("labels").and_then(taken);
    place::fill(page, &mut listing, &mut unread);
    Reading { listing, url: page.url.clone(), unread: unread.into_rejects() }
}

/// The page's own word, else that of its address.
fn offer_type(page: &Page, unread: &mut Unread) -> Option<OfferType> {
    let word = page.record.text("variant").or_else(|| part_of_address(page, 0))?;
    let offer_type = offer::offer_type(word);
    if offer_type.is_none() {
        unread.note("offerType", word, "a kind of offer the portal was not known to have");
    }
    offer_type
}

/// `/detail/prodej/byt/…`: the parts after `detail`.
fn part_of_address(page: &Page, at: usize) -> Option<&str> {
    page.url.as_deref()?.split_once("/detail/")?.1.split('/').nth(at)
}

/// `Byt/3+kk`, `Dům/Rodinný dům`: the property type, and its layout or finer type. Where the category names none, the
/// title may.
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let category = page.record.text("category");
    let (main, finer) = match category.and_then(|category| category.split_once('/')) {
        Some((main, finer)) => (Some(main), Some(finer)),
        None => (category.or_else(|| part_of_address(page, 1)), None),
    };
    let Some(main) = main else { return };
    let Some(property_type) = property_type(main) else {
        unread.note("type", main, "a category the portal was not known to have");
        return;
    };
    attributes.property_type = Some(property_type);
    let titles: Vec<&str> = [&page.title, &page.headline].into_iter().filter_map(Option::as_deref).collect();
    on_offer::refine(property_type, finer, &titles, attributes, unread);
}

/// The price shown; where the page shows none, the list's, then the record's.
fn price_total(page: &Page, unread: &mut Unread) -> Option<f64> {
    let text = page.price.as_deref().or_else(|| attribute_list::value(&page.rows, "cena"));
    match text {
        Some(text) => on_offer::price_total(text, unread),
        None => page.record.amount("price"),
    }
}
