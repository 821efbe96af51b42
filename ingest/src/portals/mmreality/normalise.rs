//! From the record of a detail page to a listing.

use schema::{Attributes, Listing, PropertyType};

use crate::json::{Unread, feature, from_ground};
use crate::notation::price::{Price, price};
use crate::pages::on_offer;
use crate::pages::shown::Shown;
use crate::reading::Reading;

use super::labels::{self, LABELS};
use super::payload::{Building, Features, Offer, Page, Property, name};
use super::place;

/// The listing that the page shows.
pub fn listing(page: &Page) -> Reading {
    let Property {
        offer,
        place,
        building,
        features,
    } = &page.property;
    let mut noted = Unread::default();
    let shown = shown(page, &mut noted);
    shown.reading(
        LABELS,
        |listing, unread| {
            *unread = noted;
            category(offer, &shown, &mut listing.attributes, unread);
            areas(features, listing, unread);
            storeys(building, &mut listing.attributes, unread);
            belongings(features, &mut listing.attributes, unread);
        },
        |listing, unread| {
            listing.attributes.price_total = price_total(page, unread);
            listing.evidence.order_code = unread.word("orderCode", &offer.id);
            place::fill(place, listing, unread);
        },
    )
}

/// What the page shows; its price is read from the record.
fn shown(page: &Page, unread: &mut Unread) -> Shown {
    let offer = &page.property.offer;
    let note = unread.word("taken", &offer.price_note);
    Shown {
        url: page.url.clone(),
        title: unread
            .word("title", &offer.original_title)
            .or_else(|| unread.word("title", &offer.title)),
        headline: None,
        text: unread.prose("description", &offer.description),
        place: unread.word("address", &page.property.place.location),
        price: None,
        labels: page
            .labels
            .iter()
            .chain(&page.price)
            .chain(&note)
            .cloned()
            .collect(),
        rows: labels::rows(&page.property, unread),
    }
}

fn category(offer: &Offer, shown: &Shown, attributes: &mut Attributes, unread: &mut Unread) {
    let category = name("offerType", &offer.category, unread);
    attributes.offer_type = on_offer::offer_type([category.as_deref()], unread);
    let group = name("type", &offer.group, unread);
    attributes.property_type = on_offer::property_type(group.as_deref(), unread);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let kind = name("subtype", &offer.kind, unread);
    on_offer::refine(
        property_type,
        kind.as_deref(),
        &shown.titles(),
        attributes,
        unread,
    );
}

/// The record's price. It names no currency: that is only in the price shown.
fn price_total(page: &Page, unread: &mut Unread) -> Option<f64> {
    let offer = &page.property.offer;
    let amount = unread
        .figure("priceTotal", &offer.price)
        .filter(|amount| *amount > 1.0)?;
    let per_metre = unread.flag("priceTotal", &offer.price_per_meter) == Some(true);
    let period = unread
        .word("priceTotal", &offer.price_period)
        .filter(|period| period != labels::MONTH);
    let shown = page.price.as_deref().and_then(price);
    let reason = if shown == Some(Price::OtherCurrency) {
        "in another currency"
    } else if per_metre || period.is_some() {
        "not a price of the whole"
    } else {
        return Some(amount);
    };
    let shown = page
        .price
        .as_deref()
        .map_or_else(|| amount.to_string(), str::to_owned);
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
    listing.evidence.total_area =
        total.filter(|_| attributes.property_type == Some(PropertyType::Apartment));
}

fn storeys(building: &Building, attributes: &mut Attributes, unread: &mut Unread) {
    let floor = unread.figure("floor", &building.floor);
    attributes.floor = floor.and_then(|floor| unread.storey("floor", from_ground(floor)));
    let count = unread.amount("floorCount", &building.overground_floors);
    attributes.floor_count = count.and_then(|count| unread.storey("floorCount", count));
}

/// Lift, balcony and loggia are answered with a no as well; for the rest a no is only the form's default.
fn belongings(features: &Features, attributes: &mut Attributes, unread: &mut Unread) {
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
    attributes.parking = feature(
        unread.amount("parking", &features.parking_places),
        None,
        false,
    );
    attributes.equipment = unread.meaning(labels::FURNISHINGS, "equipment", &features.equipment);
}
