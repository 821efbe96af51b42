//! Czech addresses: reading them, normalising them, finding them on the map.
//!
//! # Layout
//!
//! [`fold`](fn@fold) gives all spellings of a name one form. [`address`] reads a published address into an [`Address`]
//! whose parts dedup can compare. [`regions`], [`districts`] and [`towns`] are built in; [`registry`] is the state's
//! registry of addresses, if it was imported. [`places`] builds the [`Gazetteer`] from all of these and the listings; it
//! finds a text on the map (the API's `address`) and completes the address of a listing.
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
mod distance;
pub mod districts;
mod fold;
mod inflection;
mod level;
pub mod places;
pub mod regions;
pub mod registry;
pub mod towns;

pub use address::{
    Address, AddressParts, Certainty, CityDistrict, HouseNumber, Name, NumberAgreement, PostalCode,
    Resolved, Street, StreetAgreement, StreetNumber, place_key, quarter_key, street_key,
};
pub use districts::District;
pub use fold::fold;
pub use level::{Codes, Level};
pub use places::{Area, Gazetteer, GazetteerBuilder, Located, NotLocated, PlaceRow};
pub use regions::Region;
pub use towns::{district_of_municipality, district_of_municipality_at};
