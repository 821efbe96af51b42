//! Heating and sewerage from sreality's sets of codes.

use schema::Listing;

use super::codes;
use super::normalise::meanings;
use super::payload::Building;
use crate::json::FieldReader;
use crate::notation::heating::{kind_of_all, source_of_all};

/// Fills heating and sewerage. The newer set of heating sources comes before the set that it replaced.
pub(crate) fn heating(building: &Building, listing: &mut Listing, reader: &mut FieldReader) {
    let sources = meanings(
        codes::HEATING_SOURCES,
        "heatingSource",
        &building.heating_source_set,
        reader,
    );
    let ways = meanings(
        codes::HEATINGS,
        "heatingSource",
        &building.heating_set,
        reader,
    );
    let ways = if sources.is_empty() { &ways } else { &sources };
    listing.attributes.heating_source = source_of_all(ways).map(str::to_owned);
    listing.attributes.heating_type = kind_of_all(ways).map(str::to_owned);
    let sewers = meanings(codes::SEWERS, "sewerage", &building.gully_set, reader);
    listing.attributes.sewerage = sewerage(&sewers);
}

/// Chooses among several kinds of sewerage: the public sewer if it is one of them, or else the first known kind.
pub(crate) fn sewerage(told: &[Option<&str>]) -> Option<String> {
    let known = || told.iter().flatten();
    known()
        .find(|sewer| **sewer == "communal")
        .or_else(|| known().next())
        .map(|sewer| (*sewer).to_owned())
}
