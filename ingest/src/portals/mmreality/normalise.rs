//! Converting the record of a detail page to a listing.

use schema::{Attributes, Listing, PropertyType};

use crate::json::{FieldReader, floor_from_storey, has_feature};
use crate::notation::price::{Price, price};
use crate::pages::offer_text;
use crate::pages::page_content::PageContent;
use crate::reading::Reading;

use super::labels::{self, LABELS};
use super::payload::{Building, Features, Offer, Page, Property, name_of};
use super::place;

/// Converts a page to a listing.
pub(crate) fn to_reading(page: &Page) -> Reading {
    let Property {
        offer,
        place,
        building,
        features,
    } = &page.property;
    let mut noted = FieldReader::default();
    let content = content(page, &mut noted);
    content.to_reading(
        LABELS,
        |listing, reader| {
            *reader = noted;
            fill_category(offer, &content, &mut listing.attributes, reader);
            fill_areas(features, listing, reader);
            fill_storeys(building, &mut listing.attributes, reader);
            fill_features(features, &mut listing.attributes, reader);
        },
        |listing, reader| {
            listing.attributes.price_total = price_total(page, reader);
            listing.evidence.order_code = reader.word("orderCode", &offer.id);
            // The reader has noted a note of another type already.
            listing.evidence.note_on_price =
                FieldReader::default().word("noteOnPrice", &offer.price_note);
            place::fill_place(place, listing, reader);
        },
    )
}

/// Collects the parts that all portals' pages have. The price is read from the record.
fn content(page: &Page, reader: &mut FieldReader) -> PageContent {
    let offer = &page.property.offer;
    let note = reader.word("taken", &offer.price_note);
    PageContent {
        url: page.url.clone(),
        title: reader
            .word("title", &offer.original_title)
            .or_else(|| reader.word("title", &offer.title)),
        headline: None,
        text: reader.text("description", &offer.description),
        place: reader.word("address", &page.property.place.location),
        price: None,
        labels: page
            .labels
            .iter()
            .chain(&page.price)
            .chain(&note)
            .cloned()
            .collect(),
        rows: labels::attribute_rows(&page.property, reader),
    }
}

fn fill_category(
    offer: &Offer,
    shown: &PageContent,
    attributes: &mut Attributes,
    reader: &mut FieldReader,
) {
    let category = name_of("offerType", &offer.category, reader);
    attributes.offer_type = offer_text::offer_type([category.as_deref()], reader);
    let group = name_of("type", &offer.group, reader);
    attributes.property_type = offer_text::property_type(group.as_deref(), reader);
    let Some(property_type) = attributes.property_type else {
        return;
    };
    let kind = name_of("subtype", &offer.kind, reader);
    offer_text::fill_subtype(
        property_type,
        kind.as_deref(),
        &shown.titles(),
        attributes,
        reader,
    );
}

/// Returns the record's price. Only the price that the page shows names a currency.
fn price_total(page: &Page, reader: &mut FieldReader) -> Option<f64> {
    let offer = &page.property.offer;
    let amount = reader
        .number("priceTotal", &offer.price)
        .filter(|amount| *amount > 1.0)?;
    let per_metre = reader.flag("priceTotal", &offer.price_per_meter) == Some(true);
    let period = reader
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
    reader.reject("priceTotal", shown, reason);
    None
}

/// Fills the areas. The total area of a house is left out, because it is floor and plot together.
fn fill_areas(features: &Features, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    attributes.living_area = reader.amount("livingArea", &features.usable_area);
    attributes.land_area = reader.amount("landArea", &features.parcel_area);
    attributes.garden_area = reader.amount("gardenArea", &features.garden_area);
    attributes.storage_area = reader.amount("storageArea", &features.cellar_area);
    attributes.balcony_area = reader.amount("balconyArea", &features.balcony_area);
    attributes.loggia_area = reader.amount("loggiaArea", &features.loggia_area);
    attributes.terrace_area = reader.amount("terraceArea", &features.terrace_area);
    let total = reader.amount("totalArea", &features.total);
    listing.evidence.total_area =
        total.filter(|_| attributes.property_type == Some(PropertyType::Apartment));
}

fn fill_storeys(building: &Building, attributes: &mut Attributes, reader: &mut FieldReader) {
    let floor = reader.number("floor", &building.floor);
    attributes.floor = floor.and_then(|floor| reader.storey("floor", floor_from_storey(floor)));
    let count = reader.amount("floorCount", &building.overground_floors);
    attributes.floor_count = count.and_then(|count| reader.storey("floorCount", count));
}

/// Fills the features. Advertisers answer lift, balcony and loggia with a no too; for the rest a no is the form's default.
fn fill_features(features: &Features, attributes: &mut Attributes, reader: &mut FieldReader) {
    let mut presence = |name: &str, area: Option<f64>, flag, asked| {
        has_feature(area, reader.flag(name, flag), asked)
    };
    attributes.elevator = presence("elevator", None, &features.lift, true);
    attributes.balcony = presence("balcony", attributes.balcony_area, &features.balcony, true);
    attributes.loggia = presence("loggia", attributes.loggia_area, &features.loggia, true);
    attributes.terrace = presence("terrace", attributes.terrace_area, &features.terrace, false);
    attributes.storage = presence("storage", attributes.storage_area, &features.cellar, false);
    attributes.garage = presence("garage", None, &features.garage, false);
    attributes.barrier_free = presence("barrierFree", None, &features.wheelchair_access, false);
    attributes.swimming_pool = presence("swimmingPool", None, &features.swimming_pool, false);
    attributes.garden = has_feature(attributes.garden_area, None, false);
    attributes.parking = has_feature(
        reader.amount("parking", &features.parking_places),
        None,
        false,
    );
}
