//! From an advert to a listing.

use schema::{Attributes, BuildingType, Listing, PropertyState, PropertyType, Taken};
use serde_json::Value;

use super::codes::{self, Table, UNDEFINED};
use super::payload::{Advert, Building, Features, Offer};
use super::place;
use crate::json::{Field, Unread, Word, feature, from_ground};
use crate::notation::share::share_on_offer;
use crate::reading::Reading;

/// Reads an advert object.
pub fn reading(object: &Value) -> Reading {
    let mut unread = Unread::default();
    let advert = Advert::of(object);
    let mut listing = Listing::default();
    kind(&advert.offer, &mut listing.attributes, &mut unread);
    texts(&advert.offer, &mut listing, &mut unread);
    listing.attributes.price_total = price(&advert.offer, &mut unread);
    place::locate(&advert.place, &mut listing, &mut unread);
    areas(&advert.features, &mut listing.attributes, &mut unread);
    features(&advert.features, &mut listing.attributes, &mut unread);
    building(&advert.building, &mut listing.attributes, &mut unread);
    let reserved = unread.flag("taken", &advert.offer.reserved) == Some(true);
    listing.evidence.taken = reserved.then_some(Taken::Reserved);
    Reading {
        listing,
        url: place::url(&advert.offer),
        unread: unread.into_rejects(),
    }
}

/// The meaning of a value; one that the enumeration does not list is noted.
fn meaning<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Field<Word>,
    unread: &mut Unread,
) -> Option<T> {
    let says_nothing = field
        .get()
        .is_some_and(|Word(value)| value.trim() == UNDEFINED);
    if says_nothing {
        None
    } else {
        unread.meaning(table, name, field)
    }
}

/// A field whose enumeration is not known, for every advert looked at left it undefined: any value is noted.
fn note_value(name: &str, field: &Field<Word>, unread: &mut Unread) {
    meaning::<()>(&[], name, field, unread);
}

fn kind(offer: &Offer, attributes: &mut Attributes, unread: &mut Unread) {
    attributes.offer_type = meaning(codes::OFFERS, "offerType", &offer.offer_type, unread);
    if let Some((property_type, subtype)) =
        meaning(codes::ESTATES, "type", &offer.estate_type, unread)
    {
        attributes.property_type = Some(property_type);
        attributes.subtype = subtype;
    }
    note_value("subtype", &offer.land_type, unread);
    note_value("subtype", &offer.house_type, unread);
    attributes.arrangement = meaning(
        codes::DISPOSITIONS,
        "arrangement",
        &offer.disposition,
        unread,
    );
}

fn texts(offer: &Offer, listing: &mut Listing, unread: &mut Unread) {
    let title = unread.prose("title", &offer.title);
    listing.attributes.title = title.or_else(|| unread.prose("title", &offer.image_alt_text));
    let text = unread.prose("description", &offer.description);
    listing.attributes.description =
        text.or_else(|| unread.prose("description", &offer.description_by_locale));
    listing.evidence.share = listing
        .attributes
        .description
        .as_deref()
        .and_then(share_on_offer);
    let code = unread.word("orderCode", &offer.code);
    listing.evidence.order_code = code.or_else(|| unread.word("orderCode", &offer.external_id));
}

/// The price, the rent without its charges; 0 is "not given", 1 a placeholder.
fn price(offer: &Offer, unread: &mut Unread) -> Option<f64> {
    unread.crowns(&offer.price, &offer.currency)
}

/// The area of a piece of land is its plot, whichever of the two fields states it.
fn areas(features: &Features, attributes: &mut Attributes, unread: &mut Unread) {
    let surface = unread.amount("livingArea", &features.surface);
    let plot = unread.amount("landArea", &features.surface_land);
    if attributes.property_type == Some(PropertyType::Land) {
        attributes.land_area = plot.or(surface);
    } else {
        attributes.living_area = surface;
        attributes.land_area = plot;
    }
    attributes.balcony_area = unread.amount("balconyArea", &features.balcony_surface);
    attributes.loggia_area = unread.amount("loggiaArea", &features.loggia_surface);
    attributes.terrace_area = unread.amount("terraceArea", &features.terrace_surface);
    attributes.storage_area = unread.amount("storageArea", &features.cellar_surface);
    attributes.garden_area = unread.amount("gardenArea", &features.front_garden);
}

/// The portal leaves a flag false beside an area above 0: the area goes first. Balcony, loggia, terrace and cellar are
/// asked of dwellings, the lift of flats and commercial premises, the rest of all three.
fn features(features: &Features, attributes: &mut Attributes, unread: &mut Unread) {
    let house = attributes.property_type == Some(PropertyType::House);
    let dwelling = house || attributes.property_type == Some(PropertyType::Apartment);
    let housed = dwelling || attributes.property_type == Some(PropertyType::Commercial);
    attributes.balcony = feature(
        attributes.balcony_area,
        unread.flag("balcony", &features.balcony),
        dwelling,
    );
    attributes.loggia = feature(
        attributes.loggia_area,
        unread.flag("loggia", &features.loggia),
        dwelling,
    );
    attributes.terrace = feature(
        attributes.terrace_area,
        unread.flag("terrace", &features.terrace),
        dwelling,
    );
    attributes.storage = feature(
        attributes.storage_area,
        unread.flag("storage", &features.cellar),
        dwelling,
    );
    attributes.garden = feature(attributes.garden_area, None, false);
    attributes.garage = feature(None, unread.flag("garage", &features.garage), housed);
    attributes.parking = feature(None, unread.flag("parking", &features.parking), housed);
    attributes.elevator = feature(
        None,
        unread.flag("elevator", &features.lift),
        housed && !house,
    );
    attributes.barrier_free = feature(
        None,
        unread.flag("barrierFree", &features.barrier_free),
        housed,
    );
    attributes.equipment = meaning(codes::FURNISHINGS, "equipment", &features.equipped, unread);
}

fn building(building: &Building, attributes: &mut Attributes, unread: &mut Unread) {
    let storey = unread.amount("floor", &building.etage);
    attributes.floor = storey.and_then(|storey| unread.storey("floor", from_ground(storey)));
    let storeys = unread.amount("floorCount", &building.total_floors);
    attributes.floor_count = storeys.and_then(|storeys| unread.storey("floorCount", storeys));
    let construction = meaning(
        codes::CONSTRUCTIONS,
        "buildingType",
        &building.construction,
        unread,
    );
    let frugal = unread.flag("buildingType", &building.low_energy) == Some(true);
    attributes.building_type = construction.or_else(|| frugal.then_some(BuildingType::Eco));
    let condition = meaning(
        codes::CONDITIONS,
        "propertyState",
        &building.condition,
        unread,
    );
    let new = unread.flag("propertyState", &building.new_building) == Some(true);
    attributes.property_state =
        condition.or_else(|| new.then_some(PropertyState::NewlyConstructed));
    attributes.ownership = meaning(codes::OWNERSHIPS, "ownership", &building.ownership, unread);
    let class = meaning(codes::ENERGY_CLASSES, "energyClass", &building.penb, unread);
    attributes.energy_class = class.map(str::to_owned);
    note_value("heatingSource", &building.heating, unread);
    note_value("sewerage", &building.sewage, unread);
    note_value("housePosition", &building.position, unread);
}
