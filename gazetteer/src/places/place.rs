//! The places of a gazetteer.

use crate::level::Level;
use schema::Location;

use crate::districts::District;
use crate::regions::Region;
use crate::registry::{CityPartIndex, MunicipalityIndex, QuarterIndex, StreetIndex};

/// The index of a place in its gazetteer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaceId(pub u32);

/// A place in the address registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registered {
    Municipality(MunicipalityIndex),
    Quarter(QuarterIndex),
    CityPart(CityPartIndex),
    Street(StreetIndex),
}

/// A place with the places it lies in.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub level: Level,
    pub name: Box<str>,
    pub location: Location,
    pub region: Option<Region>,
    pub district: Option<District>,
    /// The municipality it lies in; `None` for a municipality itself.
    pub municipality: Option<PlaceId>,
    /// The quarters that a street runs through or that a quarter lies in.
    pub quarters: List,
    /// Sorted postal codes.
    pub postal_codes: List,
    /// How strongly it is preferred among places of the same name: the logarithm of its inhabitants, or an estimate.
    pub importance: f32,
    /// The place in the address registry, if the registry has it.
    pub registered: Option<Registered>,
}

/// A range in [`Places::lists`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct List {
    start: u32,
    length: u32,
}

/// All places, by index.
#[derive(Debug, Default)]
pub(crate) struct Places {
    places: Vec<Place>,
    lists: Vec<u32>,
}

impl Places {
    pub fn add(&mut self, place: Place) -> PlaceId {
        self.places.push(place);
        PlaceId(self.places.len() as u32 - 1)
    }

    /// Stores a list of postal codes or of indexes of places.
    pub fn list(&mut self, numbers: impl IntoIterator<Item = u32>) -> List {
        let start = self.lists.len() as u32;
        self.lists.extend(numbers);
        List {
            start,
            length: self.lists.len() as u32 - start,
        }
    }

    pub fn get(&self, id: PlaceId) -> Option<&Place> {
        self.places.get(id.0 as usize)
    }

    pub fn get_mut(&mut self, id: PlaceId) -> Option<&mut Place> {
        self.places.get_mut(id.0 as usize)
    }

    /// The quarters of a place.
    pub fn quarters(&self, place: &Place) -> impl Iterator<Item = PlaceId> + '_ {
        self.numbers(place.quarters)
            .iter()
            .map(|number| PlaceId(*number))
    }

    /// The sorted postal codes of a place.
    pub fn postal_codes(&self, place: &Place) -> &[u32] {
        self.numbers(place.postal_codes)
    }

    fn numbers(&self, list: List) -> &[u32] {
        let from = list.start as usize;
        self.lists
            .get(from..from + list.length as usize)
            .unwrap_or_default()
    }

    pub fn iter(&self) -> impl Iterator<Item = (PlaceId, &Place)> {
        self.places
            .iter()
            .enumerate()
            .map(|(id, place)| (PlaceId(id as u32), place))
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Frees unused memory once all places are added.
    pub fn shrink(&mut self) {
        self.places.shrink_to_fit();
        self.lists.shrink_to_fit();
    }
}
