//! The places that a page names, and how they fill a listing.

use czech::house_number::split_house_number;
use czech::numbered_parts::{CAPITAL, PRAGUE, district};
use schema::{Listing, Location};

use crate::json::FieldReader;

/// The places that a property lies in, as far as a page names them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PlaceNames {
    /// Region (kraj).
    pub region: Option<String>,
    /// District (okres), or what the page shows instead of it.
    pub district: Option<String>,
    /// Municipality.
    pub city: Option<String>,
    /// Part of the municipality.
    pub quarter: Option<String>,
    /// Street, with the house number if there is one.
    pub street: Option<String>,
}

impl PlaceNames {
    /// Makes place names of region, district, municipality, part and street.
    #[cfg(test)]
    pub(crate) fn from_parts(names: [Option<&str>; 5]) -> Self {
        let [region, district, city, quarter, street] = names.map(|name| name.map(str::to_owned));
        Self {
            region,
            district,
            city,
            quarter,
            street,
        }
    }

    /// Fills the listing's place and position. Prague is its own region and district. For a property abroad only the
    /// municipality is kept: its position cannot be served, and foreign units are not Czech regions or districts.
    pub(crate) fn fill(
        self,
        location: Option<Location>,
        is_abroad: bool,
        listing: &mut Listing,
        reader: &mut FieldReader,
    ) {
        let attributes = &mut listing.attributes;
        attributes.city = self.city;
        if is_abroad {
            if let Some(Location { lat, lng }) = location {
                reader.reject(
                    "location",
                    format!("{lat}, {lng}"),
                    "the property is abroad",
                );
            }
            return;
        }
        attributes.location = location;
        attributes.region = self.region;
        attributes.district = self.district.map(|okres| district(&okres).to_owned());
        attributes.neighborhood = self.quarter;
        if attributes.city.as_deref() == Some(PRAGUE) {
            attributes.region = Some(CAPITAL.to_owned());
            attributes.district = Some(PRAGUE.to_owned());
        }
        if let Some((street, number)) = self.street.as_deref().map(split_house_number) {
            attributes.street = Some(street.to_owned());
            listing.evidence.house_number = number.map(str::to_owned);
        }
    }
}
