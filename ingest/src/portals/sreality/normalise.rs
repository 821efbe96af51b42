//! From an advert of API v1 to a listing.

use schema::{Attributes, BuildingType, Listing, PropertyType, Taken};
use serde_json::Value;

use super::codes::{self, Finer, Table};
use super::payload::{Advert, Areas, Building, Code, Codes, Estate, Features};
use super::{heating, place, price, title};
use crate::json::{Field, Unread, feature, from_ground};
use crate::notation;
use crate::reading::Reading;

/// Reads a detail or a list item.
pub fn reading(object: &Value) -> Reading {
    let mut unread = Unread::default();
    let estate = Estate::of(object, &mut unread);
    let mut listing = facts(&estate, &mut unread);
    if is_list_item(object) {
        title::areas(&mut listing.attributes);
    }
    let url = place::url(&estate, &mut unread);
    Reading {
        listing,
        url,
        unread: unread.into_rejects(),
    }
}

/// What an advert says, but for its page.
pub fn facts(estate: &Estate, unread: &mut Unread) -> Listing {
    let mut listing = Listing::default();
    category(&estate.advert, &mut listing, unread);
    texts(&estate.advert, &mut listing, unread);
    listing.attributes.price_total =
        price::total(&estate.price, listing.attributes.offer_type, unread);
    place::locate(&estate.locality, &mut listing, unread);
    areas(&estate.areas, &mut listing, unread);
    features(estate, &mut listing, unread);
    building(&estate.building, &mut listing, unread);
    heating::heating(&estate.building, &mut listing, unread);
    listing.evidence.taken = taken(estate, unread);
    listing
}

/// A list item carries neither the text nor any area: its title is the only place that states one.
fn is_list_item(object: &Value) -> bool {
    ["advert_description", "usable_area", "estate_area"]
        .iter()
        .all(|field| object.get(*field).is_none())
}

/// The meaning of a code; code 0 is "not given", one that the table does not list is noted.
pub fn meaning<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Field<Code>,
    unread: &mut Unread,
) -> Option<T> {
    let code = unread.read(name, field).filter(|code| code.value != 0)?;
    let meaning = codes::by_code(table, code.value);
    if meaning.is_none() {
        unread.note(
            name,
            format!("{} {}", code.value, code.name).trim_end(),
            Unread::UNKNOWN_CODE,
        );
    }
    meaning
}

/// The meanings of a set of codes.
pub fn meanings<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Codes,
    unread: &mut Unread,
) -> Vec<T> {
    let set = unread.read(name, field).unwrap_or_default();
    set.iter()
        .filter_map(|code| meaning(table, name, code, unread))
        .collect()
}

fn category(advert: &Advert, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let offer = meaning(codes::OFFERS, "offerType", &advert.category_type_cb, unread);
    attributes.offer_type = offer.map(|(offer_type, _)| offer_type);
    let property = meaning(codes::TYPES, "type", &advert.category_main_cb, unread);
    attributes.property_type = property.map(|(property_type, _)| property_type);

    let sub = meaning(
        codes::SUBCATEGORIES,
        "subtype",
        &advert.category_sub_cb,
        unread,
    );
    if let Some((of, finer, word)) = sub {
        if attributes
            .property_type
            .is_some_and(|property_type| property_type != of)
        {
            unread.note("subtype", word, "a subcategory of another category");
            return;
        }
        attributes.property_type = Some(of);
        match finer {
            Finer::Layout(arrangement) => attributes.arrangement = Some(arrangement),
            Finer::Subtype(subtype) => attributes.subtype = Some(subtype),
        }
    }
}

fn texts(advert: &Advert, listing: &mut Listing, unread: &mut Unread) {
    listing.attributes.title = unread.prose("title", &advert.advert_name);
    listing.attributes.description = unread.prose("description", &advert.advert_description);
    listing.evidence.order_code = unread.word("orderCode", &advert.advert_code);
    listing.evidence.share = share(advert, listing, unread);
}

/// The share on offer, in its own fields, in the title or in the text; else it is only known to be one.
fn share(advert: &Advert, listing: &Listing, unread: &mut Unread) -> Option<String> {
    if advert.category_type_cb.get()?.value != codes::SHARES {
        return None;
    }
    let numerator = unread
        .word("share", &advert.share_numerator)
        .filter(|part| part != "0");
    let denominator = unread
        .word("share", &advert.share_denominator)
        .filter(|whole| whole != "0");
    let stated = numerator
        .zip(denominator)
        .map(|(part, whole)| format!("{part}/{whole}"));
    Some(stated.unwrap_or_else(|| told_share(listing)))
}

/// The share that title or text names, [`SOME_SHARE`] where neither does.
pub fn told_share(listing: &Listing) -> String {
    let Attributes {
        title, description, ..
    } = &listing.attributes;
    let titled = title.as_deref().and_then(notation::share::share);
    let told = || {
        description
            .as_deref()
            .and_then(notation::share::share_on_offer)
    };
    titled
        .or_else(told)
        .unwrap_or_else(|| SOME_SHARE.to_owned())
}

/// A share of a size that is not published.
const SOME_SHARE: &str = "podíl";

fn areas(areas: &Areas, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    attributes.living_area = unread.amount("livingArea", &areas.usable_area);
    attributes.land_area = unread.amount("landArea", &areas.estate_area);
    attributes.garden_area = unread.amount("gardenArea", &areas.garden_area);
    attributes.storage_area = unread.amount("storageArea", &areas.cellar_area);
    attributes.balcony_area = unread.amount("balconyArea", &areas.balcony_area);
    attributes.loggia_area = unread.amount("loggiaArea", &areas.loggia_area);
    attributes.terrace_area = unread.amount("terraceArea", &areas.terrace_area);
    listing.evidence.total_area = unread.amount("totalArea", &areas.floor_area);
}

/// The portal makes the advertiser answer balcony, loggia and terrace for flats, the cellar for flats and houses, the
/// pool for houses, garage and parking for flats, houses and commercial premises.
fn features(estate: &Estate, listing: &mut Listing, unread: &mut Unread) {
    let Features {
        balcony,
        loggia,
        terrace,
        cellar,
        garage,
        parking_lots,
        basin,
        ..
    } = &estate.features;
    let attributes = &mut listing.attributes;
    let kind = attributes.property_type;
    let flat = kind == Some(PropertyType::Apartment);
    let house = kind == Some(PropertyType::House);
    let housed = flat || house || kind == Some(PropertyType::Commercial);

    let pool_area = unread.amount("swimmingPool", &estate.areas.basin_area);
    let garages = unread.amount("garage", &estate.features.garage_count);
    let places = unread.amount("parking", &estate.features.parking);
    attributes.balcony = feature(
        attributes.balcony_area,
        unread.flag("balcony", balcony),
        flat,
    );
    attributes.loggia = feature(attributes.loggia_area, unread.flag("loggia", loggia), flat);
    attributes.terrace = feature(
        attributes.terrace_area,
        unread.flag("terrace", terrace),
        flat,
    );
    attributes.storage = feature(
        attributes.storage_area,
        unread.flag("storage", cellar),
        flat || house,
    );
    attributes.swimming_pool = feature(pool_area, unread.flag("swimmingPool", basin), house);
    attributes.garage = feature(garages, unread.flag("garage", garage), housed);
    attributes.parking = feature(places, unread.flag("parking", parking_lots), housed);
    attributes.garden = feature(attributes.garden_area, None, false);
    attributes.elevator = meaning(
        codes::ANSWERS,
        "elevator",
        &estate.features.elevator,
        unread,
    );
    attributes.barrier_free = meaning(
        codes::ANSWERS,
        "barrierFree",
        &estate.features.easy_access,
        unread,
    );
    attributes.equipment = meaning(
        codes::FURNISHINGS,
        "equipment",
        &estate.features.furnished,
        unread,
    );
}

fn building(building: &Building, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let storey = unread.figure("floor", &building.floor_number);
    attributes.floor = storey.and_then(|storey| unread.storey("floor", from_ground(storey)));
    let storeys = unread.amount("floorCount", &building.floors);
    attributes.floor_count = storeys.and_then(|storeys| unread.storey("floorCount", storeys));

    attributes.building_type = unless_overlaid(
        codes::BUILDINGS,
        "buildingType",
        &building.building_type,
        unread,
    );
    let frugal = unread.flag("buildingType", &building.low_energy) == Some(true);
    attributes.building_type = attributes
        .building_type
        .or_else(|| frugal.then_some(BuildingType::Eco));
    let condition = &building.building_condition;
    attributes.property_state =
        unless_overlaid(codes::CONDITIONS, "propertyState", condition, unread);
    attributes.ownership = meaning(codes::OWNERSHIPS, "ownership", &building.ownership, unread);
    let position = meaning(
        codes::POSITIONS,
        "housePosition",
        &building.object_kind,
        unread,
    );
    attributes.house_position = position.map(str::to_owned);
    attributes.energy_class = energy_class(&building.energy_efficiency_rating_cb, unread);
}

/// A code whose name the portal may overlay with the word for a reserved or sold property: then it says nothing else.
fn unless_overlaid<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Field<Code>,
    unread: &mut Unread,
) -> Option<T> {
    if overlay(field).is_some() {
        return None;
    }
    meaning(table, name, field, unread)
}

fn overlay(field: &Field<Code>) -> Option<Taken> {
    codes::by_name(codes::STATES, &field.get()?.name)
}

fn taken(estate: &Estate, unread: &mut Unread) -> Option<Taken> {
    meaning(codes::STATES, "taken", &estate.advert.state_cb, unread)
        .or_else(|| overlay(&estate.building.building_condition))
        .or_else(|| overlay(&estate.building.building_type))
}

/// The label as the portal shows it.
fn energy_class(field: &Field<Code>, unread: &mut Unread) -> Option<String> {
    let label = meaning(codes::ENERGY_CLASSES, "energyClass", field, unread)?;
    let shown = field
        .get()
        .map(|code| code.name.as_str())
        .filter(|name| !name.is_empty());
    Some(shown.unwrap_or(label).to_owned())
}
