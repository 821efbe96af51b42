//! Heating and sewerage.

use schema::Listing;

use super::codes;
use super::normalise::meanings;
use super::payload::Building;
use crate::json::Unread;
pub use crate::portals::heating::{source, type_of};

/// Fills heating and sewerage. The newer set of sources goes before the one it has replaced.
pub fn heating(building: &Building, listing: &mut Listing, unread: &mut Unread) {
    let sources = meanings(
        codes::HEATING_SOURCES,
        "heatingSource",
        &building.heating_source_set,
        unread,
    );
    let ways = meanings(
        codes::HEATINGS,
        "heatingSource",
        &building.heating_set,
        unread,
    );
    let told = if sources.is_empty() { &ways } else { &sources };
    listing.attributes.heating_source = source(told);
    listing.attributes.heating_type = type_of(told);
    let sewers = meanings(codes::SEWERS, "sewerage", &building.gully_set, unread);
    listing.attributes.sewerage = sewerage(&sewers);
}

/// The public sewer where there is one, whatever stands beside it.
pub fn sewerage(told: &[Option<&str>]) -> Option<String> {
    let known = || told.iter().flatten();
    known()
        .find(|sewer| **sewer == "communal")
        .or_else(|| known().next())
        .map(|sewer| (*sewer).to_owned())
}
