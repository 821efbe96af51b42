//! The fields of a detail page's record that are read.

use scraper::Html;
use serde::Deserialize;
use serde_json::Value;

use crate::json::{Field, FieldReader, Flag, Number, Object, Word, read_fields};
use crate::notation::markup::{selectors, text_of, value_of};
use crate::pages::detail_page::{DetailPageMarkers, first, listing_url};
use crate::pages::html::parse_html;
use crate::pages::listing_at;
use crate::reading::PayloadError;

/// A detail page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Its address on the portal.
    pub url: Option<String>,
    /// The price shown.
    pub price: Option<String>,
    /// Badges under the title: `Parkování`.
    pub labels: Vec<String>,
    /// The listing's record.
    pub property: Property,
}

/// The record, in the parts that the adapter reads one by one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Property {
    pub offer: Offer,
    pub place: Place,
    pub building: Building,
    pub features: Features,
}

/// What is on offer and for how much.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Offer {
    pub id: Field<Word>,
    /// `Prodej chaty, 140 m², Bělčice, Újezdec`.
    pub original_title: Field<Word>,
    /// `Prodej, Chata, 140 m², Bělčice`.
    pub title: Field<Word>,
    pub description: Field<String>,
    /// Kind of offer.
    pub category: Named,
    /// Section.
    pub group: Named,
    /// Layout or subtype.
    #[serde(rename = "type")]
    pub kind: Named,
    pub price: Field<Number>,
    pub price_per_meter: Field<Flag>,
    pub price_period: Field<Word>,
    pub price_note: Field<Word>,
}

/// Where it is.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Place {
    /// One line: `Bělčice, Újezdec`.
    pub location: Field<Word>,
    pub municipality: Field<Word>,
    /// The code of the municipality in the address registry.
    pub municipality_id: Field<Number>,
    pub municipality_part: Field<Word>,
    pub district: Field<Word>,
    pub street: Field<Word>,
    pub country_code: Field<Word>,
    pub point: Field<Object<Point>>,
    /// Whether the pin marks the property itself.
    pub accurate: Field<Flag>,
}

/// A position.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Point {
    pub latitude: Field<Number>,
    pub longitude: Field<Number>,
}

/// The building.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Building {
    pub condition: Named,
    pub construction: Named,
    pub ownership: Named,
    /// The position of the house among its neighbours.
    pub situation: Named,
    pub energy_classification: Field<Object<EnergyClass>>,
    /// The storey of the unit.
    pub floor: Field<Number>,
    pub overground_floors: Field<Number>,
    pub accessory_groups: Field<Vec<Field<Object<Group>>>>,
}

/// Areas in m², and features.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Features {
    pub usable_area: Field<Number>,
    /// The total area of a flat. For a house it is floor and plot together.
    #[serde(rename = "totalArea")]
    pub total: Field<Number>,
    pub parcel_area: Field<Number>,
    pub garden_area: Field<Number>,
    pub cellar_area: Field<Number>,
    pub balcony_area: Field<Number>,
    pub loggia_area: Field<Number>,
    pub terrace_area: Field<Number>,
    pub lift: Field<Flag>,
    pub balcony: Field<Flag>,
    pub loggia: Field<Flag>,
    pub terrace: Field<Flag>,
    pub cellar: Field<Flag>,
    pub garage: Field<Flag>,
    pub wheelchair_access: Field<Flag>,
    pub swimming_pool: Field<Flag>,
    /// The number of parking places.
    pub parking_places: Field<Number>,
}

/// A value with a name: `{"id": 14, "name": "před rekonstrukcí"}`.
pub(crate) type Named = Field<Object<Name>>;

/// The name of a value.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Name {
    pub name: Field<Word>,
}

/// An energy class: `{"code": "G", "name": "Mimořádně nehospodárná"}`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct EnergyClass {
    pub code: Field<Word>,
}

/// A label of the attribute list.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Group {
    pub name: Field<Word>,
    pub accessories: Field<Accessories>,
}

/// The words ticked under a label.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub(crate) struct Accessories(pub Vec<Named>);

/// Returns the name of a value, if it has one.
pub(crate) fn name_of(field: &str, value: &Named, reader: &mut FieldReader) -> Option<String> {
    let Object(Name { name }) = reader.value(field, value)?;
    reader.word(field, &name)
}

selectors! {
    RECORD = "[\\:property]";
    TEXT = ".rds-property-detail-info > p";
    PRICE = ".rds-price-container .tw-text-text-price.tw-typo-h2";
    BADGE = ".rds-property-detail-info .tw-pill-badge";
    CARD = "a[data-card-id]";
}

fn markers() -> DetailPageMarkers<'static> {
    DetailPageMarkers {
        kind: "mmreality detail page",
        part: ":property with the page's number",
        card: &CARD,
        ended: &[
            "nabidka jiz neni aktivni",
            "nemovitost jiz neni v nabidce",
            "tato nabidka byla ukoncena",
        ],
    }
}

impl Page {
    /// Parses a page.
    ///
    /// # Errors
    /// Returns [`PayloadError`] if it is not a detail page, or if its listing has ended.
    pub(crate) fn parse(html: &str, url: Option<&str>) -> Result<Self, PayloadError> {
        let html = parse_html(html)?;
        let url = listing_url(&html, url, "mmreality");
        let number = url
            .as_deref()
            .and_then(listing_at)
            .map(|listing| listing.offer_id);
        let record = number.and_then(|number| find_record(&html, number));
        markers().check(
            &html,
            first(&html, &TEXT, text_of).as_deref(),
            record.is_some(),
        )?;
        let record = record.unwrap_or_default();
        if record.get("active") == Some(&Value::Bool(false)) {
            return Err(PayloadError::Gone {
                said: "the page's record is not active",
            });
        }
        Ok(Self {
            url,
            price: first(&html, &PRICE, value_of),
            labels: html.select(&BADGE).map(value_of).collect(),
            property: Property {
                offer: read_fields(&record),
                place: read_fields(&record),
                building: read_fields(&record),
                features: read_fields(&record),
            },
        })
    }
}

/// Finds the record with this number.
fn find_record(html: &Html, number: String) -> Option<Value> {
    let number = Some(Word(number));
    html.select(&RECORD)
        .filter_map(|element| element.value().attr(":property"))
        .find_map(|record| {
            let record: Value = serde_json::from_str(record).ok()?;
            let offer: Offer = read_fields(&record);
            (record.is_object() && offer.id.get() == number.as_ref()).then_some(record)
        })
}
