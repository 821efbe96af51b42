//! A search, parsed from a query.

use schema::Location;

use crate::cursor::Fingerprint;
use crate::index::{Criteria, Range};
use crate::params::definitions::{DEFAULT_LIMIT, DEFAULT_RADIUS, SEARCH_PARAMS};
use crate::params::errors::ParamErrors;
use crate::params::param::{ParamName, ParamType};
use crate::params::parsed::ParsedQuery;
use crate::params::query::TOKEN;
use crate::params::rules::{check_centre, check_ranges};
use crate::params::value::{Value, wrong_value};

/// The centre of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Centre {
    /// A position.
    Point(Location),
    /// An address whose position is not known yet.
    Address(String),
}

/// The parameters of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchParams {
    /// The filters on fields of an offer.
    pub criteria: Criteria,
    /// The centre, if one was sent.
    pub centre: Option<Centre>,
    /// The radius around the centre, in metres.
    pub radius_meters: f64,
    /// Whether listings that are no longer live are included.
    pub include_inactive: bool,
    /// The page size.
    pub limit: u32,
    /// The cursor of the previous page.
    pub cursor: Option<String>,
    /// A hash of the filters: equal for equal filters, however they are written.
    pub fingerprint: Fingerprint,
    /// Whether all filters are valid, so that the fingerprint is that of the search that was meant.
    pub filters_are_valid: bool,
}

/// Parses the query of a search as far as possible, and returns all its errors, one for each parameter. `is_cursor` says
/// whether a text is a cursor of this service.
pub fn parse_search(query: &str, is_cursor: impl Fn(&str) -> bool) -> (SearchParams, ParamErrors) {
    let mut errors = ParamErrors::default();
    let parsed = ParsedQuery::parse(query, &SEARCH_PARAMS, &mut errors);
    let cursor = parsed.text(ParamName::Cursor);
    if let Some(text) = cursor.as_ref().filter(|text| !is_cursor(text)) {
        errors.add(
            ParamName::Cursor.name(),
            wrong_value(ParamType::Cursor, text),
        );
    }
    let mut params = read_search(&parsed, &mut errors);
    params.cursor = cursor;
    params.limit = parsed
        .whole_number(ParamName::Limit as usize)
        .map_or(DEFAULT_LIMIT, |limit| limit as u32);
    (params, errors)
}

/// The filters of a query, without its page.
pub(crate) fn read_search(parsed: &ParsedQuery<'_>, errors: &mut ParamErrors) -> SearchParams {
    check_ranges(parsed, errors);
    check_centre(parsed, errors);
    SearchParams {
        criteria: criteria(parsed),
        centre: centre(parsed),
        radius_meters: parsed
            .number(ParamName::RadiusMeters)
            .unwrap_or(DEFAULT_RADIUS),
        include_inactive: parsed.value(ParamName::IncludeInactive) == Some(&Value::Boolean(true)),
        limit: DEFAULT_LIMIT,
        cursor: None,
        fingerprint: parsed.fingerprint(),
        filters_are_valid: errors.concern_only(&[
            ParamName::Limit.name(),
            ParamName::Cursor.name(),
            TOKEN,
        ]),
    }
}

fn centre(parsed: &ParsedQuery<'_>) -> Option<Centre> {
    let (lat, lng) = (parsed.number(ParamName::Lat), parsed.number(ParamName::Lng));
    match lat.zip(lng) {
        Some((lat, lng)) => Some(Centre::Point(Location { lat, lng })),
        None => parsed.text(ParamName::Address).map(Centre::Address),
    }
}

fn criteria(parsed: &ParsedQuery<'_>) -> Criteria {
    let range = |min, max| Range {
        min: parsed.number(min),
        max: parsed.number(max),
    };
    Criteria {
        offer_type: parsed.enumerated(ParamName::OfferType),
        property_type: parsed.enumerated(ParamName::Type),
        subtype: parsed.enumerated(ParamName::Subtype),
        arrangement: parsed.enumerated(ParamName::Arrangement),
        equipment: parsed.enumerated(ParamName::Equipment),
        ownership: parsed.enumerated(ParamName::Ownership),
        property_state: parsed.enumerated(ParamName::PropertyState),
        building_type: parsed.enumerated(ParamName::BuildingType),
        district: parsed.text(ParamName::District),
        neighborhood: parsed.text(ParamName::Neighborhood),
        price: range(ParamName::PriceMin, ParamName::PriceMax),
        living_area: range(ParamName::LivingAreaMin, ParamName::LivingAreaMax),
        land_area: range(ParamName::LandAreaMin, ParamName::LandAreaMax),
        floor: range(ParamName::FloorMin, ParamName::FloorMax),
        floor_count: range(ParamName::FloorCountMin, ParamName::FloorCountMax),
    }
}
