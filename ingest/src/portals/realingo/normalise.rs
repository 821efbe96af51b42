//! From an offer to a listing.

use schema::{Attributes, Listing, OfferType, PropertyType, Taken};

use super::codes::{self, Finer};
use super::find::Found;
use super::payload::{Advert, Areas, Building, Detail, Offer, Price, Words};
use super::place;
use crate::notation::Meaning;
use crate::notation::heating::{kind_of_all, source_of_all};
use crate::notation::share::share_on_offer;
use crate::portals::lenient::{Field, Object, Unread, feature, from_ground};
use crate::portals::page_address::listing_at;
use crate::reading::Reading;

/// Reads an offer.
pub fn reading(found: &Found) -> Reading {
    let mut unread = Unread::default();
    let advert = Advert::of(found);
    let mut listing = Listing::default();
    kind(&advert, &mut listing.attributes, &mut unread);
    texts(&advert, &mut listing, &mut unread);
    listing.attributes.price_total = price(&advert.offer, &mut unread);
    place::locate(
        &advert.offer,
        &advert.surroundings,
        &mut listing,
        &mut unread,
    );
    let Object(sizes) = unread.read("area", &advert.offer.area).unwrap_or_default();
    areas(&sizes, &mut listing.attributes, &mut unread);
    features(&advert.detail, &sizes, &mut listing.attributes, &mut unread);
    building(&advert.building, &mut listing.attributes, &mut unread);
    let url = place::url(&advert.offer.url, &mut unread);
    Reading {
        listing,
        url,
        unread: unread.into_rejects(),
    }
}

fn kind(advert: &Advert, attributes: &mut Attributes, unread: &mut Unread) {
    let Offer {
        purpose,
        property,
        category,
        ..
    } = &advert.offer;
    attributes.offer_type = unread.meaning(codes::PURPOSES, "offerType", purpose);
    if unread.flag("offerType", &advert.detail.is_auction) == Some(true) {
        attributes.offer_type = Some(OfferType::Auction);
    }
    let property = unread.meaning(codes::PROPERTIES, "type", property);
    let category = unread.meaning(codes::CATEGORIES, "subtype", category);
    attributes.property_type = category
        .map(|(property_type, _)| property_type)
        .or(property);
    match category {
        Some((_, Finer::Layout(arrangement))) => attributes.arrangement = Some(arrangement),
        Some((_, Finer::Kind(subtype))) => attributes.subtype = Some(subtype),
        None if attributes.property_type == Some(PropertyType::House) => {
            attributes.subtype =
                unread.meaning(codes::HOUSES, "subtype", &advert.building.house_type);
        }
        None => {}
    }
}

fn texts(advert: &Advert, listing: &mut Listing, unread: &mut Unread) {
    listing.attributes.description = unread.prose("description", &advert.detail.description);
    let evidence = &mut listing.evidence;
    evidence.share = listing
        .attributes
        .description
        .as_deref()
        .and_then(share_on_offer);
    evidence.order_code = unread.word("orderCode", &advert.offer.ad_id);
    let copied_from = unread.word("sameAs", &advert.detail.external_url);
    evidence.same_as = copied_from
        .as_deref()
        .and_then(listing_at)
        .filter(|there| there.site_id != SITE_ID);
    let reserved = unread.flag("taken", &advert.offer.reserved) == Some(true);
    evidence.taken = reserved.then_some(Taken::Reserved);
}

/// The portal's own id, which is no copy of another.
const SITE_ID: &str = "realingo";

/// The price of the whole, by the month for a rent; 1 is a placeholder.
fn price(offer: &Offer, unread: &mut Unread) -> Option<f64> {
    let Object(Price {
        total,
        currency,
        kind,
    }) = unread.read("priceTotal", &offer.price)?;
    if unread.word("priceTotal", &kind).as_deref() == Some(codes::NEGOTIABLE) {
        return None;
    }
    unread.crowns(&total, &currency)
}

/// The area that counts for a piece of land is its plot, for anything else its floor area.
fn areas(areas: &Areas, attributes: &mut Attributes, unread: &mut Unread) {
    let main = unread.amount("livingArea", &areas.main);
    let floor = unread.amount("livingArea", &areas.floor);
    let plot = unread.amount("landArea", &areas.plot);
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
        let used = used.map(|area| unread.amount("livingArea", area));
        attributes.living_area = floor.or(main).or(used.into_iter().flatten().next());
        attributes.land_area = plot;
    }
    attributes.garden_area = unread.amount("gardenArea", &areas.garden);
    attributes.storage_area = unread.amount("storageArea", &areas.cellar);
    attributes.balcony_area = unread.amount("balconyArea", &areas.balcony);
    attributes.terrace_area = unread.amount("terraceArea", &areas.terrace);
    attributes.loggia_area = unread.amount("loggiaArea", &areas.loggia);
}

/// An area proves a feature as well as its flag does; nobody is made to deny one.
fn features(detail: &Detail, areas: &Areas, attributes: &mut Attributes, unread: &mut Unread) {
    let mut there =
        |name: &str, area: Option<f64>, flag| feature(area, unread.flag(name, flag), false);
    attributes.balcony = there("balcony", attributes.balcony_area, &detail.balcony);
    attributes.loggia = there("loggia", attributes.loggia_area, &detail.loggia);
    attributes.terrace = there("terrace", attributes.terrace_area, &detail.terrace);
    attributes.storage = there("storage", attributes.storage_area, &detail.cellar);
    attributes.elevator = there("elevator", None, &detail.lift);
    attributes.barrier_free = there("barrierFree", None, &detail.is_barrier_free);
    let pool = there("swimmingPool", None, &detail.basin);
    attributes.swimming_pool = pool.or(feature(
        unread.amount("swimmingPool", &areas.basin),
        None,
        false,
    ));
    attributes.garden = feature(attributes.garden_area, None, false);
    attributes.equipment = unread.meaning(codes::FURNISHINGS, "equipment", &detail.furniture);

    let parked = unread.meaning(codes::PARKINGS, "parking", &detail.parking);
    let garages = unread.amount("garage", &detail.garages);
    let places = unread.amount("parking", &detail.parking_places);
    attributes.garage = feature(garages, Some(parked == Some(true)), false);
    attributes.parking = feature(places, Some(parked.is_some()), false);
}

fn building(building: &Building, attributes: &mut Attributes, unread: &mut Unread) {
    let storey = unread.figure("floor", &building.floor);
    attributes.floor = storey.and_then(|storey| unread.storey("floor", from_ground(storey)));
    let storeys = unread.amount("floorCount", &building.floor_total);
    attributes.floor_count = storeys.and_then(|storeys| unread.storey("floorCount", storeys));
    let construction = unread.meaning(
        codes::CONSTRUCTIONS,
        "buildingType",
        &building.building_type,
    );
    attributes.building_type = construction.and_then(Meaning::value);
    attributes.property_state = unread.meaning(
        codes::CONDITIONS,
        "propertyState",
        &building.building_status,
    );
    attributes.ownership = unread.meaning(codes::OWNERSHIPS, "ownership", &building.ownership);
    let position = unread.meaning(
        codes::POSITIONS,
        "housePosition",
        &building.building_position,
    );
    attributes.house_position = position.map(str::to_owned);
    if let Some(class) = unread.word("energyClass", &building.energy_performance) {
        attributes.energy_class = codes::energy_class(&class);
        if attributes.energy_class.is_none() {
            unread.note("energyClass", class, Unread::UNKNOWN_CODE);
        }
    }
    let ways = understood("heatingSource", &building.heating, codes::heating, unread);
    attributes.heating_source = source_of_all(&ways).map(str::to_owned);
    attributes.heating_type = kind_of_all(&ways).map(str::to_owned);
    // What this enumeration holds is not known.
    understood("sewerage", &building.gully, |_| None::<()>, unread);
}

/// The meanings of several values; one that is not understood is noted.
fn understood<T>(
    name: &str,
    field: &Field<Words>,
    meaning: fn(&str) -> Option<T>,
    unread: &mut Unread,
) -> Vec<T> {
    let Words(values) = unread.read(name, field).unwrap_or_default();
    let mut understood = Vec::new();
    for value in values {
        let Some(value) = unread.word(name, &value) else {
            continue;
        };
        match meaning(&value) {
            Some(meaning) => understood.push(meaning),
            None => unread.note(name, value, Unread::UNKNOWN_CODE),
        }
    }
    understood
}
