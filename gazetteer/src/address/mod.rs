//! Addresses as portals publish them, read into parts that can be compared.
//!
//! Reading needs no registry: it goes by what the line says itself, by the fields beside it, and by the authored
//! lists of regions, districts and larger towns. What only a registry can tell (whether a lone number is a building or
//! an orientation number, which part a village house belongs to) stays open; [`Gazetteer::read`](crate::Gazetteer::read)
//! completes it.

mod city_district;
mod countries;
mod draft;
mod house_number;
mod likeness;
mod line;
mod markers;
mod name;
mod parts;
mod pieces;
mod postal_code;
mod resolved;
mod street;
mod tokens;

pub use city_district::CityDistrict;
pub(crate) use countries::{is_foreign, is_home};
pub use house_number::{HouseNumber, NumberAgreement, StreetNumber};
pub(crate) use house_number::{read_marked, read_plain};
pub(crate) use markers::{Marker as LineMarker, measure, read as line_marker};
pub(crate) use name::is_roman;
pub use name::{Name, place_key, quarter_key};
pub(crate) use pieces::postal_code;
pub use postal_code::PostalCode;
pub use resolved::{Certainty, Resolved};
pub(crate) use street::bare_key;
pub use street::{Street, StreetAgreement, street_key};
pub(crate) use tokens::{LONGEST, Token, TokenKind, tokens};

use crate::districts::District;
use crate::regions::Region;
use draft::Draft;

/// What a listing published of its address. The fields may overlap, contradict each other and hold more than their
/// name says; `line` is the address as one text.
#[derive(Debug, Clone, Copy, Default)]
pub struct AddressParts<'a> {
    /// Street, perhaps with a house number.
    pub street: Option<&'a str>,
    /// House number where the portal has a field for it: `1290/16`, `12a`, `č.ev. 5`.
    pub house_number: Option<&'a str>,
    /// City part or quarter.
    pub neighborhood: Option<&'a str>,
    /// Municipality, perhaps with city district or part.
    pub city: Option<&'a str>,
    /// District (okres), on some portals the city district.
    pub district: Option<&'a str>,
    /// Region (kraj).
    pub region: Option<&'a str>,
    /// Postal code.
    pub postal_code: Option<&'a str>,
    /// Address line.
    pub line: Option<&'a str>,
}

/// A normalised address. Unknown parts are `None`; nothing is guessed from outside the listing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Address {
    /// Street (ulice).
    pub street: Option<Street>,
    /// The house's numbers: building (číslo popisné), registration (číslo evidenční), orientation (číslo orientační).
    pub number: HouseNumber,
    /// Part of the municipality (část obce) or unnumbered city district (městská část).
    pub quarter: Option<Name>,
    /// Numbered city district: `Praha 5`.
    pub city_district: Option<CityDistrict>,
    /// Municipality (obec).
    pub municipality: Option<Name>,
    /// District (okres).
    pub district: Option<District>,
    /// Region (kraj).
    pub region: Option<Region>,
    /// Postal code (PSČ).
    pub postal_code: Option<PostalCode>,
    /// Whether the listing names another country: then nothing else is read.
    pub foreign: bool,
    /// What the address registry makes of it; `None` where none was asked, or it does not know the address.
    pub resolved: Option<Resolved>,
}

impl Address {
    /// Reads what a listing published. Never fails: what cannot be understood is left out, for a wrong street is worse
    /// than none. The fields beside the line go before the line.
    ///
    /// ```
    /// use gazetteer::{Address, AddressParts};
    ///
    /// let line = "nám. Českých bratří 97/8a, Liberec V-Kristiánov, 46005 Liberec";
    /// let address = Address::read(&AddressParts { line: Some(line), ..AddressParts::default() });
    /// assert_eq!(address.street_key(), Some("namesti ceskych bri"));
    /// assert_eq!(address.number.building, Some(97));
    /// assert_eq!(address.quarter_key(), Some("kristianov"));
    /// assert_eq!(address.municipality_key(), Some("liberec"));
    /// ```
    pub fn read(parts: &AddressParts<'_>) -> Self {
        let mut draft = Draft::default();
        draft.read_region(parts.region);
        draft.read_district(parts.district);
        draft.read_city(parts.city);
        draft.read_neighborhood(parts.neighborhood);
        draft.read_postal_code(parts.postal_code);
        draft.read_house_number(parts.house_number);
        draft.read_street(parts.street);
        if let Some(text) = parts.line {
            line::read(&mut draft, text);
        }
        draft.finish()
    }

    /// The match key of the street.
    pub fn street_key(&self) -> Option<&str> {
        self.street.as_ref().map(|street| street.key.as_str())
    }

    /// The match key of the street without the word for its kind: `miru` for `náměstí Míru`. An alias, to be used
    /// where the full keys do not settle it: `náměstí Míru` and `Míru` may be two streets of one town.
    pub fn bare_street_key(&self) -> Option<&str> {
        self.street.as_ref().map(Street::bare_key)
    }

    /// The match key of the quarter.
    pub fn quarter_key(&self) -> Option<&str> {
        self.quarter.as_ref().map(|quarter| quarter.key.as_str())
    }

    /// The match key of the municipality.
    pub fn municipality_key(&self) -> Option<&str> {
        self.municipality
            .as_ref()
            .map(|municipality| municipality.key.as_str())
    }
}
