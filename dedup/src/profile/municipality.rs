//! Municipalities: their match keys and sizes.

use std::collections::HashMap;
use std::sync::LazyLock;

use gazetteer::{Address, AddressParts};

/// Inhabitants of the larger towns, by match key.
static TOWNS: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    gazetteer::towns::towns()
        .iter()
        .map(|town| (czech::names::place_key(town.name), town.population))
        .collect()
});

/// The size of a municipality: the larger it is, the less a shared municipality says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MunicipalitySize {
    /// A village or a smaller town.
    Other,
    /// A city with at least 80,000 inhabitants.
    LargeCity,
    /// Praha.
    Capital,
}

impl MunicipalitySize {
    /// The size of the municipality with this match key.
    pub(super) fn from_key(municipality: &str) -> Self {
        match TOWNS.get(municipality) {
            Some(1_000_000..) => Self::Capital,
            Some(80_000..) => Self::LargeCity,
            _ => Self::Other,
        }
    }
}

/// Whether the municipality of this match key is one of the larger towns.
pub fn is_town(municipality: &str) -> bool {
    TOWNS.contains_key(municipality)
}

/// The match key of the municipality that a portal's `city` names: `praha` for `Praha 8`.
pub fn municipality_key(city: &str) -> Option<String> {
    let parts = AddressParts {
        city: Some(city),
        ..AddressParts::default()
    };
    Address::from_parts(&parts)
        .municipality
        .map(|municipality| municipality.key)
}
