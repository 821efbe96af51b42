//! The fields of an advert of API v1 that are read. A list item has a subset of a detail's fields.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::json::{Field, FieldReader, Flag, Number, Object, Word, read_fields};

/// A code and the name that the portal shows for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Code {
    /// The code; 0 is "not given" (its name starts `- vyber` or `- nezadáno`).
    pub value: i64,
    /// The name, or an empty text if only the code was sent.
    pub name: String,
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sent = Value::deserialize(deserializer)?;
        let (value, name) = match &sent {
            Value::Object(fields) => (
                fields.get("value"),
                fields.get("name").and_then(Value::as_str),
            ),
            bare => (Some(bare), None),
        };
        let value = value
            .and_then(Value::as_i64)
            .ok_or_else(|| serde::de::Error::custom("not a code"))?;
        Ok(Self {
            value,
            name: name.unwrap_or_default().trim().to_owned(),
        })
    }
}

/// An advert, in the parts that the adapter reads one by one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Estate {
    pub advert: Advert,
    pub price: Price,
    pub areas: Areas,
    pub features: Features,
    pub building: Building,
    pub locality: Locality,
}

impl Estate {
    /// Reads the advert from its object. A locality of the wrong type is rejected.
    pub(crate) fn from_json(object: &Value, reader: &mut FieldReader) -> Self {
        let advert: Advert = read_fields(object);
        let locality = reader
            .value("location", &advert.locality)
            .map(|Object(locality)| locality);
        Self {
            price: read_fields(object),
            areas: read_fields(object),
            features: read_fields(object),
            building: read_fields(object),
            locality: locality.unwrap_or_default(),
            advert,
        }
    }
}

/// What is on offer.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Advert {
    pub hash_id: Field<Word>,
    pub advert_name: Field<String>,
    pub advert_description: Field<String>,
    /// The agency's order number.
    pub advert_code: Field<Word>,
    pub category_type_cb: Field<Code>,
    pub category_main_cb: Field<Code>,
    pub category_sub_cb: Field<Code>,
    pub locality: Field<Object<Locality>>,
    pub state_cb: Field<Code>,
    pub share_numerator: Field<Word>,
    pub share_denominator: Field<Word>,
}

/// A set of codes.
pub(crate) type Codes = Field<Vec<Field<Code>>>;

/// What it costs.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Price {
    pub price_czk: Field<Number>,
    pub price_unit_cb: Field<Code>,
    /// The price of the whole; `price_czk` may be that of a square metre.
    pub price_summary_czk: Field<Number>,
    pub price_summary_unit_cb: Field<Code>,
    pub price_currency_cb: Field<Code>,
    /// The price of the whole before it was lowered; 0 or absent if it was not.
    pub price_summary_old_czk: Field<Number>,
    pub price_note: Field<Word>,
}

/// Areas in m².
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Areas {
    pub usable_area: Field<Number>,
    pub floor_area: Field<Number>,
    pub estate_area: Field<Number>,
    pub garden_area: Field<Number>,
    pub cellar_area: Field<Number>,
    pub balcony_area: Field<Number>,
    pub loggia_area: Field<Number>,
    pub terrace_area: Field<Number>,
    pub basin_area: Field<Number>,
}

/// What belongs to it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Features {
    pub balcony: Field<Flag>,
    pub loggia: Field<Flag>,
    pub terrace: Field<Flag>,
    pub cellar: Field<Flag>,
    pub garage: Field<Flag>,
    pub garage_count: Field<Number>,
    pub parking_lots: Field<Flag>,
    /// Number of parking places.
    pub parking: Field<Number>,
    /// Swimming pool.
    pub basin: Field<Flag>,
    pub elevator: Field<Code>,
    pub easy_access: Field<Code>,
    pub furnished: Field<Code>,
}

/// The building.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Building {
    /// The year in which it was approved for use.
    pub acceptance_year: Field<Number>,
    /// Storey of the unit, the ground floor being 1.
    pub floor_number: Field<Number>,
    /// Storeys of the building. According to the page they include those under ground, which also have a field of their
    /// own.
    pub floors: Field<Number>,
    pub building_type: Field<Code>,
    pub building_condition: Field<Code>,
    pub low_energy: Field<Flag>,
    pub ownership: Field<Code>,
    pub energy_efficiency_rating_cb: Field<Code>,
    pub heating_source_set: Codes,
    pub heating_set: Codes,
    pub gully_set: Codes,
    pub object_kind: Field<Code>,
}

/// Where it lies. (`premise.locality` has the same shape and is the agency's office.)
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Locality {
    pub country: Field<Word>,
    pub country_id: Field<Number>,
    pub region: Field<Word>,
    pub district: Field<Word>,
    pub district_id: Field<Number>,
    pub city: Field<Word>,
    pub city_seo_name: Field<Word>,
    pub citypart: Field<Word>,
    pub citypart_seo_name: Field<Word>,
    pub quarter: Field<Word>,
    pub street: Field<Word>,
    pub street_id: Field<Number>,
    pub street_seo_name: Field<Word>,
    /// Building number (číslo popisné).
    pub housenumber: Field<Word>,
    /// Orientation number (číslo orientační).
    pub streetnumber: Field<Word>,
    pub zip: Field<Word>,
    pub gps_lat: Field<Number>,
    pub gps_lon: Field<Number>,
    /// How exactly the advertiser lets the portal place the pin.
    pub inaccuracy_type: Field<Word>,
}
