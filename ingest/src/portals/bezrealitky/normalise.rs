//! Converting an advert to a listing.

use schema::{Attributes, BuildingType, Listing, PropertyState, PropertyType, Taken};
use serde_json::Value;

use super::codes::{self, Table, UNDEFINED};
use super::payload::{Advert, Building, Features, Offer};
use super::place;
use crate::json::{Field, FieldReader, Word, floor_from_storey, has_feature};
use crate::notation::share::share_on_offer;
use crate::reading::Reading;

/// Reads an advert object.
pub(crate) fn to_reading(object: &Value) -> Reading {
    let mut reader = FieldReader::default();
    let advert = Advert::from_json(object);
    let mut listing = Listing::default();
    fill_kind(&advert.offer, &mut listing.attributes, &mut reader);
    fill_texts(&advert.offer, &mut listing, &mut reader);
    listing.attributes.price_total = price(&advert.offer, &mut reader);
    listing.evidence.former_price =
        former_price(&advert.offer, listing.attributes.price_total, &mut reader);
    place::fill_place(&advert.place, &mut listing, &mut reader);
    fill_areas(&advert.features, &mut listing.attributes, &mut reader);
    fill_features(&advert.features, &mut listing.attributes, &mut reader);
    fill_building(&advert.building, &mut listing.attributes, &mut reader);
    let reserved = reader.flag("taken", &advert.offer.reserved) == Some(true);
    listing.evidence.taken = reserved.then_some(Taken::Reserved);
    Reading {
        listing,
        url: place::url(&advert.offer),
        brief: false,
        unread: reader.into_rejects(),
    }
}

/// Returns the meaning of a value. A value that the enumeration does not list is rejected.
fn meaning<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Field<Word>,
    reader: &mut FieldReader,
) -> Option<T> {
    let says_nothing = field
        .get()
        .is_some_and(|Word(value)| value.trim() == UNDEFINED);
    if says_nothing {
        None
    } else {
        reader.meaning(table, name, field)
    }
}

/// Rejects any value of a field whose enumeration is not known. Every advert that was looked at left it undefined.
fn reject_any(name: &str, field: &Field<Word>, reader: &mut FieldReader) {
    meaning::<()>(&[], name, field, reader);
}

fn fill_kind(offer: &Offer, attributes: &mut Attributes, reader: &mut FieldReader) {
    attributes.offer_type = meaning(codes::OFFERS, "offerType", &offer.offer_type, reader);
    if let Some((property_type, subtype)) =
        meaning(codes::ESTATES, "type", &offer.estate_type, reader)
    {
        attributes.property_type = Some(property_type);
        attributes.subtype = subtype;
    }
    reject_any("subtype", &offer.land_type, reader);
    reject_any("subtype", &offer.house_type, reader);
    attributes.arrangement = meaning(
        codes::DISPOSITIONS,
        "arrangement",
        &offer.disposition,
        reader,
    );
}

fn fill_texts(offer: &Offer, listing: &mut Listing, reader: &mut FieldReader) {
    let title = reader.text("title", &offer.title);
    listing.attributes.title = title.or_else(|| reader.text("title", &offer.image_alt_text));
    let text = reader.text("description", &offer.description);
    listing.attributes.description =
        text.or_else(|| reader.text("description", &offer.description_by_locale));
    listing.evidence.share = listing
        .attributes
        .description
        .as_deref()
        .and_then(share_on_offer);
    let code = reader.word("orderCode", &offer.code);
    listing.evidence.order_code = code.or_else(|| reader.word("orderCode", &offer.external_id));
}

/// Returns the price; a rent is without charges. 0 is "not given", and 1 is a placeholder.
fn price(offer: &Offer, reader: &mut FieldReader) -> Option<f64> {
    reader.price_in_crowns(&offer.price, &offer.currency)
}

/// Returns the price before it was changed. The portal repeats the price if it was not.
fn former_price(offer: &Offer, price: Option<f64>, reader: &mut FieldReader) -> Option<f64> {
    let former = reader.number("formerPrice", &offer.original_price);
    former
        .filter(|former| *former > 1.0 && price.is_some_and(|price| (price - former).abs() >= 1.0))
}

/// Fills the areas. The area of land is its plot, whichever of the two fields states it.
fn fill_areas(features: &Features, attributes: &mut Attributes, reader: &mut FieldReader) {
    let surface = reader.amount("livingArea", &features.surface);
    let plot = reader.amount("landArea", &features.surface_land);
    if attributes.property_type == Some(PropertyType::Land) {
        attributes.land_area = plot.or(surface);
    } else {
        attributes.living_area = surface;
        attributes.land_area = plot;
    }
    attributes.balcony_area = reader.amount("balconyArea", &features.balcony_surface);
    attributes.loggia_area = reader.amount("loggiaArea", &features.loggia_surface);
    attributes.terrace_area = reader.amount("terraceArea", &features.terrace_surface);
    attributes.storage_area = reader.amount("storageArea", &features.cellar_surface);
    attributes.garden_area = reader.amount("gardenArea", &features.front_garden);
}

/// Fills the features. An area above 0 comes first, because the portal leaves the flag false next to it. The form asks
/// for balcony, loggia, terrace and cellar of dwellings, for the lift of flats and commercial premises, and for the rest
/// of all three.
fn fill_features(features: &Features, attributes: &mut Attributes, reader: &mut FieldReader) {
    let house = attributes.property_type == Some(PropertyType::House);
    let dwelling = house || attributes.property_type == Some(PropertyType::Apartment);
    let housed = dwelling || attributes.property_type == Some(PropertyType::Commercial);
    attributes.balcony = has_feature(
        attributes.balcony_area,
        reader.flag("balcony", &features.balcony),
        dwelling,
    );
    attributes.loggia = has_feature(
        attributes.loggia_area,
        reader.flag("loggia", &features.loggia),
        dwelling,
    );
    attributes.terrace = has_feature(
        attributes.terrace_area,
        reader.flag("terrace", &features.terrace),
        dwelling,
    );
    attributes.storage = has_feature(
        attributes.storage_area,
        reader.flag("storage", &features.cellar),
        dwelling,
    );
    attributes.garden = has_feature(attributes.garden_area, None, false);
    attributes.garage = has_feature(None, reader.flag("garage", &features.garage), housed);
    attributes.parking = has_feature(None, reader.flag("parking", &features.parking), housed);
    attributes.elevator = has_feature(
        None,
        reader.flag("elevator", &features.lift),
        housed && !house,
    );
    attributes.barrier_free = has_feature(
        None,
        reader.flag("barrierFree", &features.barrier_free),
        housed,
    );
    attributes.equipment = meaning(codes::FURNISHINGS, "equipment", &features.equipped, reader);
}

fn fill_building(building: &Building, attributes: &mut Attributes, reader: &mut FieldReader) {
    let storey = reader.amount("floor", &building.etage);
    attributes.floor = storey.and_then(|storey| reader.storey("floor", floor_from_storey(storey)));
    let storeys = reader.amount("floorCount", &building.total_floors);
    attributes.floor_count = storeys.and_then(|storeys| reader.storey("floorCount", storeys));
    let construction = meaning(
        codes::CONSTRUCTIONS,
        "buildingType",
        &building.construction,
        reader,
    );
    let low_energy = reader.flag("buildingType", &building.low_energy) == Some(true);
    attributes.building_type = construction.or_else(|| low_energy.then_some(BuildingType::Eco));
    let condition = meaning(
        codes::CONDITIONS,
        "propertyState",
        &building.condition,
        reader,
    );
    let new = reader.flag("propertyState", &building.new_building) == Some(true);
    attributes.property_state =
        condition.or_else(|| new.then_some(PropertyState::NewlyConstructed));
    attributes.ownership = meaning(codes::OWNERSHIPS, "ownership", &building.ownership, reader);
    let class = meaning(codes::ENERGY_CLASSES, "energyClass", &building.penb, reader);
    attributes.energy_class = class.map(str::to_owned);
    reject_any("heatingSource", &building.heating, reader);
    reject_any("sewerage", &building.sewage, reader);
    reject_any("housePosition", &building.position, reader);
}
