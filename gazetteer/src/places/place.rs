//! A place on the map.

use schema::Location;

use crate::address::Level;
use crate::districts::District;
use crate::regions::Region;
use crate::registry::{CityPartIndex, MunicipalityIndex, QuarterIndex, StreetIndex};

/// The number of a place in its gazetteer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaceId(pub u32);

/// What a place is in the address registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registered {
    Municipality(MunicipalityIndex),
    Quarter(QuarterIndex),
    CityPart(CityPartIndex),
    Street(StreetIndex),
}

/// A place with what it lies in.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub level: Level,
    pub name: Box<str>,
    pub location: Location,
    pub region: Option<Region>,
    pub district: Option<District>,
    /// The municipality it lies in; of a municipality itself, none.
    pub municipality: Option<PlaceId>,
    /// The quarters that a street runs through, that a quarter lies in.
    pub quarters: List,
    /// Sorted postal codes.
    pub postal_codes: List,
    /// How much it is to be preferred among namesakes: logarithm of its inhabitants, or of what stands for them.
    pub importance: f32,
    /// Where the address registry has it.
    pub registered: Option<Registered>,
}

/// Some numbers out of the lists of all places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct List {
    start: u32,
    length: u32,
}

/// All places, by number.
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

    /// Keeps a list of postal codes or of numbers of places.
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

    /// When all are in: gives back what the growing took too much.
    pub fn shrink(&mut self) {
        self.places.shrink_to_fit();
        self.lists.shrink_to_fit();
    }
}
