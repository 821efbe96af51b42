//! Addresses as portals publish them, split into parts that can be compared.
//!
//! No registry is needed. The parts follow from what the line says itself, from the fields beside it, and from the
//! authored lists of regions, districts and larger towns. Some things only a registry can tell: whether a number
//! without a kind is a building or an orientation number, and which part of the municipality a village house belongs
//! to. These stay open, and [`Gazetteer::complete_address`](crate::Gazetteer::complete_address) completes them.
//!
//! # Layout
//!
//! In the order of the work: `pieces` cuts a line into names with their house numbers, by the words that `markers`
//! knows; `line` decides which name is what, by `likeness` (what a name looks like) and `town_and_part`; `draft`
//! collects the parts from all fields. The results are [`Address`], [`Street`], [`Name`], [`PostalCode`] and, if a
//! registry was asked, [`Resolved`].

mod draft;
mod likeness;
mod line;
mod markers;
mod municipality_district;
mod name;
mod pieces;
mod postal_code;
mod resolved;
mod street;
mod town_and_part;

pub(crate) use markers::{Marker as LineMarker, marker_at as line_marker, measure};
pub use municipality_district::{district_of_municipality, district_of_municipality_at};
pub use name::Name;
pub(crate) use pieces::postal_code;
pub use postal_code::PostalCode;
pub use resolved::{Certainty, Resolved};
pub use street::{Street, StreetAgreement};

use crate::districts::District;
use crate::regions::Region;
use czech::house_number::HouseNumber;
use czech::numbered_parts::CityDistrict;
use draft::Draft;

/// The address as a listing published it. The fields may overlap, contradict each other, and hold more than their names
/// say.
#[derive(Debug, Clone, Copy, Default)]
pub struct AddressParts<'a> {
    /// Street, perhaps with a house number.
    pub street: Option<&'a str>,
    /// House number, if the portal has a field for it: `1290/16`, `12a`, `č.ev. 5`.
    pub house_number: Option<&'a str>,
    /// City part or quarter.
    pub neighborhood: Option<&'a str>,
    /// Municipality, perhaps with city district or part.
    pub city: Option<&'a str>,
    /// District (okres); on some portals the city district.
    pub district: Option<&'a str>,
    /// Region (kraj).
    pub region: Option<&'a str>,
    /// Postal code.
    pub postal_code: Option<&'a str>,
    /// The address as one text.
    pub line: Option<&'a str>,
}

/// A normalised address. Unknown parts are `None`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Address {
    /// Street (ulice).
    pub street: Option<Street>,
    /// The numbers of the house.
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
    /// Whether the listing names another country. All other parts are then unknown.
    pub foreign: bool,
    /// The address in the registry; `None` if no registry was asked, or if it does not know the address.
    pub resolved: Option<Resolved>,
}

impl Address {
    /// The address that a listing published. Text that is not understood is left out, because a wrong street is worse
    /// than no street. The single fields take precedence over the line.
    ///
    /// ```
    /// use gazetteer::{Address, AddressParts};
    ///
    /// let line = "nám. Českých bratří 97/8a, Liberec V-Kristiánov, 46005 Liberec";
    /// let address = Address::from_parts(&AddressParts { line: Some(line), ..AddressParts::default() });
    /// assert_eq!(address.street_key(), Some("namesti ceskych bri"));
    /// assert_eq!(address.number.building, Some(97));
    /// assert_eq!(address.quarter_key(), Some("kristianov"));
    /// assert_eq!(address.municipality_key(), Some("liberec"));
    /// ```
    pub fn from_parts(parts: &AddressParts<'_>) -> Self {
        let mut draft = Draft::default();
        draft.read_region(parts.region);
        draft.read_district(parts.district);
        draft.read_city(parts.city);
        draft.read_neighborhood(parts.neighborhood);
        draft.read_postal_code(parts.postal_code);
        draft.read_house_number(parts.house_number);
        draft.read_street(parts.street);
        if let Some(text) = parts.line {
            line::read_line(&mut draft, text);
        }
        draft.finish()
    }

    /// The match key of the street.
    pub fn street_key(&self) -> Option<&str> {
        self.street.as_ref().map(|street| street.key.as_str())
    }

    /// The match key of the street without its kind: `miru` for `náměstí Míru`. Compare the full keys first, because
    /// `náměstí Míru` and `Míru` may be two streets of one town.
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
