//! The district, or at least the region, of a listing that does not give it.

use crate::level::Level;
use schema::Location;

use super::Gazetteer;
use super::samples::FARTHEST_KM;
use super::variants::phrase_key;
use crate::address::{Address, AddressParts};
use crate::districts::District;
use crate::regions::Region;

/// The district or region that something lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// In this district.
    District(District),
    /// In this region; the district is unknown.
    Region(Region),
}

impl Area {
    /// The district, if it is known.
    pub fn district(self) -> Option<District> {
        match self {
            Self::District(district) => Some(district),
            Self::Region(_) => None,
        }
    }

    /// The region.
    pub fn region(self) -> Region {
        match self {
            Self::District(district) => district.region(),
            Self::Region(region) => region,
        }
    }
}

/// A point lies in a district if this many of the nearest municipalities do. With the authored towns alone, tested on all
/// municipalities of the country, 99 of 100 answers are right.
const NEIGHBOURS: usize = 3;

impl Gazetteer {
    /// The district of the municipality `name`, if all known municipalities of that name lie in the same one. With a
    /// `location`, only municipalities within 20 km count.
    pub fn district_of(&self, name: &str, location: Option<Location>) -> Option<District> {
        let address = Address::from_parts(&AddressParts {
            city: Some(name),
            ..AddressParts::default()
        });
        let phrase = self
            .phrases
            .exact(&phrase_key(address.municipality_key()?))?;
        let municipalities = self
            .phrases
            .postings(phrase)
            .iter()
            .filter(|posting| posting.penalty == 0);
        let mut districts = municipalities
            .filter_map(|posting| self.places.get(posting.place))
            .filter(|place| place.level == Level::Municipality)
            .filter(|place| {
                location.is_none_or(|at| at.kilometres_to(place.location) <= FARTHEST_KM)
            })
            .map(|place| place.district);
        let first = districts.next()??;
        districts
            .all(|district| district == Some(first))
            .then_some(first)
    }

    /// The district at `location` if the nearest known municipalities agree on it, otherwise the region if they agree on
    /// that, and `None` near the border of a region. The more municipalities are known, the closer to borders it answers.
    pub fn area_at(&self, location: Location) -> Option<Area> {
        let mut nearest: Vec<(f64, District)> = Vec::with_capacity(NEIGHBOURS + 1);
        for (at, district) in &self.municipalities {
            let distance = location.kilometres_to(*at);
            let index = nearest.partition_point(|(other, _)| *other <= distance);
            if index < NEIGHBOURS {
                nearest.insert(index, (distance, *district));
                nearest.truncate(NEIGHBOURS);
            }
        }
        let (_, first) = nearest.first()?;
        if nearest.iter().all(|(_, district)| district == first) {
            return Some(Area::District(*first));
        }
        let region = first.region();
        nearest
            .iter()
            .all(|(_, district)| district.region() == region)
            .then_some(Area::Region(region))
    }
}
