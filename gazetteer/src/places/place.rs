//! A place on the map.

use schema::Location;

use crate::districts::District;
use crate::regions::Region;

/// What a place is, from the largest to the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Kraj.
    Region,
    /// Okres.
    District,
    /// Obec, or the area of a postal code.
    Municipality,
    /// Část obce, městská část, numbered city district.
    Quarter,
    /// Ulice.
    Street,
    /// An address point. Only an address registry knows these.
    Address,
}

impl Level {
    /// The word for it in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::District => "district",
            Self::Municipality => "municipality",
            Self::Quarter => "quarter",
            Self::Street => "street",
            Self::Address => "address",
        }
    }
}

/// The number of a place in its gazetteer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaceId(pub u32);

/// A place with what it lies in.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub level: Level,
    pub name: String,
    pub location: Location,
    pub region: Option<Region>,
    pub district: Option<District>,
    /// The municipality it lies in; of a municipality itself, none.
    pub municipality: Option<PlaceId>,
    /// The quarters a street runs through.
    pub quarters: Vec<PlaceId>,
    /// Sorted postal codes.
    pub postal_codes: Vec<u32>,
    /// How much it is to be preferred among namesakes: logarithm of its inhabitants, or of what stands for them.
    pub importance: f64,
}

/// All places, by number.
#[derive(Debug, Default)]
pub(crate) struct Places(Vec<Place>);

impl Places {
    pub fn add(&mut self, place: Place) -> PlaceId {
        self.0.push(place);
        PlaceId(self.0.len() as u32 - 1)
    }

    pub fn get(&self, id: PlaceId) -> Option<&Place> {
        self.0.get(id.0 as usize)
    }

    pub fn get_mut(&mut self, id: PlaceId) -> Option<&mut Place> {
        self.0.get_mut(id.0 as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = (PlaceId, &Place)> {
        self.0.iter().enumerate().map(|(id, place)| (PlaceId(id as u32), place))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}
