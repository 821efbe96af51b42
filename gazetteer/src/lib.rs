//! Czech addresses: reading them, normalising them, finding them on the map.
//!
//! # Layout
//!
//! [`address`] reads a published address into an [`Address`] whose parts dedup can compare. [`regions`], [`districts`] and
//! [`towns`] are built in. [`registry`] is the state's registry of addresses, if it was imported. [`places`] builds the
//! [`Gazetteer`] from all of these and from the listings. The gazetteer finds a text on the map (the API's `address`) and
//! completes the address of a listing. [`filter_names`] says which names a filter accepts. The crate `czech` parses names, house numbers and other Czech text.
//!
//! | Czech | here |
//! |---|---|
//! | kraj | [`Region`] |
//! | okres | [`District`] |
//! | obec | municipality |
//! | část obce, městská část | quarter |
//! | obvod, číslovaná městská část (`Praha 5`) | [`CityDistrict`] |
//! | ulice | [`Street`] |
//! | číslo popisné, evidenční, orientační | [`HouseNumber`]: building, registration, orientation |
//! | PSČ | [`PostalCode`] |
//!
//! Only [`registry`] does I/O, to read and write its files. Nothing reads a clock.

pub mod address;
pub mod districts;
pub mod filter_names;
mod level;
pub mod places;
pub mod regions;
pub mod registry;
pub mod towns;

pub use address::{
    Address, AddressParts, Certainty, Name, PostalCode, Resolved, Street, StreetAgreement,
    district_of_municipality, district_of_municipality_at,
};
pub use czech::house_number::{HouseNumber, NumberAgreement, StreetNumber};
pub use czech::numbered_parts::CityDistrict;
pub use districts::District;
pub use level::{Codes, Level};
pub use places::{
    Area, Extent, Gazetteer, GazetteerBuilder, KnownMunicipality, Located, NotLocated, PlaceRow,
};
pub use regions::Region;
