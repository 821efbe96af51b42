//! Heating and sewerage from sreality's sets of codes.

use schema::Listing;

use super::codes;
use super::normalise::meanings;
use super::payload::Building;
use crate::notation::heating::{kind_of_all, source_of_all};
use crate::portals::lenient::Unread;

/// Fills heating and sewerage. The newer set of sources takes precedence over the set that it replaced.
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
    let ways = if sources.is_empty() { &ways } else { &sources };
    listing.attributes.heating_source = source_of_all(ways).map(str::to_owned);
    listing.attributes.heating_type = kind_of_all(ways).map(str::to_owned);
    let sewers = meanings(codes::SEWERS, "sewerage", &building.gully_set, unread);
    listing.attributes.sewerage = sewerage(&sewers);
}

/// The public sewer if there is one, else the first sewer that is known.
pub fn sewerage(sewers: &[Option<&str>]) -> Option<String> {
    let known = || sewers.iter().flatten();
    known()
        .find(|sewer| **sewer == "communal")
        .or_else(|| known().next())
        .map(|sewer| (*sewer).to_owned())
}
