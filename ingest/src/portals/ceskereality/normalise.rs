//! From the parts of a detail page to a listing.

use schema::{Attributes, Listing, OfferType, PropertyType};

use crate::notation::kind::property_type;
use crate::notation::offer::offer_type;
use crate::notation::taken::taken;
use crate::portals::lenient::Unread;
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
    attributes.title.clone_from(&page.title);
    attributes.description.clone_from(&page.text);
    attributes.offer_type = kind_of_offer(page, &mut unread);
    category(page, attributes, &mut unread);
    attributes.price_total =
        page.price.as_deref().and_then(|price| on_offer::price_total(price, &mut unread));
    attribute_list::take_over(&page.rows, LABELS, &mut listing, &mut unread);
    on_offer::settle_areas(page.title.as_deref(), &mut listing);
    if listing.attributes.property_type == Some(PropertyType::Apartment) {
        listing.attributes.land_area = None;
    }
    listing.evidence.share = on_offer::share_of([page.title.as_deref()], page.text.as_deref());
    listing.evidence.taken = page.badges.iter().chain(&page.price).find_map(|label| taken(label));
    place::fill(page, &mut listing, &mut unread);
    Reading { listing, url: page.url.clone(), unread: unread.into_rejects() }
}

/// The title's verb, else the address's.
fn kind_of_offer(page: &Page, unread: &mut Unread) -> Option<OfferType> {
    let title = page.title.as_deref()?;
    let offer = offer_type(title).or_else(|| page.path.first().and_then(|verb| offer_type(verb)));
    if offer.is_none() {
        unread.note("offerType", title, "a kind of offer the portal was not known to have");
    }
    offer
}

/// The address's section; layout and kind are in the title, and the kind in the finer section as well.
fn category(page: &Page, attributes: &mut Attributes, unread: &mut Unread) {
    let [_, section, rest @ ..] = page.path.as_slice() else { return };
    let Some(property_type) = property_type(section) else {
        unread.note("type", section, "a section the portal was not known to have");
        return;
    };
    attributes.property_type = Some(property_type);
    let finer = rest.first().map(String::as_str);
    let titles: Vec<&str> = page.title.as_deref().into_iter().chain(finer).collect();
    on_offer::refine(property_type, None, &titles, attributes, unread);
}
