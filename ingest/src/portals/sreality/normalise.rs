//! From an advert of API v1 to a listing.

use schema::{Attributes, BuildingType, Listing, PropertyType, Taken};
use serde_json::Value;

use super::codes::{self, Finer, Table};
use super::payload::{Advert, Areas, Building, Code, Codes, Estate, Features};
use super::{heating, place, price, title};
use crate::json::{Field, FieldReader, floor_from_storey, has_feature};
use crate::notation;
use crate::reading::Reading;

/// Reads a detail or a list item.
pub(crate) fn to_reading(object: &Value) -> Reading {
    let mut reader = FieldReader::default();
    let estate = Estate::from_json(object, &mut reader);
    let mut listing = read_facts(&estate, &mut reader);
    if is_list_item(object) {
        title::fill_areas(&mut listing.attributes);
    }
    let url = place::url(&estate, &mut reader);
    Reading {
        listing,
        url,
        brief: is_list_item(object),
        unread: reader.into_rejects(),
    }
}

/// Reads everything that an advert says except the URL of its page.
pub(crate) fn read_facts(estate: &Estate, reader: &mut FieldReader) -> Listing {
    let mut listing = Listing::default();
    fill_category(&estate.advert, &mut listing, reader);
    fill_texts(&estate.advert, &mut listing, reader);
    listing.attributes.price_total =
        price::total(&estate.price, listing.attributes.offer_type, reader);
    place::fill_place(&estate.locality, &mut listing, reader);
    fill_areas(&estate.areas, &mut listing, reader);
    fill_features(estate, &mut listing, reader);
    fill_building(&estate.building, &mut listing, reader);
    heating::heating(&estate.building, &mut listing, reader);
    listing.evidence.taken = taken(estate, reader);
    fill_evidence(estate, &mut listing, reader);
    listing
}

/// Fills year, former price and the note to the price. Zero and an empty note are "not given".
fn fill_evidence(estate: &Estate, listing: &mut Listing, reader: &mut FieldReader) {
    let evidence = &mut listing.evidence;
    let year = reader.number("yearBuilt", &estate.building.acceptance_year);
    evidence.year_built = year.filter(|year| *year > 0.0).map(|year| year as i16);
    let former = reader.number("formerPrice", &estate.price.price_summary_old_czk);
    evidence.former_price = former.filter(|former| *former > 1.0);
    evidence.note_on_price = reader.word("noteOnPrice", &estate.price.price_note);
}

/// Tells whether the advert is a list item, which carries neither the text nor any area. Only its title states one.
fn is_list_item(object: &Value) -> bool {
    ["advert_description", "usable_area", "estate_area"]
        .iter()
        .all(|field| object.get(*field).is_none())
}

/// Returns the meaning of a code. Code 0 is "not given". A code that the table does not list is rejected.
pub(crate) fn meaning<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Field<Code>,
    reader: &mut FieldReader,
) -> Option<T> {
    let code = reader.value(name, field).filter(|code| code.value != 0)?;
    let meaning = codes::by_code(table, code.value);
    if meaning.is_none() {
        reader.reject(
            name,
            format!("{} {}", code.value, code.name).trim_end(),
            FieldReader::UNKNOWN_CODE,
        );
    }
    meaning
}

/// Returns the meanings of a set of codes.
pub(crate) fn meanings<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Codes,
    reader: &mut FieldReader,
) -> Vec<T> {
    let set = reader.value(name, field).unwrap_or_default();
    set.iter()
        .filter_map(|code| meaning(table, name, code, reader))
        .collect()
}

fn fill_category(advert: &Advert, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    let offer = meaning(codes::OFFERS, "offerType", &advert.category_type_cb, reader);
    attributes.offer_type = offer.map(|(offer_type, _)| offer_type);
    let property = meaning(codes::TYPES, "type", &advert.category_main_cb, reader);
    attributes.property_type = property.map(|(property_type, _)| property_type);

    let sub = meaning(
        codes::SUBCATEGORIES,
        "subtype",
        &advert.category_sub_cb,
        reader,
    );
    if let Some((of, finer, word)) = sub {
        if attributes
            .property_type
            .is_some_and(|property_type| property_type != of)
        {
            reader.reject("subtype", word, "a subcategory of another category");
            return;
        }
        attributes.property_type = Some(of);
        match finer {
            Finer::Layout(arrangement) => attributes.arrangement = Some(arrangement),
            Finer::Subtype(subtype) => attributes.subtype = Some(subtype),
        }
    }
}

fn fill_texts(advert: &Advert, listing: &mut Listing, reader: &mut FieldReader) {
    listing.attributes.title = reader.text("title", &advert.advert_name);
    listing.attributes.description = reader.text("description", &advert.advert_description);
    listing.evidence.order_code = reader.word("orderCode", &advert.advert_code);
    listing.evidence.share = share(advert, listing, reader);
}

/// Returns the share on offer: from its own fields, the title or the text. If none of them states its size, it is
/// [`SOME_SHARE`].
fn share(advert: &Advert, listing: &Listing, reader: &mut FieldReader) -> Option<String> {
    if advert.category_type_cb.get()?.value != codes::SHARES {
        return None;
    }
    let numerator = reader
        .word("share", &advert.share_numerator)
        .filter(|part| part != "0");
    let denominator = reader
        .word("share", &advert.share_denominator)
        .filter(|whole| whole != "0");
    let stated = numerator
        .zip(denominator)
        .map(|(part, whole)| format!("{part}/{whole}"));
    Some(stated.unwrap_or_else(|| share_in_texts(listing)))
}

/// Returns the share that the title or text names, or else [`SOME_SHARE`].
pub(crate) fn share_in_texts(listing: &Listing) -> String {
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

/// A share whose size is not published.
const SOME_SHARE: &str = "podíl";

fn fill_areas(areas: &Areas, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    attributes.living_area = reader.amount("livingArea", &areas.usable_area);
    attributes.land_area = reader.amount("landArea", &areas.estate_area);
    attributes.garden_area = reader.amount("gardenArea", &areas.garden_area);
    attributes.storage_area = reader.amount("storageArea", &areas.cellar_area);
    attributes.balcony_area = reader.amount("balconyArea", &areas.balcony_area);
    attributes.loggia_area = reader.amount("loggiaArea", &areas.loggia_area);
    attributes.terrace_area = reader.amount("terraceArea", &areas.terrace_area);
    listing.evidence.total_area = reader.amount("totalArea", &areas.floor_area);
}

/// Fills the features. The portal requires an answer for balcony, loggia and terrace of flats, the cellar of flats and
/// houses, the pool of houses, and garage and parking of flats, houses and commercial premises.
fn fill_features(estate: &Estate, listing: &mut Listing, reader: &mut FieldReader) {
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

    let pool_area = reader.amount("swimmingPool", &estate.areas.basin_area);
    let garages = reader.amount("garage", &estate.features.garage_count);
    let places = reader.amount("parking", &estate.features.parking);
    attributes.balcony = has_feature(
        attributes.balcony_area,
        reader.flag("balcony", balcony),
        flat,
    );
    attributes.loggia = has_feature(attributes.loggia_area, reader.flag("loggia", loggia), flat);
    attributes.terrace = has_feature(
        attributes.terrace_area,
        reader.flag("terrace", terrace),
        flat,
    );
    attributes.storage = has_feature(
        attributes.storage_area,
        reader.flag("storage", cellar),
        flat || house,
    );
    attributes.swimming_pool = has_feature(pool_area, reader.flag("swimmingPool", basin), house);
    attributes.garage = has_feature(garages, reader.flag("garage", garage), housed);
    attributes.parking = has_feature(places, reader.flag("parking", parking_lots), housed);
    attributes.garden = has_feature(attributes.garden_area, None, false);
    attributes.elevator = meaning(
        codes::ANSWERS,
        "elevator",
        &estate.features.elevator,
        reader,
    );
    attributes.barrier_free = meaning(
        codes::ANSWERS,
        "barrierFree",
        &estate.features.easy_access,
        reader,
    );
    attributes.equipment = meaning(
        codes::FURNISHINGS,
        "equipment",
        &estate.features.furnished,
        reader,
    );
}

fn fill_building(building: &Building, listing: &mut Listing, reader: &mut FieldReader) {
    let attributes = &mut listing.attributes;
    let storey = reader.number("floor", &building.floor_number);
    attributes.floor = storey.and_then(|storey| reader.storey("floor", floor_from_storey(storey)));
    let storeys = reader.amount("floorCount", &building.floors);
    attributes.floor_count = storeys.and_then(|storeys| reader.storey("floorCount", storeys));

    attributes.building_type = meaning_unless_taken(
        codes::BUILDINGS,
        "buildingType",
        &building.building_type,
        reader,
    );
    let low_energy = reader.flag("buildingType", &building.low_energy) == Some(true);
    attributes.building_type = attributes
        .building_type
        .or_else(|| low_energy.then_some(BuildingType::Eco));
    let condition = &building.building_condition;
    attributes.property_state =
        meaning_unless_taken(codes::CONDITIONS, "propertyState", condition, reader);
    attributes.ownership = meaning(codes::OWNERSHIPS, "ownership", &building.ownership, reader);
    let position = meaning(
        codes::POSITIONS,
        "housePosition",
        &building.object_kind,
        reader,
    );
    attributes.house_position = position.map(str::to_owned);
    attributes.energy_class = energy_class(&building.energy_efficiency_rating_cb, reader);
}

/// Returns the meaning of a code, unless the portal has replaced its name with the word for a reserved or sold property.
fn meaning_unless_taken<T: Copy>(
    table: Table<T>,
    name: &str,
    field: &Field<Code>,
    reader: &mut FieldReader,
) -> Option<T> {
    if taken_in_name(field).is_some() {
        return None;
    }
    meaning(table, name, field, reader)
}

fn taken_in_name(field: &Field<Code>) -> Option<Taken> {
    codes::by_name(codes::STATES, &field.get()?.name)
}

fn taken(estate: &Estate, reader: &mut FieldReader) -> Option<Taken> {
    meaning(codes::STATES, "taken", &estate.advert.state_cb, reader)
        .or_else(|| taken_in_name(&estate.building.building_condition))
        .or_else(|| taken_in_name(&estate.building.building_type))
}

/// Returns the energy class as the portal shows it.
fn energy_class(field: &Field<Code>, reader: &mut FieldReader) -> Option<String> {
    let label = meaning(codes::ENERGY_CLASSES, "energyClass", field, reader)?;
    let shown = field
        .get()
        .map(|code| code.name.as_str())
        .filter(|name| !name.is_empty());
    Some(shown.unwrap_or(label).to_owned())
}
