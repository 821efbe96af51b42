//! The fields of an advert of API v2 that are read: a list of named items, and a few other fields.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::json::{Field, Number, Object, Word};
use crate::portals::sreality::payload::Code;

/// A text. A detail sends `{name, value}`, a list item only the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Labelled(pub String);

impl<'de> Deserialize<'de> for Labelled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sent = Value::deserialize(deserializer)?;
        let text = sent
            .as_str()
            .or_else(|| sent.get("value").and_then(Value::as_str));
        text.map(|text| Self(text.to_owned()))
            .ok_or_else(|| serde::de::Error::custom("not a text"))
    }
}

/// An advert.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Estate {
    /// The id, in list items only. A detail has it in its link to itself.
    pub hash_id: Field<Word>,
    #[serde(rename = "_links")]
    pub links: Field<Object<Links>>,
    pub name: Field<Labelled>,
    pub text: Field<Labelled>,
    pub locality: Field<Value>,
    pub locality_district_id: Field<Number>,
    pub seo: Field<Object<Seo>>,
    pub price_czk: Field<Object<Price>>,
    pub items: Field<Vec<Field<Object<Item>>>>,
    /// The pin of a detail.
    pub map: Field<Object<Pin>>,
    /// The pin of a list item.
    pub gps: Field<Object<Pin>>,
}

/// Links.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Links {
    #[serde(rename = "self")]
    pub this: Field<Object<Link>>,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Link {
    pub href: Field<Word>,
}

/// The category in the codes of v1, and the place as it is written in the page's URL.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Seo {
    pub category_type_cb: Field<Code>,
    pub category_main_cb: Field<Code>,
    pub category_sub_cb: Field<Code>,
    pub locality: Field<Word>,
}

/// The price, or an empty object if the price is on request.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Price {
    pub value_raw: Field<Number>,
    /// `za měsíc`, or an empty text for a sale.
    pub unit: Field<Word>,
}

/// One row of the table of facts.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Item {
    pub name: Field<Word>,
    /// A text, a number, true or false, or a list of `{name, value}`.
    pub value: Field<Value>,
    /// The letter of an energy class.
    pub value_type: Field<Word>,
    pub currency: Field<Word>,
    pub unit: Field<Word>,
}

/// A pin. If the advertiser hides the address, the pin marks the middle of a unit, whose box is sent too.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Pin {
    pub lat: Field<Number>,
    pub lon: Field<Number>,
    pub bounding_box: Field<Object<Bounds>>,
}

/// A bounding box.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Bounds {
    pub left_bottom_bounding: Field<Object<Corner>>,
    pub right_top_bounding: Field<Object<Corner>>,
}

/// A corner of a bounding box.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Corner {
    pub lat: Field<Number>,
    pub lon: Field<Number>,
}
