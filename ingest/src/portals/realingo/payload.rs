//! The fields of an offer that are read.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::find::Found;
use crate::json::{Field, Flag, Number, Object, Word, read_fields};

/// An offer, in the parts that the adapter reads one by one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Advert {
    pub offer: Offer,
    pub detail: Detail,
    pub building: Building,
    pub surroundings: Surroundings,
}

impl Advert {
    /// Reads an offer from its objects.
    pub(crate) fn from_json(found: &Found) -> Self {
        let detail = found.detail.unwrap_or(&Value::Null);
        Self {
            offer: read_fields(found.offer),
            detail: read_fields(detail),
            building: read_fields(detail),
            surroundings: found.surroundings.map(read_fields).unwrap_or_default(),
        }
    }
}

/// What is on offer, for how much, how large and where.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Offer {
    /// The number of the advertiser's order.
    pub ad_id: Field<Word>,
    pub purpose: Field<Word>,
    pub property: Field<Word>,
    pub category: Field<Word>,
    /// The path of its page.
    pub url: Field<Word>,
    pub reserved: Field<Flag>,
    pub price: Field<Object<Price>>,
    pub area: Field<Object<Areas>>,
    pub location: Field<Object<Location>>,
}

/// The price.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Price {
    pub total: Field<Number>,
    pub currency: Field<Word>,
    #[serde(rename = "type")]
    pub kind: Field<Word>,
    pub note: Field<Word>,
}

/// Areas in m².
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Areas {
    /// The main area of this category.
    pub main: Field<Number>,
    pub floor: Field<Number>,
    pub plot: Field<Number>,
    pub garden: Field<Number>,
    pub cellar: Field<Number>,
    pub balcony: Field<Number>,
    pub terrace: Field<Number>,
    pub loggia: Field<Number>,
    /// Swimming pool.
    pub basin: Field<Number>,
    pub office: Field<Number>,
    pub shop: Field<Number>,
    pub store: Field<Number>,
    pub production: Field<Number>,
    pub nonresidential: Field<Number>,
}

/// Where it lies.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Location {
    /// One line: `Jurkovičova 961, Praha`, `Volary, 384 51`.
    pub address: Field<Word>,
    pub latitude: Field<Number>,
    pub longitude: Field<Number>,
    pub location_precision: Field<Word>,
}

/// What a page says of the place.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Surroundings {
    /// The units it lies in.
    pub breadcrumbs: Field<Vec<Field<Object<Unit>>>>,
}

/// A unit that an offer lies in.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Unit {
    pub name: Field<Word>,
}

/// Text and features.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Detail {
    pub description: Field<String>,
    /// The page that the advert was copied from.
    pub external_url: Field<Word>,
    pub is_auction: Field<Flag>,
    pub furniture: Field<Word>,
    pub parking: Field<Word>,
    pub parking_places: Field<Number>,
    /// The number of garages.
    pub garages: Field<Number>,
    pub balcony: Field<Flag>,
    pub loggia: Field<Flag>,
    pub terrace: Field<Flag>,
    pub lift: Field<Flag>,
    pub cellar: Field<Flag>,
    pub basin: Field<Flag>,
    pub is_barrier_free: Field<Flag>,
}

/// The building.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Building {
    pub building_type: Field<Word>,
    pub building_status: Field<Word>,
    pub building_position: Field<Word>,
    pub house_type: Field<Word>,
    pub ownership: Field<Word>,
    /// The storey of the unit.
    pub floor: Field<Number>,
    pub floor_total: Field<Number>,
    pub energy_performance: Field<Word>,
    pub heating: Field<Words>,
    pub gully: Field<Words>,
}

/// Several values, sent as a list, or a single one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Words(pub Vec<Field<Word>>);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Array(values) => {
                let words = values.into_iter().map(Field::deserialize);
                words
                    .collect::<Result<_, _>>()
                    .map(Self)
                    .map_err(D::Error::custom)
            }
            Value::String(word) => Ok(Self(vec![Field::Value(Word(word))])),
            _ => Err(D::Error::custom("neither a word nor a list of words")),
        }
    }
}
