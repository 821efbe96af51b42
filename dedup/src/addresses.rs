//! What reads the addresses of listings, as data: the imported address registry (RÚIAN), or none.

use std::sync::{Arc, LazyLock};

use gazetteer::registry::Registry;
use gazetteer::{
    Address, AddressParts, Area, Certainty, District, Gazetteer, GazetteerBuilder, Level,
};
use schema::{Attributes, Location};

/// The authored towns and quarters, as a gazetteer.
static AUTHORED: LazyLock<Gazetteer> = LazyLock::new(Gazetteer::authored);

/// Reads addresses by the registry that was imported; the default has none and goes by what listings say themselves.
#[derive(Debug, Clone, Default)]
pub struct Addresses {
    gazetteer: Option<Arc<Gazetteer>>,
}

/// An address as a listing wrote it and, where the registry knows it for certain, as the registry has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAddress {
    /// By the text alone.
    pub written: Address,
    /// Completed from the registry; `None` without one, where several places fit, and where it knows not even the
    /// municipality.
    pub official: Option<Address>,
}

impl Addresses {
    /// Reads by this registry. Preparing the search takes half a second for the whole country.
    pub fn of(registry: Arc<Registry>) -> Self {
        Self {
            gazetteer: Some(Arc::new(GazetteerBuilder::new().registry(registry).build())),
        }
    }

    /// A number for the edition of the registry; 0 without one. Profiles are of one edition.
    pub fn edition(&self) -> i64 {
        let registry = self
            .gazetteer
            .as_ref()
            .and_then(|gazetteer| gazetteer.registry());
        registry.map_or(0, |registry| {
            crate::profile::hash(&[&registry.edition().id_text()]).cast_signed()
        })
    }

    /// Reads an address. What is learned from listings has no part in it, so that a profile is a function of its
    /// listing and of the edition.
    pub fn read(&self, parts: &AddressParts<'_>) -> ReadAddress {
        let written = Address::from_parts(parts);
        let official = self
            .gazetteer
            .as_ref()
            .map(|gazetteer| gazetteer.read(parts));
        let official =
            official.filter(|official| is_certain(official) && is_as_fine(official, &written));
        ReadAddress { written, official }
    }

    /// The district in which every municipality of that name lies: of those near the position, else of all.
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

    /// The district that merged facts lead to by the registry alone.
    pub fn official_district(&self, facts: &Attributes) -> Option<District> {
        self.gazetteer.as_ref()?;
        let read = self
            .read(&parts(facts, None))
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

    /// The district around a position, or at least the region, where the nearest municipalities agree on it.
    pub fn area_at(&self, location: Location) -> Option<Area> {
        self.gazetteer
            .as_deref()
            .unwrap_or(&AUTHORED)
            .area_at(location)
    }
}

fn is_certain(official: &Address) -> bool {
    official.resolved.is_some_and(|resolved| {
        resolved.certainty > Certainty::Ambiguous && resolved.codes.municipality.is_some()
    })
}

/// Whether the registry found no more than the listing named: a house takes a number, a street a name or a number.
/// Else a number of something else was taken for a house's, as that of `Praha 5` where the registry lacks that part.
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

/// The fields of a listing that tell its address.
pub fn parts<'a>(facts: &'a Attributes, house_number: Option<&'a str>) -> AddressParts<'a> {
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
