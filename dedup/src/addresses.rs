//! Reads the addresses of listings, with the imported address registry (RÚIAN) or without one.

use std::sync::{Arc, LazyLock};

use gazetteer::registry::Registry;
use gazetteer::{
    Address, AddressParts, Area, Certainty, District, Gazetteer, GazetteerBuilder, Level,
};
use schema::{Attributes, Location};

/// A gazetteer of the authored towns and quarters.
static AUTHORED: LazyLock<Gazetteer> = LazyLock::new(Gazetteer::authored);

/// Reads addresses with the imported registry. The default has no registry and uses only what a
/// listing states.
#[derive(Debug, Clone, Default)]
pub struct Addresses {
    gazetteer: Option<Arc<Gazetteer>>,
}

/// An address as a listing wrote it and, if the registry is certain about it, in its official form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAddress {
    /// Read from the text alone.
    pub written: Address,
    /// Completed from the registry; `None` without a registry, if several places match, or if not even
    /// the municipality is found.
    pub official: Option<Address>,
}

impl Addresses {
    /// Uses this registry. Preparing the search takes half a second for the whole country.
    pub fn with_registry(registry: Arc<Registry>) -> Self {
        Self {
            gazetteer: Some(Arc::new(GazetteerBuilder::new().registry(registry).build())),
        }
    }

    /// The gazetteer of the registry, or else of the authored towns and quarters.
    pub fn gazetteer(&self) -> &Gazetteer {
        self.gazetteer.as_deref().unwrap_or(&AUTHORED)
    }

    /// A number that identifies the edition of the registry; 0 without a registry. All profiles of a
    /// database are made with one edition.
    pub fn edition(&self) -> i64 {
        let registry = self
            .gazetteer
            .as_ref()
            .and_then(|gazetteer| gazetteer.registry());
        registry.map_or(0, |registry| {
            crate::hash::hash(&[&registry.edition().id_text()]).cast_signed()
        })
    }

    /// Reads an address. Names learned from other listings are not used, so a profile depends only on
    /// its listing and the edition.
    pub fn read_address(&self, parts: &AddressParts<'_>) -> ReadAddress {
        let written = Address::from_parts(parts);
        let official = self
            .gazetteer
            .as_ref()
            .map(|gazetteer| gazetteer.complete_address(parts));
        let official =
            official.filter(|official| is_certain(official) && is_as_fine(official, &written));
        ReadAddress { written, official }
    }

    /// The district of every municipality of that name, near the position if one is given; `None` if
    /// they are in several districts.
    pub fn district_of_municipality(&self, name: &str, at: Option<Location>) -> Option<District> {
        let official = || {
            let gazetteer = self.gazetteer.as_ref()?;
            let near = at.and_then(|at| gazetteer.district_of(name, Some(at)));
            near.or_else(|| gazetteer.district_of(name, None))
        };
        official()
            .or_else(|| gazetteer::district_of_municipality_at(name, at?))
            .or_else(|| gazetteer::district_of_municipality(name))
    }

    /// The district of merged facts according to the registry.
    pub fn official_district(&self, facts: &Attributes) -> Option<District> {
        self.gazetteer.as_ref()?;
        let read = self
            .read_address(&address_parts(facts, None))
            .official
            .and_then(|address| address.district);
        read.or_else(|| {
            let gazetteer = self.gazetteer.as_ref()?;
            let name = facts.city.as_deref()?;
            let near = facts
                .location
                .and_then(|at| gazetteer.district_of(name, Some(at)));
            near.or_else(|| gazetteer.district_of(name, None))
        })
    }

    /// The district at a position, or at least the region, if the nearest municipalities agree on it.
    pub fn area_at(&self, location: Location) -> Option<Area> {
        self.gazetteer().area_at(location)
    }
}

fn is_certain(official: &Address) -> bool {
    official.resolved.is_some_and(|resolved| {
        resolved.certainty > Certainty::Ambiguous && resolved.codes.municipality.is_some()
    })
}

/// Whether the registry result is not finer than what the listing names: a house needs a number, and
/// a street needs a name or a number. A finer result took some other number, such as the 5 of
/// `Praha 5`, for a house number.
fn is_as_fine(official: &Address, written: &Address) -> bool {
    let named = if !written.number.is_empty() || written.foreign {
        Level::Address
    } else if written.street.is_some() || written.quarter.is_some() {
        Level::Street
    } else {
        Level::Quarter
    };
    official
        .resolved
        .is_some_and(|resolved| resolved.level <= named)
}

/// The fields of a listing that hold its address.
pub(crate) fn address_parts<'a>(
    facts: &'a Attributes,
    house_number: Option<&'a str>,
) -> AddressParts<'a> {
    AddressParts {
        street: facts.street.as_deref(),
        house_number,
        neighborhood: facts.neighborhood.as_deref(),
        city: facts.city.as_deref(),
        district: facts.district.as_deref(),
        region: facts.region.as_deref(),
        postal_code: facts.postal_code.as_deref(),
        line: facts.address.as_deref(),
    }
}
