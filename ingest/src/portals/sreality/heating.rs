//! Heating and sewerage.

use schema::Listing;

use super::codes::{self, Heating};
use super::normalise::meanings;
use super::payload::Building;
use crate::portals::lenient::Unread;

/// Fills heating and sewerage. The newer set of sources goes before the one it has replaced.
pub fn heating(building: &Building, listing: &mut Listing, unread: &mut Unread) {
    let sources = meanings(codes::HEATING_SOURCES, "heatingSource", &building.heating_source_set, unread);
    let ways = meanings(codes::HEATINGS, "heatingSource", &building.heating_set, unread);
    let told = if sources.is_empty() { &ways } else { &sources };
    listing.attributes.heating_source = source(told);
    listing.attributes.heating_type = type_of(told);
    let sewers = meanings(codes::SEWERS, "sewerage", &building.gully_set, unread);
    listing.attributes.sewerage = sewerage(&sewers);
}

/// One source as it is, several different ones as `combined`.
pub fn source(told: &[Heating]) -> Option<String> {
    one_of(told.iter().filter_map(|way| way.0), Some("combined"))
}

/// `communal` or `local` where every named source is the one or every one the other.
pub fn type_of(told: &[Heating]) -> Option<String> {
    let sources = || told.iter().filter(|way| way.0.is_some());
    if sources().any(|way| way.1.is_none()) {
        return None;
    }
    one_of(sources().filter_map(|way| way.1), None)
}

/// The public sewer where there is one, whatever stands beside it.
pub fn sewerage(told: &[Option<&str>]) -> Option<String> {
    let known = || told.iter().flatten();
    known().find(|sewer| **sewer == "communal").or_else(|| known().next()).map(|sewer| (*sewer).to_owned())
}

fn one_of<'a>(mut values: impl Iterator<Item = &'a str>, several: Option<&str>) -> Option<String> {
    let first = values.next()?;
    let agreed = values.all(|value| value == first);
    if agreed { Some(first.to_owned()) } else { several.map(str::to_owned) }
}
