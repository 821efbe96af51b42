//! What API v1 sends of an advert: only the fields that are read. A list item carries a subset of a detail's.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::json::{Field, Figure, Flag, Object, Unread, Word, part};

/// A code with the name the portal shows for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    /// The code; 0 is "not given" (its name starts `- vyber` or `- nezadáno`).
    pub value: i64,
    /// The name, empty where only a bare code was sent.
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

/// An advert, read in parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estate {
    pub advert: Advert,
    pub price: Price,
    pub areas: Areas,
    pub features: Features,
    pub building: Building,
    pub locality: Locality,
}

impl Estate {
    /// Reads the advert from its object; what is no locality is noted.
    pub fn of(object: &Value, unread: &mut Unread) -> Self {
        let advert: Advert = part(object);
        let locality = unread
            .read("location", &advert.locality)
            .map(|Object(locality)| locality);
        Self {
            price: part(object),
            areas: part(object),
            features: part(object),
            building: part(object),
            locality: locality.unwrap_or_default(),
            advert,
        }
    }
}

/// What is on offer.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Advert {
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
pub type Codes = Field<Vec<Field<Code>>>;

/// What it costs.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Price {
    pub price_czk: Field<Figure>,
    pub price_unit_cb: Field<Code>,
    /// The price of the whole, where `price_czk` may be one of a square metre.
    pub price_summary_czk: Field<Figure>,
    pub price_summary_unit_cb: Field<Code>,
    pub price_currency_cb: Field<Code>,
}

/// Areas in m².
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Areas {
    pub usable_area: Field<Figure>,
    pub floor_area: Field<Figure>,
    pub estate_area: Field<Figure>,
    pub garden_area: Field<Figure>,
    pub cellar_area: Field<Figure>,
    pub balcony_area: Field<Figure>,
    pub loggia_area: Field<Figure>,
    pub terrace_area: Field<Figure>,
    pub basin_area: Field<Figure>,
}

/// What belongs to it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Features {
    pub balcony: Field<Flag>,
    pub loggia: Field<Flag>,
    pub terrace: Field<Flag>,
    pub cellar: Field<Flag>,
    pub garage: Field<Flag>,
    pub garage_count: Field<Figure>,
    pub parking_lots: Field<Flag>,
    /// Number of parking places.
    pub parking: Field<Figure>,
    /// Swimming pool.
    pub basin: Field<Flag>,
    pub elevator: Field<Code>,
    pub easy_access: Field<Code>,
    pub furnished: Field<Code>,
}

/// The building.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Building {
    /// Storey of the unit, the ground floor being 1.
    pub floor_number: Field<Figure>,
    /// Storeys of the building; the page says of the figure that it includes those under ground, of which there is a
    /// figure of its own.
    pub floors: Field<Figure>,
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
pub struct Locality {
    pub country: Field<Word>,
    pub country_id: Field<Figure>,
    pub region: Field<Word>,
    pub district: Field<Word>,
    pub district_id: Field<Figure>,
    pub city: Field<Word>,
    pub city_seo_name: Field<Word>,
    pub citypart: Field<Word>,
    pub citypart_seo_name: Field<Word>,
    pub quarter: Field<Word>,
    pub street: Field<Word>,
    pub street_id: Field<Figure>,
    pub street_seo_name: Field<Word>,
    /// Building number (číslo popisné).
    pub housenumber: Field<Word>,
    /// Orientation number (číslo orientační).
    pub streetnumber: Field<Word>,
    pub zip: Field<Word>,
    pub gps_lat: Field<Figure>,
    pub gps_lon: Field<Figure>,
    /// How coarsely the advertiser let the portal place the pin.
    pub inaccuracy_type: Field<Word>,
}
