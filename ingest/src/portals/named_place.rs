//! The places that a page names, and what of them is served.

use czech::house_number::split_house_number;
use czech::numbered_parts::{CAPITAL, PRAGUE, district};
use schema::{Listing, Location};

use super::lenient::Unread;

/// The units that a property lies in, as far as they are named.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Named {
    /// Region (kraj).
    pub region: Option<String>,
    /// District (okres), or what stands in its place.
    pub district: Option<String>,
    /// Municipality.
    pub city: Option<String>,
    /// Its part.
    pub quarter: Option<String>,
    /// Street, and the house number behind it.
    pub street: Option<String>,
}

impl Named {
    /// Region, district, municipality, its part and street.
    #[cfg(test)]
    pub fn of(names: [Option<&str>; 5]) -> Self {
        let [region, district, city, quarter, street] = names.map(|name| name.map(str::to_owned));
        Self {
            region,
            district,
            city,
            quarter,
            street,
        }
    }

    /// Fills place and position. The capital is its own region and district. Of a property abroad only the
    /// municipality is kept: no position can be served, and what else is named need not be what it is here.
    pub fn fill(
        self,
        location: Option<Location>,
        is_abroad: bool,
        listing: &mut Listing,
        unread: &mut Unread,
    ) {
        let attributes = &mut listing.attributes;
        attributes.city = self.city;
        if is_abroad {
            if let Some(Location { lat, lng }) = location {
                unread.note(
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
