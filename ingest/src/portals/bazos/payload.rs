//! The fields of an advert that are read, whatever form it has.

use serde::Deserialize;
use serde_json::Value;

use crate::json::{Field, Object, Word};
use crate::pages::detail_page::page_in;
use crate::reading::PayloadError;

use super::page;

/// An advert, with the names of the mobile interface's detail. A list item has no `description`, `category`, `type`,
/// `zip_code` and coordinates. A page has no `price_type`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Advert {
    /// Number of the advert.
    pub id: Field<Word>,
    /// `active` or `deleted`.
    pub status: Field<Word>,
    /// Headline.
    pub title: Field<String>,
    /// Text.
    pub description: Field<String>,
    /// `2 200 000 Kč`, `V textu`, `Dohodou`.
    pub price_formatted: Field<Word>,
    /// What the price is: see [`super::category::PriceKind`].
    pub price_type: Field<Word>,
    /// `738 01`.
    pub zip_code: Field<Word>,
    /// The postal code's okres or town.
    pub locality: Field<Word>,
    /// Latitude of the middle of the postal code's area.
    pub latitude: Field<Word>,
    /// Longitude of the middle of the postal code's area.
    pub longitude: Field<Word>,
    /// Section of the site.
    pub category: Field<Object<Category>>,
    /// `sell` or `rent`.
    #[serde(rename = "type")]
    pub offer: Field<Word>,
    /// Address of the advert's page.
    pub url: Field<Word>,
}

/// A section of the site. Its number is not read, because two pairs of sections are known under either number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Category {
    /// `byt`, `dum`, `chata`, …
    pub url: String,
}

/// What a payload of this portal has to be.
const EXPECTED: &str = "a detail or list item with a title, or a text with the detail page's HTML";

impl Advert {
    /// Finds the advert in a payload.
    ///
    /// # Errors
    /// Returns [`PayloadError`] if there is no advert, or if it is deleted.
    pub(crate) fn from_payload(payload: &Value) -> Result<Self, PayloadError> {
        match page_in(payload) {
            Some((html, address)) => page::read_advert(html, address),
            None if payload.is_object() => Self::from_api(payload),
            None => Err(PayloadError::shape(EXPECTED, payload)),
        }
    }

    fn from_api(payload: &Value) -> Result<Self, PayloadError> {
        let advert =
            Self::deserialize(payload).map_err(|_error| PayloadError::shape(EXPECTED, payload))?;
        if advert
            .status
            .get()
            .is_some_and(|Word(status)| status == "deleted")
        {
            return Err(PayloadError::Gone {
                said: "status is deleted",
            });
        }
        if advert.title.get().is_none() {
            return Err(PayloadError::Missing {
                part: "title",
                kind: "bazos advert",
            });
        }
        Ok(advert)
    }
}
