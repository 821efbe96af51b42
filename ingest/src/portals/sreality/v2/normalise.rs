//! From an advert of API v2 to a listing.

use schema::{Attributes, Equipment, Listing, OfferType};
use serde::Deserialize;
use serde_json::Value;

use super::facts::{Facts, named, plain, storeys};
use super::payload::{Estate, Labelled, Price, Seo};
use super::place;
use crate::notation::heating::{kind_of_all, source_of_all};
use crate::portals::lenient::{Field, Object, Unread, from_ground};
use crate::portals::sreality::codes::{self, Finer};
use crate::portals::sreality::normalise::{meaning, told_share};
use crate::portals::sreality::{heating, price, title};
use crate::reading::Reading;

/// Reads a detail or a list item.
pub fn reading(object: &Value) -> Reading {
    let mut unread = Unread::default();
    let estate = Estate::deserialize(object).unwrap_or_default();
    let facts = Facts::of(&estate, &mut unread);
    let seo = object_of(&estate.seo);
    let mut listing = Listing::default();
    category(&seo, &mut listing, &mut unread);
    texts(&estate, &facts, &mut listing, &mut unread);
    listing.attributes.price_total =
        total(&estate, &facts, listing.attributes.offer_type, &mut unread);
    place::locate(&estate, &mut listing, &mut unread);
    areas(&facts, &mut listing);
    features(&facts, &mut listing.attributes, &mut unread);
    building(&facts, &mut listing.attributes, &mut unread);
    listing.evidence.taken = facts.meaning(codes::STATES, "Stav", "taken", &mut unread);
    listing.evidence.share = share(&seo, &facts, &listing);
    if estate.items == Field::Absent {
        title::areas(&mut listing.attributes);
    }
    let url = place::url(&estate, &seo);
    Reading {
        listing,
        url,
        unread: unread.into_rejects(),
    }
}

/// An object of a payload, empty where there is none.
pub fn object_of<T: Clone + Default>(field: &Field<Object<T>>) -> T {
    field
        .get()
        .map(|Object(object)| object.clone())
        .unwrap_or_default()
}

fn category(seo: &Seo, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let offer = meaning(codes::OFFERS, "offerType", &seo.category_type_cb, unread);
    attributes.offer_type = offer.map(|(offer_type, _)| offer_type);
    let property = meaning(codes::TYPES, "type", &seo.category_main_cb, unread);
    attributes.property_type = property.map(|(property_type, _)| property_type);
    match meaning(
        codes::SUBCATEGORIES,
        "subtype",
        &seo.category_sub_cb,
        unread,
    ) {
        Some((_, Finer::Layout(arrangement), _)) => attributes.arrangement = Some(arrangement),
        Some((_, Finer::Subtype(subtype), _)) => attributes.subtype = Some(subtype),
        None => {}
    }
}

fn texts(estate: &Estate, facts: &Facts, listing: &mut Listing, unread: &mut Unread) {
    let mut text = |name: &str, field: &Field<Labelled>| {
        unread
            .read(name, field)
            .map(|Labelled(text)| text)
            .filter(|text| !text.trim().is_empty())
    };
    listing.attributes.title = text("title", &estate.name);
    listing.attributes.description = text("description", &estate.text);
    listing.evidence.order_code = facts.text("ID zakázky");
}

fn share(seo: &Seo, facts: &Facts, listing: &Listing) -> Option<String> {
    if seo.category_type_cb.get()?.value != codes::SHARES {
        return None;
    }
    let stated = facts
        .text("Velikost podílu")
        .map(|share| share.replace(' ', ""));
    Some(stated.unwrap_or_else(|| told_share(listing)))
}

/// The price; its unit stands beside it or in the line of the table that shows it.
fn total(
    estate: &Estate,
    facts: &Facts,
    offer: Option<OfferType>,
    unread: &mut Unread,
) -> Option<f64> {
    let Object(Price { value_raw, unit }) = unread.read("priceTotal", &estate.price_czk)?;
    let amount = unread
        .figure("priceTotal", &value_raw)
        .filter(|amount| !(0.0..=1.0).contains(amount))?;
    let shown = ["Zlevněno", "Celková cena"]
        .iter()
        .find_map(|name| facts.line(name));
    if let Some(currency) = shown.and_then(|line| plain(&line.currency))
        && currency != "Kč"
    {
        unread.note(
            "priceTotal",
            format!("{amount} CZK from {currency}"),
            "a currency other than CZK",
        );
        return None;
    }
    let unit = plain(&unit).or_else(|| shown.and_then(|line| plain(&line.unit)));
    let Some(name) = unit else {
        return Some(amount);
    };
    let unit = named(codes::PRICE_UNITS, name, "priceTotal", unread)?;
    price::in_unit(amount, unit, offer)
        .inspect_err(|reason| unread.note("priceTotal", format!("{amount} {name}"), reason))
        .ok()
}

fn areas(facts: &Facts, listing: &mut Listing) {
    let attributes = &mut listing.attributes;
    attributes.living_area = facts
        .figure("Užitná ploch")
        .or_else(|| facts.figure("Užitná plocha"));
    attributes.land_area = facts.figure("Plocha pozemku");
    attributes.garden_area = facts.figure("Plocha zahrady");
    attributes.storage_area = facts.figure("Sklep");
    attributes.balcony_area = facts.figure("Balkón");
    attributes.loggia_area = facts.figure("Lodžie");
    attributes.terrace_area = facts.figure("Terasa");
    let total = facts
        .figure("Celková plocha")
        .or_else(|| facts.figure("Plocha podlahová"));
    listing.evidence.total_area = total;
}

fn features(facts: &Facts, attributes: &mut Attributes, unread: &mut Unread) {
    attributes.storage = facts.presence("Sklep");
    attributes.balcony = facts.presence("Balkón");
    attributes.loggia = facts.presence("Lodžie");
    attributes.terrace = facts.presence("Terasa");
    attributes.garage = facts.presence("Garáž");
    attributes.parking = facts.presence("Parkování");
    attributes.elevator = facts.presence("Výtah");
    attributes.barrier_free = facts.presence("Bezbariérový");
    attributes.swimming_pool = facts
        .presence("Bazén")
        .or_else(|| facts.presence("Plocha bazénu"));
    attributes.garden = facts.presence("Plocha zahrady");
    attributes.equipment = match facts.presence("Vybavení") {
        Some(true) => Some(Equipment::Full),
        Some(false) => Some(Equipment::None),
        None => facts.meaning(codes::FURNISHINGS, "Vybavení", "equipment", unread),
    };
}

fn building(facts: &Facts, attributes: &mut Attributes, unread: &mut Unread) {
    if let Some(line) = facts.text("Podlaží") {
        let storeys = storeys(&line);
        attributes.floor = storeys.unit.map(|unit| from_ground(f64::from(unit)) as i16);
        attributes.floor_count = storeys.total;
        if storeys.unit.or(storeys.total).is_none() {
            unread.note("floor", line, "not a number of storeys");
        }
    }
    attributes.building_type = facts.meaning(codes::BUILDINGS, "Stavba", "buildingType", unread);
    attributes.property_state =
        facts.meaning(codes::CONDITIONS, "Stav objektu", "propertyState", unread);
    attributes.ownership = facts.meaning(codes::OWNERSHIPS, "Vlastnictví", "ownership", unread);
    let position = facts.meaning(codes::POSITIONS, "Poloha domu", "housePosition", unread);
    attributes.house_position = position.map(str::to_owned);
    let letter = facts
        .line("Energetická náročnost budovy")
        .and_then(|line| plain(&line.value_type));
    let label =
        letter.and_then(|letter| named(codes::ENERGY_CLASSES, letter, "energyClass", unread));
    attributes.energy_class = label.map(str::to_owned);
    let ways = facts.meanings(codes::HEATINGS, "Topení", "heatingSource", unread);
    attributes.heating_source = source_of_all(&ways).map(str::to_owned);
    attributes.heating_type = kind_of_all(&ways).map(str::to_owned);
    attributes.sewerage =
        heating::sewerage(&facts.meanings(codes::SEWERS, "Odpad", "sewerage", unread));
}
