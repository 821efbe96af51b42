//! From an advert of API v2 to a listing.

use schema::{Attributes, Equipment, Listing, OfferType};
use serde::Deserialize;
use serde_json::Value;

use super::facts::{Facts, meaning_of_name, parse_storeys, trimmed};
use super::payload::{Estate, Labelled, Price, Seo};
use super::place;
use crate::json::{Field, FieldReader, Object, floor_from_storey};
use crate::notation::heating::{kind_of_all, source_of_all};
use crate::portals::sreality::codes::{self, Finer};
use crate::portals::sreality::normalise::{meaning, share_in_texts};
use crate::portals::sreality::{heating, price, title};
use crate::reading::Reading;

/// Reads a detail or a list item.
pub(crate) fn to_reading(object: &Value) -> Reading {
    let mut reader = FieldReader::default();
    let estate = Estate::deserialize(object).unwrap_or_default();
    let facts = Facts::from_items(&estate, &mut reader);
    let seo = object_or_default(&estate.seo);
    let mut listing = Listing::default();
    fill_category(&seo, &mut listing, &mut reader);
    fill_texts(&estate, &facts, &mut listing, &mut reader);
    listing.attributes.price_total =
        total(&estate, &facts, listing.attributes.offer_type, &mut reader);
    place::fill_place(&estate, &mut listing, &mut reader);
    fill_areas(&facts, &mut listing);
    fill_features(&facts, &mut listing.attributes, &mut reader);
    fill_building(&facts, &mut listing.attributes, &mut reader);
    listing.evidence.taken = facts.meaning(codes::STATES, "Stav", "taken", &mut reader);
    listing.evidence.share = share(&seo, &facts, &listing);
    let is_list_item = estate.items == Field::Absent;
    if is_list_item {
        title::fill_areas(&mut listing.attributes);
    }
    let url = place::url(&estate, &seo);
    Reading {
        listing,
        url,
        brief: is_list_item,
        unread: reader.into_rejects(),
    }
}

/// Returns an object of a payload, or an empty one if there is none.
pub(crate) fn object_or_default<T: Clone + Default>(field: &Field<Object<T>>) -> T {
    field
        .get()
        .map(|Object(object)| object.clone())
        .unwrap_or_default()
}

fn fill_category(seo: &Seo, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    let offer = meaning(codes::OFFERS, "offerType", &seo.category_type_cb, reader);
    attributes.offer_type = offer.map(|(offer_type, _)| offer_type);
    let property = meaning(codes::TYPES, "type", &seo.category_main_cb, reader);
    attributes.property_type = property.map(|(property_type, _)| property_type);
    match meaning(
        codes::SUBCATEGORIES,
        "subtype",
        &seo.category_sub_cb,
        reader,
    ) {
        Some((_, Finer::Layout(arrangement), _)) => attributes.arrangement = Some(arrangement),
        Some((_, Finer::Subtype(subtype), _)) => attributes.subtype = Some(subtype),
        None => {}
    }
}

fn fill_texts(estate: &Estate, facts: &Facts, listing: &mut Listing, reader: &mut FieldReader) {
    let mut text = |name: &str, field: &Field<Labelled>| {
        reader
            .value(name, field)
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
    Some(stated.unwrap_or_else(|| share_in_texts(listing)))
}

/// Returns the price. Its unit is next to it, or in the row of the table that shows the price.
fn total(
    estate: &Estate,
    facts: &Facts,
    offer: Option<OfferType>,
    reader: &mut FieldReader,
) -> Option<f64> {
    let Object(Price { value_raw, unit }) = reader.value("priceTotal", &estate.price_czk)?;
    let amount = reader
        .number("priceTotal", &value_raw)
        .filter(|amount| !(0.0..=1.0).contains(amount))?;
    let shown = ["Zlevněno", "Celková cena"]
        .iter()
        .find_map(|name| facts.line(name));
    if let Some(currency) = shown.and_then(|line| trimmed(&line.currency))
        && currency != "Kč"
    {
        reader.reject(
            "priceTotal",
            format!("{amount} CZK from {currency}"),
            "a currency other than CZK",
        );
        return None;
    }
    let unit = trimmed(&unit).or_else(|| shown.and_then(|line| trimmed(&line.unit)));
    let Some(name) = unit else {
        return Some(amount);
    };
    let unit = meaning_of_name(codes::PRICE_UNITS, name, "priceTotal", reader)?;
    price::total_from_unit(amount, unit, offer)
        .inspect_err(|reason| reader.reject("priceTotal", format!("{amount} {name}"), reason))
        .ok()
}

fn fill_areas(facts: &Facts, listing: &mut Listing) {
    let attributes = &mut listing.attributes;
    attributes.living_area = facts
        .number("Užitná ploch")
        .or_else(|| facts.number("Užitná plocha"));
    attributes.land_area = facts.number("Plocha pozemku");
    attributes.garden_area = facts.number("Plocha zahrady");
    attributes.storage_area = facts.number("Sklep");
    attributes.balcony_area = facts.number("Balkón");
    attributes.loggia_area = facts.number("Lodžie");
    attributes.terrace_area = facts.number("Terasa");
    let total = facts
        .number("Celková plocha")
        .or_else(|| facts.number("Plocha podlahová"));
    listing.evidence.total_area = total;
}

fn fill_features(facts: &Facts, attributes: &mut Attributes, reader: &mut FieldReader) {
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
        None => facts.meaning(codes::FURNISHINGS, "Vybavení", "equipment", reader),
    };
}

fn fill_building(facts: &Facts, attributes: &mut Attributes, reader: &mut FieldReader) {
    if let Some(line) = facts.text("Podlaží") {
        let storeys = parse_storeys(&line);
        attributes.floor = storeys
            .unit
            .map(|unit| floor_from_storey(f64::from(unit)) as i16);
        attributes.floor_count = storeys.total;
        if storeys.unit.or(storeys.total).is_none() {
            reader.reject("floor", line, "not a number of storeys");
        }
    }
    attributes.building_type = facts.meaning(codes::BUILDINGS, "Stavba", "buildingType", reader);
    attributes.property_state =
        facts.meaning(codes::CONDITIONS, "Stav objektu", "propertyState", reader);
    attributes.ownership = facts.meaning(codes::OWNERSHIPS, "Vlastnictví", "ownership", reader);
    let position = facts.meaning(codes::POSITIONS, "Poloha domu", "housePosition", reader);
    attributes.house_position = position.map(str::to_owned);
    let letter = facts
        .line("Energetická náročnost budovy")
        .and_then(|line| trimmed(&line.value_type));
    let label = letter
        .and_then(|letter| meaning_of_name(codes::ENERGY_CLASSES, letter, "energyClass", reader));
    attributes.energy_class = label.map(str::to_owned);
    let ways = facts.meanings(codes::HEATINGS, "Topení", "heatingSource", reader);
    attributes.heating_source = source_of_all(&ways).map(str::to_owned);
    attributes.heating_type = kind_of_all(&ways).map(str::to_owned);
    attributes.sewerage =
        heating::sewerage(&facts.meanings(codes::SEWERS, "Odpad", "sewerage", reader));
}
