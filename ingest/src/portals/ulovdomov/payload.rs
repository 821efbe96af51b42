//! The fields of an advert that are read.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::json::{Field, Gps, Number, Object, Word, read_fields};

/// An advert, in the parts that the adapter reads one by one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Advert {
    pub offer: Offer,
    pub property: Property,
    pub place: Place,
}

impl Advert {
    /// Reads an advert from its object.
    pub(crate) fn from_json(object: &Value) -> Self {
        Self {
            offer: read_fields(object),
            property: read_fields(object),
            place: read_fields(object),
        }
    }
}

/// What is on offer and for how much.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Offer {
    pub id: Field<Word>,
    /// The words in the page's URL.
    pub seo: Field<Word>,
    pub absolute_url: Field<Word>,
    pub title: Field<String>,
    pub description: Field<String>,
    pub offer_type: Field<Word>,
    /// The price of rents and, despite its name, of sales.
    pub rental_price: Field<Object<Money>>,
    pub selling_price: Field<Object<Money>>,
    pub price_unit: Field<Word>,
}

/// An amount of money.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Money {
    pub value: Field<Number>,
    pub currency: Field<Word>,
}

/// What the property is, and what belongs to it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Property {
    pub property_type: Field<Word>,
    pub disposition: Field<Word>,
    pub house_type: Field<Word>,
    /// In m². The area of land is its plot.
    pub area: Field<Number>,
    pub floor_level: Field<Number>,
    pub convenience: Field<Vec<Field<Word>>>,
    pub house_convenience: Field<Vec<Field<Word>>>,
    /// On pages only. Each parameter has a key of its own.
    pub parameters: Field<Map<String, Value>>,
}

/// One parameter of a page: a title with a value, or with the options that were chosen.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Parameter {
    pub title: Field<Word>,
    pub value: Field<Value>,
    pub options: Field<Vec<Field<Object<Choice>>>>,
}

/// One chosen option.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Choice {
    pub title: Field<Word>,
}

/// Where it lies.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Place {
    pub geo_coordinates: Field<Object<Gps>>,
    pub village: Field<Object<Named>>,
    pub village_part: Field<Object<Named>>,
    pub street: Field<Object<Named>>,
}

/// A unit and the portal's number of it. The number 0 means that there is none.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Named {
    pub id: Field<Number>,
    pub title: Field<Word>,
}
