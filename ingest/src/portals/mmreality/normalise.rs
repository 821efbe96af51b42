//! From the record of a detail page to a listing.

use schema::{Attributes, Listing, PropertyType};

use crate::notation::kind::property_type;
use crate::notation::offer::offer_type;
use crate::notation::price::{Price, price};
use crate::notation::taken::taken;
use crate::portals::lenient::{Unread, feature, from_ground};
use crate::portals::{attribute_list, on_offer};
use crate::reading::Reading;

use super::labels::{self, LABELS};
use super::payload::{Building, Features, Offer, Page, name};
use super::place;

/// The listing that the page shows.
pub fn listing(page: &Page) -> Reading {
    let mut listing = Listing::default();
    let mut unread = Unread::default();
    let property = &page.property;
    texts(page, &mut listing, &mut unread);
    category(&property.offer, &mut listing.attributes, &mut unread);
    listing.attributes.price_total = price_total(page, &mut unread);
    areas(&property.features, &mut listing, &mut unread);
    storeys(&property.building, &mut listing.attributes, &mut unread);
    features(&property.features, &mut listing.attributes, &mut unread);
    let rows = labels::rows(property, &mut unread);
    attribute_list::take_over(&rows, LABELS, &mut listing, &mut unread);
    let title = listing.attributes.title.clone();
    on_offer::settle_areas(title.as_deref(), &mut listing);
    place::fill(&property.place, &mut listing, &mut unread);
    Reading { listing, url: page.url.clone(), unread: unread.into_rejects() }
}

fn texts(page: &Page, listing: &mut Listing, unread: &mut Unread) {
    let offer = &page.property.offer;
    let attributes = &mut listing.attributes;
    attributes.title =
        unread.word("title", &offer.original_title).or_else(|| unread.word("title", &offer.title));
    attributes.description = unread.prose("description", &offer.description);
    let evidence = &mut listing.evidence;
    evidence.order_code = unread.word("orderCode", &offer.id);
    evidence.share = on_offer::share_of([attributes.title.as_deref()], attributes.description.as_deref());
    let note = unread.word("taken", &offer.price_note);
    let labels = page.badges.iter().chain(&page.price).chain(&note);
    evidence.taken = labels.into_iter().find_map(|label| taken(label));
}

fn category(offer: &Offer, attributes: &mut Attributes, unread: &mut Unread) {
    if let Some(category) = name("offerType", &offer.category, unread) {
        attributes.offer_type = offer_type(&category);
        if attributes.offer_type.is_none() {
            unread.note("offerType", category, "a kind of offer the portal was not known to have");
        }
    }
    let Some(group) = name("type", &offer.group, unread) else { return };
    let Some(property_type) = property_type(&group) else {
        unread.note("type", group, "a section the portal was not known to have");
        return;
    };
    attributes.property_type = Some(property_type);
    let kind = name("subtype", &offer.kind, unread);
    let title = attributes.title.clone();
    let titles: Vec<&str> = title.as_deref().into_iter().collect();
    on_offer::refine(property_type, kind.as_deref(), &titles, attributes, unread);
}

/// The record's price. It names no currency: that is only in the price shown.
fn price_total(page: &Page, unread: &mut Unread) -> Option<f64> {
    let offer = &page.property.offer;
    let amount = unread.figure("priceTotal", &offer.price).filter(|amount| *amount > 1.0)?;
    let per_metre = unread.flag("priceTotal", &offer.price_per_meter) == Some(true);
    let period = unread.word("priceTotal", &offer.price_period).filter(|period| period != labels::MONTH);
    let shown = page.price.as_deref().and_then(price);
    let reason = if shown == Some(Price::OtherCurrency) {
        "in another currency"
    } else if per_metre || period.is_some() {
        "not a price of the whole"
    } else {
        return Some(amount);
    };
    let shown = page.price.as_deref().map_or_else(|| amount.to_string(), str::to_owned);
    unread.note("priceTotal", shown, reason);
    None
}

/// The total of a house is floor and plot together.
fn areas(features: &Features, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    attributes.living_area = unread.amount("livingArea", &features.usable_area);
    attributes.land_area = unread.amount("landArea", &features.parcel_area);
    attributes.garden_area = unread.amount("gardenArea", &features.garden_area);
    attributes.storage_area = unread.amount("storageArea", &features.cellar_area);
    attributes.balcony_area = unread.amount("balconyArea", &features.balcony_area);
    attributes.loggia_area = unread.amount("loggiaArea", &features.loggia_area);
    attributes.terrace_area = unread.amount("terraceArea", &features.terrace_area);
    let total = unread.amount("totalArea", &features.total);
    listing.evidence.total_area = total.filter(|_| attributes.property_type == Some(PropertyType::Apartment));
}

fn storeys(building: &Building, attributes: &mut Attributes, unread: &mut Unread) {
    let floor = unread.figure("floor", &building.floor);
    attributes.floor = floor.and_then(|floor| unread.storey("floor", from_ground(floor)));
    let count = unread.amount("floorCount", &building.overground_floors);
    attributes.floor_count = count.and_then(|count| unread.storey("floorCount", count));
}

/// Lift, balcony and loggia are answered with a no as well; for the rest a no is only the form's default.
fn features(features: &Features, attributes: &mut Attributes, unread: &mut Unread) {
    let mut there =
        |name: &str, area: Option<f64>, flag, asked| feature(area, unread.flag(name, flag), asked);
    attributes.elevator = there("elevator", None, &features.lift, true);
    attributes.balcony = there("balcony", attributes.balcony_area, &features.balcony, true);
    attributes.loggia = there("loggia", attributes.loggia_area, &features.loggia, true);
    attributes.terrace = there("terrace", attributes.terrace_area, &features.terrace, false);
    attributes.storage = there("storage", attributes.storage_area, &features.cellar, false);
    attributes.garage = there("garage", None, &features.garage, false);
    attributes.barrier_free = there("barrierFree", None, &features.wheelchair_access, false);
    attributes.swimming_pool = there("swimmingPool", None, &features.swimming_pool, false);
    attributes.garden = feature(attributes.garden_area, None, false);
    attributes.parking = feature(unread.amount("parking", &features.parking_places), None, false);
    attributes.equipment = unread.meaning(labels::FURNISHINGS, "equipment", &features.equipment);
}
