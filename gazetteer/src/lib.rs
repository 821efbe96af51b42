//! Czech addresses: reading them, normalising them, finding them on the map.
//!
//! # Layout
//!
//! [`address`] splits what a listing published into an [`Address`] whose parts can be compared (used by dedup);
//! [`regions`], [`districts`] and [`towns`] are what is known of the country without any data; [`registry`] is the
//! state's registry of addresses; [`places`] builds the [`Gazetteer`] from all of these and the listings, finds a free
//! text on the map (the API's `address`), and completes the address of a listing. How names, house numbers and other
//! Czech text are written is in the crate `czech` below this one.
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
//! Everything but [`registry`], which reads and writes its files, is pure: no I/O. Nothing reads a clock.

pub mod address;
pub mod districts;
pub mod places;
pub mod regions;
pub mod registry;
pub mod towns;

pub use address::{
    Address, AddressParts, Certainty, Codes, Level, Name, PostalCode, Resolved, Street,
    StreetAgreement, district_of_municipality, district_of_municipality_at,
};
pub use czech::house_number::{HouseNumber, NumberAgreement, StreetNumber};
pub use czech::numbered_parts::CityDistrict;
pub use districts::District;
pub use places::{Area, Gazetteer, GazetteerBuilder, Located, NotLocated, PlaceRow};
pub use regions::Region;
