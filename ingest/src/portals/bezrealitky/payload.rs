//! The fields of an advert that are read.

use serde::Deserialize;
use serde_json::Value;

use crate::json::{Field, Flag, Gps, Number, Object, Word, read_fields};

/// An advert, in the parts that the adapter reads one by one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Advert {
    pub offer: Offer,
    pub features: Features,
    pub building: Building,
    pub place: Place,
}

impl Advert {
    /// Reads an advert from its object.
    pub(crate) fn from_json(object: &Value) -> Self {
        Self {
            offer: read_fields(object),
            features: read_fields(object),
            building: read_fields(object),
            place: read_fields(object),
        }
    }
}

/// What is on offer and for how much.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Offer {
    /// The last part of the page's URL.
    pub uri: Field<Word>,
    /// The number that the advertiser's software has given it.
    pub external_id: Field<Word>,
    /// The advertiser's own code.
    pub code: Field<Word>,
    pub title: Field<String>,
    /// The title with the place: the only title that a list item of the site has.
    pub image_alt_text: Field<String>,
    pub description: Field<String>,
    /// The same text, requested by language.
    pub description_by_locale: Field<String>,
    pub offer_type: Field<Word>,
    pub estate_type: Field<Word>,
    pub land_type: Field<Word>,
    pub house_type: Field<Word>,
    pub disposition: Field<Word>,
    pub price: Field<Number>,
    /// The price before it was lowered; otherwise the price or 0.
    pub original_price: Field<Number>,
    pub currency: Field<Word>,
    pub reserved: Field<Flag>,
}

/// Areas in m², and features.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Features {
    pub surface: Field<Number>,
    pub surface_land: Field<Number>,
    pub balcony_surface: Field<Number>,
    pub loggia_surface: Field<Number>,
    pub terrace_surface: Field<Number>,
    pub cellar_surface: Field<Number>,
    /// Area of the garden that belongs to a flat.
    pub front_garden: Field<Number>,
    pub balcony: Field<Flag>,
    pub loggia: Field<Flag>,
    pub terrace: Field<Flag>,
    pub cellar: Field<Flag>,
    pub garage: Field<Flag>,
    pub parking: Field<Flag>,
    pub lift: Field<Flag>,
    pub barrier_free: Field<Flag>,
    pub equipped: Field<Word>,
}

/// The building.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Building {
    /// Storey of the unit, the ground floor being 1.
    pub etage: Field<Number>,
    pub total_floors: Field<Number>,
    pub construction: Field<Word>,
    pub condition: Field<Word>,
    pub new_building: Field<Flag>,
    pub low_energy: Field<Flag>,
    pub ownership: Field<Word>,
    pub penb: Field<Word>,
    pub heating: Field<Word>,
    pub sewage: Field<Word>,
    pub position: Field<Word>,
}

/// Where it lies.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Place {
    pub gps: Field<Object<Gps>>,
    /// The line that the portal shows: `Opavská, Ostrava - Poruba-sever, Moravskoslezský kraj`.
    pub address: Field<Word>,
    /// The line that the advertiser chose from a geocoder, with house number, okres and kraj.
    pub address_input: Field<Word>,
    pub street: Field<Word>,
    /// Building and orientation number: `1290/16`.
    pub house_number: Field<Word>,
    pub city: Field<Word>,
    /// `Praha - Kobylisy` in Prague; only the quarter elsewhere.
    pub city_district: Field<Word>,
    pub zip: Field<Word>,
    pub region_tree: Field<Vec<Field<Object<Region>>>>,
    /// Code of the address point in RÚIAN.
    pub ruian_id: Field<Word>,
}

/// One of the units that an advert lies in.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Region {
    pub name: Field<Word>,
}
