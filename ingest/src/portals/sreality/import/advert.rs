//! From the struct of an advert to a listing.

use czech::countries::is_abroad;
use schema::{Listing, PinPrecision};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::codes;
use super::super::normalise::read_facts;
use super::super::payload::{Estate, Locality};
use super::super::place::house_number;
use super::names;
use crate::json::{Field, FieldReader, Number, Word, read_fields};
use crate::pages::listing_at;
use crate::reading::Reading;

/// The fields that the interface has and API v1 does not.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
struct ImportFields {
    /// Number of the flat in its house.
    apartment_number: Field<Word>,
    locality_city: Field<Word>,
    locality_citypart: Field<Word>,
    locality_street: Field<Word>,
    /// Building number (číslo popisné).
    locality_cp: Field<Word>,
    /// Orientation number (číslo orientační).
    locality_co: Field<Word>,
    locality_latitude: Field<Number>,
    locality_longitude: Field<Number>,
    /// 1 exact, 2 the street or municipality, 3 the part of the town.
    locality_inaccuracy_level: Field<Number>,
    locality_ruian: Field<Word>,
    locality_ruian_level: Field<Number>,
    /// The page that the portal made of the advert, from a response to `listAdvert`.
    advert_url: Field<Word>,
}

/// The level of RÚIAN codes that stands for an address point.
const ADDRESS_POINT: f64 = 11.0;
/// The level that stands for a municipality.
const MUNICIPALITY: f64 = 3.0;

/// Reads the struct of an advert.
pub(crate) fn to_reading(fields: &Map<String, Value>) -> Reading {
    let mut reader = FieldReader::default();
    let extra: ImportFields = read_fields(&Value::Object(fields.clone()));
    let mut object = names::as_api_v1(fields);
    remove_foreign_price(&mut object, &mut reader);
    let mut estate = Estate::from_json(&Value::Object(object), &mut reader);
    let level = reader
        .amount("pin", &extra.locality_inaccuracy_level)
        .unwrap_or(1.0);
    estate.locality = public_locality(&extra, level);
    let mut listing = read_facts(&estate, &mut reader);
    listing.attributes.unit_number = reader
        .word("unitNumber", &extra.apartment_number)
        .filter(|number| number != "0");
    fill_evidence(&extra, &mut listing, &mut reader);
    if let Some(city) = listing
        .attributes
        .city
        .as_deref()
        .filter(|city| is_abroad(city))
    {
        reader.reject("country", city, "property abroad");
    }
    let url = reader
        .word("url", &extra.advert_url)
        .filter(|url| listing_at(url).is_some());
    listing.evidence.same_as = url.as_deref().and_then(listing_at);
    Reading {
        listing,
        url,
        brief: false,
        unread: reader.into_rejects(),
    }
}

/// Removes a price in another currency. API v1 sends such a price converted, but the interface sends it as it is.
fn remove_foreign_price(fields: &mut Map<String, Value>, reader: &mut FieldReader) {
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
        reader.reject(
            "priceTotal",
            format!("{price} {name}"),
            "a currency other than CZK",
        );
        fields.remove(names::CURRENCY);
    }
}

/// The currencies of `advert_price_currency` extras the crown.
const CURRENCIES: [(i64, &str); 2] = [(2, "USD"), (3, "EUR")];

/// Returns as much of the place as the agency allows to be shown.
fn public_locality(extra: &ImportFields, level: f64) -> Locality {
    let exact = level <= 1.0;
    let given = |field: &Field<Word>| {
        field
            .get()
            .map_or_else(|| field.clone(), |Word(text)| unless_blank(text))
    };
    let number = |field| if exact { given(field) } else { Field::Absent };
    let position = |field: &Field<Number>| if exact { field.clone() } else { Field::Absent };
    Locality {
        city: given(&extra.locality_city),
        citypart: given(&extra.locality_citypart),
        street: if level <= 2.0 {
            given(&extra.locality_street)
        } else {
            Field::Absent
        },
        housenumber: number(&extra.locality_cp),
        streetnumber: number(&extra.locality_co),
        gps_lat: position(&extra.locality_latitude),
        gps_lon: position(&extra.locality_longitude),
        ..Locality::default()
    }
}

/// Returns a text, or an absent field if it is blank.
fn unless_blank(text: &str) -> Field<Word> {
    if text.trim().is_empty() {
        Field::Absent
    } else {
        Field::Value(Word(text.to_owned()))
    }
}

/// Fills the evidence that distinguishes properties but is not shown.
fn fill_evidence(extra: &ImportFields, listing: &mut Listing, reader: &mut FieldReader) {
    if listing.attributes.location.is_some() {
        listing.evidence.pin = Some(PinPrecision::Exact);
    }
    let whole = Locality {
        housenumber: extra.locality_cp.clone(),
        streetnumber: extra.locality_co.clone(),
        ..Locality::default()
    };
    // Wrong numbers were rejected when the public locality was read.
    listing.evidence.house_number = house_number(&whole, &mut FieldReader::default());
    let level = reader.number("addressPoint", &extra.locality_ruian_level);
    if level == Some(MUNICIPALITY) {
        let code = reader.word("municipalityCode", &extra.locality_ruian);
        listing.evidence.municipality_code = code.and_then(|code| code.parse().ok());
    }
    if level == Some(ADDRESS_POINT) {
        let code = reader.word("addressPoint", &extra.locality_ruian);
        let point = code
            .as_deref()
            .and_then(|code| code.parse().ok())
            .filter(|point: &i64| *point > 0);
        if let (Some(code), None) = (code, point) {
            reader.reject("addressPoint", code, "not a code of an address point");
        }
        listing.evidence.address_point = point;
    }
}
