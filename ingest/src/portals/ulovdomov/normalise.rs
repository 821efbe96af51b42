//! From an advert to a listing.

use czech::floor::stated_floor;
use czech::order_code::order_code_in_text;
use schema::{Attributes, Listing, OfferType, PropertyType, Taken};
use serde_json::Value;

use super::codes::{self, Convenience, PriceUnit};
use super::payload::{Advert, Money, Offer, Property};
use super::{parameters, place};
use crate::notation::kind::subtype;
use crate::notation::share::{share, share_on_offer};
use crate::portals::lenient::{Field, Object, Unread, Word, from_ground};
use crate::reading::Reading;

/// Reads an advert object; its page may say that somebody is interested.
pub fn reading(object: &Value, reserved: bool) -> Reading {
    let mut unread = Unread::default();
    let advert = Advert::of(object);
    let mut listing = Listing::default();
    texts(&advert.offer, &mut listing, &mut unread);
    kind(&advert, &mut listing.attributes, &mut unread);
    listing.attributes.price_total =
        price(&advert.offer, listing.attributes.offer_type, &mut unread);
    place::locate(&advert.place, &mut listing, &mut unread);
    area(&advert.property, &mut listing.attributes, &mut unread);
    for list in [
        &advert.property.convenience,
        &advert.property.house_convenience,
    ] {
        conveniences(list, &mut listing.attributes, &mut unread);
    }
    let level = unread.figure("floor", &advert.property.floor_level);
    let level = parameters::take(&advert.property.parameters, &mut listing, &mut unread).or(level);
    listing.attributes.floor = floor(level, &listing.attributes, &mut unread);
    listing.evidence.taken = reserved.then_some(Taken::Reserved);
    let url = place::url(&advert.offer, &mut unread);
    Reading {
        listing,
        url,
        unread: unread.into_rejects(),
    }
}

fn kind(advert: &Advert, attributes: &mut Attributes, unread: &mut Unread) {
    attributes.offer_type = unread.meaning(codes::OFFERS, "offerType", &advert.offer.offer_type);
    let property = unread.meaning(codes::PROPERTIES, "type", &advert.property.property_type);
    attributes.property_type = property.map(|(property_type, _)| property_type);
    let layout = unread.meaning(
        codes::DISPOSITIONS,
        "arrangement",
        &advert.property.disposition,
    );
    attributes.arrangement = property.and_then(|(_, layout)| layout).or(layout);
    let house = unread.meaning(codes::HOUSES, "subtype", &advert.property.house_type);
    let titled = || subtype(attributes.property_type?, attributes.title.as_deref()?);
    attributes.subtype = house.or_else(titled);
}

/// What the portal's form adds below a text begins like this.
const BELOW_THE_TEXT: &str = "\n - - - - - - - - - - -";

fn texts(offer: &Offer, listing: &mut Listing, unread: &mut Unread) {
    listing.attributes.title = unread.prose("title", &offer.title);
    let text = unread.prose("description", &offer.description);
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

/// The price; none and 1 are "on request".
fn price(offer: &Offer, offer_type: Option<OfferType>, unread: &mut Unread) -> Option<f64> {
    let amount =
        amount(&offer.rental_price, unread).or_else(|| amount(&offer.selling_price, unread))?;
    let reason = match unread.meaning(codes::PRICE_UNITS, "priceTotal", &offer.price_unit) {
        None if offer.price_unit.get().is_some() => return None,
        Some(PriceUnit::Month) if offer_type != Some(OfferType::Rent) => {
            "a rent for something that is not let"
        }
        _ => return Some(amount),
    };
    unread.note("priceTotal", amount, reason);
    None
}

fn amount(money: &Field<Object<Money>>, unread: &mut Unread) -> Option<f64> {
    let Object(Money { value, currency }) = unread.read("priceTotal", money)?;
    unread.crowns(&value, &currency)
}

/// One area for all kinds of property.
fn area(property: &Property, attributes: &mut Attributes, unread: &mut Unread) {
    if attributes.property_type == Some(PropertyType::Land) {
        attributes.land_area = unread.amount("landArea", &property.area);
    } else {
        attributes.living_area = unread.amount("livingArea", &property.area);
    }
}

/// What is ticked is there; what is not ticked may be there all the same.
fn conveniences(list: &Field<Vec<Field<Word>>>, attributes: &mut Attributes, unread: &mut Unread) {
    for tick in unread.read("convenience", list).unwrap_or_default() {
        let there = Some(true);
        match unread.meaning(codes::CONVENIENCES, "convenience", &tick) {
            Some(Convenience::Balcony) => attributes.balcony = there,
            Some(Convenience::Terrace) => attributes.terrace = there,
            Some(Convenience::Loggia) => attributes.loggia = there,
            Some(Convenience::Cellar) => attributes.storage = there,
            Some(Convenience::Lift) => attributes.elevator = there,
            Some(Convenience::Garage) => attributes.garage = there,
            Some(Convenience::Parking) => attributes.parking = there,
            Some(Convenience::Pool) => attributes.swimming_pool = there,
            Some(Convenience::Furnished(equipment)) => attributes.equipment = Some(equipment),
            Some(Convenience::Nothing) | None => {}
        }
    }
}

/// The floor. Some exports count from 0 at the ground and most from 1: where the text names one of the two floors that
/// the number can mean, it is that one.
fn floor(level: Option<f64>, attributes: &Attributes, unread: &mut Unread) -> Option<i16> {
    let is_unit = attributes.property_type != Some(PropertyType::House);
    let told = attributes
        .description
        .as_deref()
        .filter(|_| is_unit)
        .and_then(stated_floor);
    let Some(level) = level else { return told };
    let storey = unread.storey("floor", level)?;
    let from_one = from_ground(level) as i16;
    Some(
        told.filter(|told| [storey, from_one].contains(told))
            .unwrap_or(from_one),
    )
}
