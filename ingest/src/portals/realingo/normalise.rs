//! Converting an offer to a listing.

use schema::{Attributes, Listing, OfferType, PropertyType, Taken};

use super::codes::{self, Finer};
use super::find::Found;
use super::payload::{Advert, Areas, Building, Detail, Offer, Price, Words};
use super::place;
use crate::json::{Field, FieldReader, Object, floor_from_storey, has_feature};
use crate::notation::Meaning;
use crate::notation::heating::{kind_of_all, source_of_all};
use crate::notation::share::share_on_offer;
use crate::pages::listing_at;
use crate::reading::Reading;

/// Converts an offer to a listing.
pub(crate) fn to_reading(found: &Found) -> Reading {
    let mut reader = FieldReader::default();
    let advert = Advert::from_json(found);
    let mut listing = Listing::default();
    fill_kind(&advert, &mut listing.attributes, &mut reader);
    fill_texts(&advert, &mut listing, &mut reader);
    listing.attributes.price_total = price(&advert.offer, &mut reader);
    place::fill_place(
        &advert.offer,
        &advert.surroundings,
        &mut listing,
        &mut reader,
    );
    let Object(sizes) = reader.value("area", &advert.offer.area).unwrap_or_default();
    fill_areas(&sizes, &mut listing.attributes, &mut reader);
    fill_features(&advert.detail, &sizes, &mut listing.attributes, &mut reader);
    fill_building(&advert.building, &mut listing.attributes, &mut reader);
    let url = place::url(&advert.offer.url, &mut reader);
    Reading {
        listing,
        url,
        brief: false,
        unread: reader.into_rejects(),
    }
}

fn fill_kind(advert: &Advert, attributes: &mut Attributes, reader: &mut FieldReader) {
    let Offer {
        purpose,
        property,
        category,
        ..
    } = &advert.offer;
    attributes.offer_type = reader.meaning(codes::PURPOSES, "offerType", purpose);
    if reader.flag("offerType", &advert.detail.is_auction) == Some(true) {
        attributes.offer_type = Some(OfferType::Auction);
    }
    let property = reader.meaning(codes::PROPERTIES, "type", property);
    let category = reader.meaning(codes::CATEGORIES, "subtype", category);
    attributes.property_type = category
        .map(|(property_type, _)| property_type)
        .or(property);
    match category {
        Some((_, Finer::Layout(arrangement))) => attributes.arrangement = Some(arrangement),
        Some((_, Finer::Kind(subtype))) => attributes.subtype = Some(subtype),
        None if attributes.property_type == Some(PropertyType::House) => {
            attributes.subtype =
                reader.meaning(codes::HOUSES, "subtype", &advert.building.house_type);
        }
        None => {}
    }
}

fn fill_texts(advert: &Advert, listing: &mut Listing, reader: &mut FieldReader) {
    listing.attributes.description = reader.text("description", &advert.detail.description);
    let evidence = &mut listing.evidence;
    evidence.share = listing
        .attributes
        .description
        .as_deref()
        .and_then(share_on_offer);
    evidence.order_code = reader.word("orderCode", &advert.offer.ad_id);
    // What is wrong with the price is noted where its amount is read.
    let mut unheard = FieldReader::default();
    let price = unheard.value("noteOnPrice", &advert.offer.price);
    evidence.note_on_price =
        price.and_then(|Object(price)| unheard.word("noteOnPrice", &price.note));
    let copied_from = reader.word("sameAs", &advert.detail.external_url);
    evidence.same_as = copied_from
        .as_deref()
        .and_then(listing_at)
        .filter(|there| there.site_id != SITE_ID);
    let reserved = reader.flag("taken", &advert.offer.reserved) == Some(true);
    evidence.taken = reserved.then_some(Taken::Reserved);
}

/// The portal's own id. An offer is not a copy of itself.
const SITE_ID: &str = "realingo";

/// Returns the price of the whole, by the month for a rent. 1 is a placeholder.
fn price(offer: &Offer, reader: &mut FieldReader) -> Option<f64> {
    let Object(Price {
        total,
        currency,
        kind,
        ..
    }) = reader.value("priceTotal", &offer.price)?;
    if reader.word("priceTotal", &kind).as_deref() == Some(codes::NEGOTIABLE) {
        return None;
    }
    reader.price_in_crowns(&total, &currency)
}

/// Fills the areas. The main area of land is its plot, and that of other property its floor area.
fn fill_areas(areas: &Areas, attributes: &mut Attributes, reader: &mut FieldReader) {
    let main = reader.amount("livingArea", &areas.main);
    let floor = reader.amount("livingArea", &areas.floor);
    let plot = reader.amount("landArea", &areas.plot);
    if attributes.property_type == Some(PropertyType::Land) {
        attributes.land_area = plot.or(main);
    } else {
        let used = [
            &areas.office,
            &areas.shop,
            &areas.store,
            &areas.production,
            &areas.nonresidential,
        ];
        let used = used.map(|area| reader.amount("livingArea", area));
        attributes.living_area = floor.or(main).or(used.into_iter().flatten().next());
        attributes.land_area = plot;
    }
    attributes.garden_area = reader.amount("gardenArea", &areas.garden);
    attributes.storage_area = reader.amount("storageArea", &areas.cellar);
    attributes.balcony_area = reader.amount("balconyArea", &areas.balcony);
    attributes.terrace_area = reader.amount("terraceArea", &areas.terrace);
    attributes.loggia_area = reader.amount("loggiaArea", &areas.loggia);
}

/// Fills the features. An area proves a feature, like its flag. The form does not require an answer, so a no does not
/// count.
fn fill_features(
    detail: &Detail,
    areas: &Areas,
    attributes: &mut Attributes,
    reader: &mut FieldReader,
) {
    let mut presence =
        |name: &str, area: Option<f64>, flag| has_feature(area, reader.flag(name, flag), false);
    attributes.balcony = presence("balcony", attributes.balcony_area, &detail.balcony);
    attributes.loggia = presence("loggia", attributes.loggia_area, &detail.loggia);
    attributes.terrace = presence("terrace", attributes.terrace_area, &detail.terrace);
    attributes.storage = presence("storage", attributes.storage_area, &detail.cellar);
    attributes.elevator = presence("elevator", None, &detail.lift);
    attributes.barrier_free = presence("barrierFree", None, &detail.is_barrier_free);
    let pool = presence("swimmingPool", None, &detail.basin);
    attributes.swimming_pool = pool.or(has_feature(
        reader.amount("swimmingPool", &areas.basin),
        None,
        false,
    ));
    attributes.garden = has_feature(attributes.garden_area, None, false);
    attributes.equipment = reader.meaning(codes::FURNISHINGS, "equipment", &detail.furniture);

    let parked = reader.meaning(codes::PARKINGS, "parking", &detail.parking);
    let garages = reader.amount("garage", &detail.garages);
    let places = reader.amount("parking", &detail.parking_places);
    attributes.garage = has_feature(garages, Some(parked == Some(true)), false);
    attributes.parking = has_feature(places, Some(parked.is_some()), false);
}

fn fill_building(building: &Building, attributes: &mut Attributes, reader: &mut FieldReader) {
    let storey = reader.number("floor", &building.floor);
    attributes.floor = storey.and_then(|storey| reader.storey("floor", floor_from_storey(storey)));
    let storeys = reader.amount("floorCount", &building.floor_total);
    attributes.floor_count = storeys.and_then(|storeys| reader.storey("floorCount", storeys));
    let construction = reader.meaning(
        codes::CONSTRUCTIONS,
        "buildingType",
        &building.building_type,
    );
    attributes.building_type = construction.and_then(Meaning::value);
    attributes.property_state = reader.meaning(
        codes::CONDITIONS,
        "propertyState",
        &building.building_status,
    );
    attributes.ownership = reader.meaning(codes::OWNERSHIPS, "ownership", &building.ownership);
    let position = reader.meaning(
        codes::POSITIONS,
        "housePosition",
        &building.building_position,
    );
    attributes.house_position = position.map(str::to_owned);
    if let Some(class) = reader.word("energyClass", &building.energy_performance) {
        attributes.energy_class = codes::energy_class(&class);
        if attributes.energy_class.is_none() {
            reader.reject("energyClass", class, FieldReader::UNKNOWN_CODE);
        }
    }
    let ways = meanings("heatingSource", &building.heating, codes::heating, reader);
    attributes.heating_source = source_of_all(&ways).map(str::to_owned);
    attributes.heating_type = kind_of_all(&ways).map(str::to_owned);
    // The values of this enumeration are not known, so all are rejected.
    meanings("sewerage", &building.gully, |_| None::<()>, reader);
}

/// Returns the meanings of several values. A value that is not understood is rejected.
fn meanings<T>(
    name: &str,
    field: &Field<Words>,
    meaning: fn(&str) -> Option<T>,
    reader: &mut FieldReader,
) -> Vec<T> {
    let Words(values) = reader.value(name, field).unwrap_or_default();
    let mut meanings = Vec::new();
    for value in values {
        let Some(value) = reader.word(name, &value) else {
            continue;
        };
        match meaning(&value) {
            Some(meaning) => meanings.push(meaning),
            None => reader.reject(name, value, FieldReader::UNKNOWN_CODE),
        }
    }
    meanings
}
