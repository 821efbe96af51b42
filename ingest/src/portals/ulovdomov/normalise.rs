//! Converting an advert to a listing.

use czech::floor::stated_floor;
use czech::order_code::order_code_in_text;
use schema::{Attributes, Listing, OfferType, PropertyType, Taken};
use serde_json::Value;

use super::codes::{self, Convenience, PriceUnit};
use super::payload::{Advert, Money, Offer, Property};
use super::{parameters, place};
use crate::json::{Field, FieldReader, Object, Word, floor_from_storey};
use crate::notation::kind::subtype;
use crate::notation::share::{share, share_on_offer};
use crate::reading::Reading;

/// Converts an advert to a listing. `reserved` tells whether its page says that somebody is interested.
pub(crate) fn to_reading(object: &Value, reserved: bool) -> Reading {
    let mut reader = FieldReader::default();
    let advert = Advert::from_json(object);
    let mut listing = Listing::default();
    fill_texts(&advert.offer, &mut listing, &mut reader);
    fill_kind(&advert, &mut listing.attributes, &mut reader);
    listing.attributes.price_total =
        price(&advert.offer, listing.attributes.offer_type, &mut reader);
    place::fill_place(&advert.place, &mut listing, &mut reader);
    fill_area(&advert.property, &mut listing.attributes, &mut reader);
    for list in [
        &advert.property.convenience,
        &advert.property.house_convenience,
    ] {
        fill_conveniences(list, &mut listing.attributes, &mut reader);
    }
    let level = reader.number("floor", &advert.property.floor_level);
    let level = parameters::fill_parameters(&advert.property.parameters, &mut listing, &mut reader)
        .or(level);
    listing.attributes.floor = floor(level, &listing.attributes, &mut reader);
    listing.evidence.taken = reserved.then_some(Taken::Reserved);
    let url = place::url(&advert.offer, &mut reader);
    Reading {
        listing,
        url,
        brief: false,
        unread: reader.into_rejects(),
    }
}

fn fill_kind(advert: &Advert, attributes: &mut Attributes, reader: &mut FieldReader) {
    attributes.offer_type = reader.meaning(codes::OFFERS, "offerType", &advert.offer.offer_type);
    let property = reader.meaning(codes::PROPERTIES, "type", &advert.property.property_type);
    attributes.property_type = property.map(|(property_type, _)| property_type);
    let layout = reader.meaning(
        codes::DISPOSITIONS,
        "arrangement",
        &advert.property.disposition,
    );
    attributes.arrangement = property.and_then(|(_, layout)| layout).or(layout);
    let house = reader.meaning(codes::HOUSES, "subtype", &advert.property.house_type);
    let titled = || subtype(attributes.property_type?, attributes.title.as_deref()?);
    attributes.subtype = house.or_else(titled);
}

/// The beginning of what the portal's form adds below a text.
const BELOW_THE_TEXT: &str = "\n - - - - - - - - - - -";

fn fill_texts(offer: &Offer, listing: &mut Listing, reader: &mut FieldReader) {
    listing.attributes.title = reader.text("title", &offer.title);
    let text = reader.text("description", &offer.description);
    let own = text
        .as_deref()
        .and_then(|text| text.split(BELOW_THE_TEXT).next())
        .map(str::trim_end);
    listing.attributes.description = own.filter(|text| !text.is_empty()).map(str::to_owned);

    let Attributes {
        title, description, ..
    } = &listing.attributes;
    let titled = title.as_deref().and_then(share);
    listing.evidence.share = titled.or_else(|| description.as_deref().and_then(share_on_offer));
    listing.evidence.order_code = description.as_deref().and_then(order_code_in_text);
}

/// Returns the price. A missing price or 1 means "on request".
fn price(offer: &Offer, offer_type: Option<OfferType>, reader: &mut FieldReader) -> Option<f64> {
    let amount =
        amount(&offer.rental_price, reader).or_else(|| amount(&offer.selling_price, reader))?;
    let reason = match reader.meaning(codes::PRICE_UNITS, "priceTotal", &offer.price_unit) {
        None if offer.price_unit.get().is_some() => return None,
        Some(PriceUnit::Month) if offer_type != Some(OfferType::Rent) => {
            "a rent for something that is not let"
        }
        _ => return Some(amount),
    };
    reader.reject("priceTotal", amount, reason);
    None
}

fn amount(money: &Field<Object<Money>>, reader: &mut FieldReader) -> Option<f64> {
    let Object(Money { value, currency }) = reader.value("priceTotal", money)?;
    reader.price_in_crowns(&value, &currency)
}

/// Fills the area. The portal has one field for all kinds of property.
fn fill_area(property: &Property, attributes: &mut Attributes, reader: &mut FieldReader) {
    if attributes.property_type == Some(PropertyType::Land) {
        attributes.land_area = reader.amount("landArea", &property.area);
    } else {
        attributes.living_area = reader.amount("livingArea", &property.area);
    }
}

/// Fills the features that are ticked. A feature that is not ticked may be there too.
fn fill_conveniences(
    list: &Field<Vec<Field<Word>>>,
    attributes: &mut Attributes,
    reader: &mut FieldReader,
) {
    for tick in reader.value("convenience", list).unwrap_or_default() {
        let present = Some(true);
        match reader.meaning(codes::CONVENIENCES, "convenience", &tick) {
            Some(Convenience::Balcony) => attributes.balcony = present,
            Some(Convenience::Terrace) => attributes.terrace = present,
            Some(Convenience::Loggia) => attributes.loggia = present,
            Some(Convenience::Cellar) => attributes.storage = present,
            Some(Convenience::Lift) => attributes.elevator = present,
            Some(Convenience::Garage) => attributes.garage = present,
            Some(Convenience::Parking) => attributes.parking = present,
            Some(Convenience::Pool) => attributes.swimming_pool = present,
            Some(Convenience::Furnished(equipment)) => attributes.equipment = Some(equipment),
            Some(Convenience::Ignored) | None => {}
        }
    }
}

/// Returns the floor. Some exports count from 0 at the ground, but most count from 1. If the text names one of the two
/// floors that the number can mean, it is that floor; otherwise the number counts from 1.
fn floor(level: Option<f64>, attributes: &Attributes, reader: &mut FieldReader) -> Option<i16> {
    let is_unit = attributes.property_type != Some(PropertyType::House);
    let in_text = attributes
        .description
        .as_deref()
        .filter(|_| is_unit)
        .and_then(stated_floor);
    let Some(level) = level else { return in_text };
    let storey = reader.storey("floor", level)?;
    let from_one = floor_from_storey(level) as i16;
    Some(
        in_text
            .filter(|floor| [storey, from_one].contains(floor))
            .unwrap_or(from_one),
    )
}
