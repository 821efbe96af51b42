//! Converting an advert to a listing.

use schema::{Listing, OfferType};

use crate::json::{Field, FieldReader};
use crate::notation::price::{self, Price, price_in_text};
use crate::reading::Reading;

use super::category::PriceKind;
use super::payload::Advert;
use super::{areas, category, features, place};

/// Converts an advert to a listing.
pub(crate) fn to_reading(advert: &Advert) -> Reading {
    let mut listing = Listing::default();
    let mut reader = FieldReader::default();
    let attributes = &mut listing.attributes;
    attributes.title = reader
        .text("title", &advert.title)
        .map(|title| title.trim().to_owned());
    attributes.description = reader
        .text("description", &advert.description)
        .map(|text| text.trim().to_owned());
    let title = attributes.title.clone().unwrap_or_default();
    let text = attributes.description.clone().unwrap_or_default();
    category::fill_category(advert, &title, attributes, &mut reader);
    attributes.price_total = price_total(advert, &text, attributes.offer_type, &mut reader);
    let areas = areas::find_areas(attributes.property_type, &title, &text);
    attributes.living_area = areas.living;
    attributes.land_area = areas.land;
    attributes.garden_area = areas.garden;
    features::fill_features(&title, &text, &mut listing);
    place::fill_place(advert, &mut listing, &mut reader);
    Reading {
        listing,
        url: reader.word("url", &advert.url),
        brief: is_list_item(advert),
        unread: reader.into_rejects(),
    }
}

/// Tells whether the advert is a list item of the mobile interface.
fn is_list_item(advert: &Advert) -> bool {
    advert.description == Field::Absent
        && advert.offer == Field::Absent
        && advert.category == Field::Absent
}

/// The lowest plausible monthly rent, in CZK. A lower price is one for a square metre, or a placeholder.
const LEAST_RENT: f64 = 100.0;
/// The lowest plausible price of anything that is not rented, in CZK.
const LEAST_PRICE: f64 = 1_000.0;

/// Returns the price that the portal's price text states. If the portal refers to the advert's text, that is read.
fn price_total(
    advert: &Advert,
    text: &str,
    offer: Option<OfferType>,
    reader: &mut FieldReader,
) -> Option<f64> {
    let kind = reader
        .word("price_type", &advert.price_type)
        .map_or(PriceKind::Stated, |code| {
            PriceKind::from_code(&code).unwrap_or_else(|| {
                reader.reject("priceTotal", &code, FieldReader::UNKNOWN_CODE);
                PriceKind::Stated
            })
        });
    let written = reader.word("price_formatted", &advert.price_formatted);
    let total = match kind {
        PriceKind::None => None,
        PriceKind::InText => price_in_text(text),
        PriceKind::Stated => stated_price(written?.as_str(), text, reader),
    }?;
    let least = if offer == Some(OfferType::Rent) {
        LEAST_RENT
    } else {
        LEAST_PRICE
    };
    if total < least {
        reader.reject(
            "priceTotal",
            total,
            "too little for the whole: a price for a square metre, or a placeholder",
        );
        return None;
    }
    Some(total)
}

fn stated_price(written: &str, text: &str, reader: &mut FieldReader) -> Option<f64> {
    match price::price(written) {
        Some(Price::OnRequest) if written.to_lowercase().contains("v textu") => price_in_text(text),
        Some(Price::OnRequest) => None,
        Some(price) if price.total().is_some() => price.total(),
        Some(_) => {
            reader.reject("priceTotal", written, "not a price of the whole in crowns");
            None
        }
        None => {
            reader.reject("priceTotal", written, "not a price");
            None
        }
    }
}
