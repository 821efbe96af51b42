//! What the portal sends of an offer: only the fields that are read.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::find::Found;
use crate::json::{Field, Figure, Flag, Object, Word, part};

/// An offer, read in parts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Advert {
    pub offer: Offer,
    pub detail: Detail,
    pub building: Building,
    pub surroundings: Surroundings,
}

impl Advert {
    /// Reads the offer from its objects.
    pub fn of(found: &Found) -> Self {
        let detail = found.detail.unwrap_or(&Value::Null);
        Self {
            offer: part(found.offer),
            detail: part(detail),
            building: part(detail),
            surroundings: found.surroundings.map(part).unwrap_or_default(),
        }
    }
}

/// What is on offer, for how much, how large and where.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Offer {
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
pub struct Price {
    pub total: Field<Figure>,
    pub currency: Field<Word>,
    #[serde(rename = "type")]
    pub kind: Field<Word>,
}

/// Areas in m².
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Areas {
    /// The one that counts for the category.
    pub main: Field<Figure>,
    pub floor: Field<Figure>,
    pub plot: Field<Figure>,
    pub garden: Field<Figure>,
    pub cellar: Field<Figure>,
    pub balcony: Field<Figure>,
    pub terrace: Field<Figure>,
    pub loggia: Field<Figure>,
    /// A pool.
    pub basin: Field<Figure>,
    pub office: Field<Figure>,
    pub shop: Field<Figure>,
    pub store: Field<Figure>,
    pub production: Field<Figure>,
    pub nonresidential: Field<Figure>,
}

/// Where it lies.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Location {
    /// One line: `Jurkovičova 961, Praha`, `Volary, 384 51`.
    pub address: Field<Word>,
    pub latitude: Field<Figure>,
    pub longitude: Field<Figure>,
    pub location_precision: Field<Word>,
}

/// What a page says of the place.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Surroundings {
    /// The units it lies in.
    pub breadcrumbs: Field<Vec<Field<Object<Unit>>>>,
}

/// A unit that an offer lies in.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Unit {
    pub name: Field<Word>,
}

/// Text and features.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Detail {
    pub description: Field<String>,
    /// The page that the advert was copied from.
    pub external_url: Field<Word>,
    pub is_auction: Field<Flag>,
    pub furniture: Field<Word>,
    pub parking: Field<Word>,
    pub parking_places: Field<Figure>,
    /// How many.
    pub garages: Field<Figure>,
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
pub struct Building {
    pub building_type: Field<Word>,
    pub building_status: Field<Word>,
    pub building_position: Field<Word>,
    pub house_type: Field<Word>,
    pub ownership: Field<Word>,
    /// The storey of the unit.
    pub floor: Field<Figure>,
    pub floor_total: Field<Figure>,
    pub energy_performance: Field<Word>,
    pub heating: Field<Words>,
    pub gully: Field<Words>,
}

/// Several values, or one alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Words(pub Vec<Field<Word>>);

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
            Value::String(word) => Ok(Self(vec![Field::Read(Word(word))])),
            _ => Err(D::Error::custom("neither a word nor a list of words")),
        }
    }
}
