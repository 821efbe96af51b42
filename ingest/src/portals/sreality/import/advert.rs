//! From the struct of an advert to a listing.

use czech::countries::is_abroad;
use schema::{Listing, PinPrecision};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::codes;
use super::super::normalise::facts;
use super::super::payload::{Estate, Locality};
use super::super::place::house_number;
use super::names;
use crate::portals::lenient::{Field, Figure, Unread, Word, part};
use crate::portals::page_address::listing_at;
use crate::reading::Reading;

/// What the interface has beside API v1.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
struct Beside {
    /// Number of the flat in its house.
    apartment_number: Field<Word>,
    locality_city: Field<Word>,
    locality_citypart: Field<Word>,
    locality_street: Field<Word>,
    /// Building number (číslo popisné).
    locality_cp: Field<Word>,
    /// Orientation number (číslo orientační).
    locality_co: Field<Word>,
    locality_latitude: Field<Figure>,
    locality_longitude: Field<Figure>,
    /// 1 exact, 2 the street or municipality, 3 the part of the town.
    locality_inaccuracy_level: Field<Figure>,
    locality_ruian: Field<Word>,
    locality_ruian_level: Field<Figure>,
    /// From an answer of `listAdvert`: the page that the portal made of it.
    advert_url: Field<Word>,
}

/// The kind of unit that an address point is among the levels of RÚIAN codes.
const ADDRESS_POINT: f64 = 11.0;

/// Reads the struct of an advert.
pub fn reading(fields: &Map<String, Value>) -> Reading {
    let mut unread = Unread::default();
    let beside: Beside = part(&Value::Object(fields.clone()));
    let mut object = names::as_api_v1(fields);
    crowns_only(&mut object, &mut unread);
    let mut estate = Estate::of(&Value::Object(object), &mut unread);
    let level = unread
        .amount("pin", &beside.locality_inaccuracy_level)
        .unwrap_or(1.0);
    estate.locality = shown(&beside, level);
    let mut listing = facts(&estate, &mut unread);
    listing.attributes.unit_number = unread
        .word("unitNumber", &beside.apartment_number)
        .filter(|number| number != "0");
    evidence(&beside, &mut listing, &mut unread);
    if let Some(city) = listing
        .attributes
        .city
        .as_deref()
        .filter(|city| is_abroad(city))
    {
        unread.note("country", city, "property abroad");
    }
    let url = unread
        .word("url", &beside.advert_url)
        .filter(|url| listing_at(url).is_some());
    listing.evidence.same_as = url.as_deref().and_then(listing_at);
    Reading {
        listing,
        url,
        unread: unread.into_rejects(),
    }
}

/// Takes a price in another currency out: API v1 sends such a one converted, the interface as it is.
fn crowns_only(fields: &mut Map<String, Value>, unread: &mut Unread) {
    let currency = fields
        .get(names::CURRENCY)
        .and_then(Value::as_i64)
        .filter(|code| *code != 0);
    if let Some(code) = currency.filter(|code| *code != codes::CROWN) {
        let name = CURRENCIES
            .iter()
            .find(|(known, _)| *known == code)
            .map_or("?", |(_, name)| name);
        let price = fields.remove(names::PRICE).unwrap_or_default();
        unread.note(
            "priceTotal",
            format!("{price} {name}"),
            "a currency other than CZK",
        );
        fields.remove(names::CURRENCY);
    }
}

/// `advert_price_currency` beside the crown.
const CURRENCIES: [(i64, &str); 2] = [(2, "USD"), (3, "EUR")];

/// As much of the place as the agency lets be shown.
fn shown(beside: &Beside, level: f64) -> Locality {
    let exact = level <= 1.0;
    let given = |field: &Field<Word>| {
        field
            .get()
            .map_or_else(|| field.clone(), |Word(text)| unless_blank(text))
    };
    let number = |field| if exact { given(field) } else { Field::Absent };
    let position = |field: &Field<Figure>| if exact { field.clone() } else { Field::Absent };
    Locality {
        city: given(&beside.locality_city),
        citypart: given(&beside.locality_citypart),
        street: if level <= 2.0 {
            given(&beside.locality_street)
        } else {
            Field::Absent
        },
        housenumber: number(&beside.locality_cp),
        streetnumber: number(&beside.locality_co),
        gps_lat: position(&beside.locality_latitude),
        gps_lon: position(&beside.locality_longitude),
        ..Locality::default()
    }
}

/// A text, or nothing where it is blank.
fn unless_blank(text: &str) -> Field<Word> {
    if text.trim().is_empty() {
        Field::Absent
    } else {
        Field::Read(Word(text.to_owned()))
    }
}

/// What tells properties apart and is not shown.
fn evidence(beside: &Beside, listing: &mut Listing, unread: &mut Unread) {
    if listing.attributes.location.is_some() {
        listing.evidence.pin = Some(PinPrecision::Exact);
    }
    let whole = Locality {
        housenumber: beside.locality_cp.clone(),
        streetnumber: beside.locality_co.clone(),
        ..Locality::default()
    };
    // What is wrong with the numbers was noted where they were shown.
    listing.evidence.house_number = house_number(&whole, &mut Unread::default());
    if unread.figure("addressPoint", &beside.locality_ruian_level) == Some(ADDRESS_POINT) {
        let code = unread.word("addressPoint", &beside.locality_ruian);
        let point = code
            .as_deref()
            .and_then(|code| code.parse().ok())
            .filter(|point: &i64| *point > 0);
        if let (Some(code), None) = (code, point) {
            unread.note("addressPoint", code, "not a code of an address point");
        }
        listing.evidence.address_point = point;
    }
}
