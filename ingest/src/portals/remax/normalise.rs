//! From the parts of a detail page to a listing.

use schema::{Attributes, Listing, OfferType};

use crate::notation::kind::property_type;
use crate::notation::offer::offer_type;
use crate::notation::taken::taken;
use crate::portals::lenient::Unread;
use crate::portals::page::description;
use crate::portals::{attribute_list, on_offer};
use crate::reading::Reading;

use super::labels::{KINDS, LABELS, SECTION};
use super::payload::Page;
use super::place;

/// The listing that the page shows.
pub fn listing(page: &Page) -> Reading {
    let mut listing = Listing::default();
    let mut unread = Unread::default();
    let titles = [page.title.as_deref(), page.headline.as_deref()];
    let attributes = &mut listing.attributes;
    attributes.title.clone_from(&page.title);
    attributes.description = description(titles[0], titles[1], page.text.as_deref());
    attributes.offer_type = kind_of_offer(page, &mut unread);
    category(page, attributes, &mut unread);
    attributes.price_total =
        page.price.as_deref().and_then(|price| on_offer::price_total(price, &mut unread));
    attribute_list::take_over(&page.rows, LABELS, &mut listing, &mut unread);
    on_offer::settle_areas(titles[0], &mut listing);
    listing.evidence.share = on_offer::share_of(titles, page.text.as_deref());
    listing.evidence.taken = page.labels.iter().chain(&page.price).find_map(|label| taken(label));
    place::fill(page, &mut listing, &mut unread);
    Reading { listing, url: page.url.clone(), unread: unread.into_rejects() }
}

/// The title's verb, else the breadcrumb's.
fn kind_of_offer(page: &Page, unread: &mut Unread) -> Option<OfferType> {
    let title = page.title.as_deref()?;
    let offer = offer_type(title).or_else(|| page.offer.as_deref().and_then(offer_type));
    if offer.is_none() {
        unread.note("offerType", title, "a kind of offer the portal was not known to have");
    }
    offer
}

/// The section, else the title's noun (`Prodej bytu 2+kk`). What it is more closely is said by a row, by a title that
/// names one kind only, or by the section itself.
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let noun = page.title.as_deref().and_then(|title| title.split_once(' ')).map(|(_, noun)| noun);
    let section = attribute_list::value(&page.rows, SECTION);
    let Some(property_type) = section.or(noun).and_then(property_type) else {
        if let Some(word) = section.or(noun) {
            unread.note("type", word, "a section the portal was not known to have");
        }
        return;
    };
    attributes.property_type = Some(property_type);
    let row = KINDS.iter().find_map(|label| attribute_list::value(&page.rows, label));
    let one_kind = |text: &&str| !text.contains([',', '/']) && !text.contains(" a ");
    let title = page.title.as_deref().and_then(|title| title.split(',').next()).filter(one_kind);
    let titles = [title, page.headline.as_deref(), section.filter(one_kind)];
    let titles: Vec<&str> = titles.into_iter().flatten().collect();
    on_offer::refine(property_type, row, &titles, attributes, unread);
}
