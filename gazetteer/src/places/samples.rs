//! Rows of listings, read and grouped by municipality.

use std::collections::{BTreeMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use czech::numbered_parts::CityDistrict;
use schema::Location;

use super::PlaceRow;
use super::position::{Pin, robust};
use crate::address::{Address, AddressParts, Name, PostalCode, Street};
use crate::districts::District;
use crate::regions::Region;
use crate::towns;

/// The distance within which pins of one municipality agree.
const MUNICIPALITY_KM: f64 = 6.0;
/// A pin farther than this from the middle of its municipality is wrong, or is in another municipality of that name.
pub(super) const FARTHEST_KM: f64 = 20.0;
/// Two municipalities of the same name nearer than this are one, and one of the districts given is wrong.
const ONE_PLACE_KM: f64 = 8.0;

/// The address and the pin of a row.
#[derive(Debug)]
pub(super) struct Sample {
    pub address: Arc<SampleAddress>,
    pub postal_code: Option<PostalCode>,
    packed: PackedPin,
}

/// A pin, or none, and how many records have it. Its coordinates are in ten-millionths of a degree, a centimetre on the
/// ground. It takes half the memory of a [`Pin`], and there may be a million samples.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedPin {
    lat: i32,
    lng: i32,
    count: u32,
}

impl PackedPin {
    const PER_DEGREE: f64 = 1e7;
    /// No pin: a real one is never at 0, 0, which is in the Atlantic.
    const NOWHERE: (i32, i32) = (0, 0);

    /// A position in or near the country, or none.
    fn pack(at: Option<Location>, count: u32) -> Self {
        let pack = |degrees: f64| (degrees * Self::PER_DEGREE).round() as i32;
        let (lat, lng) = at.map_or(Self::NOWHERE, |at| (pack(at.lat), pack(at.lng)));
        Self { lat, lng, count }
    }

    fn location(self) -> Option<Location> {
        let degrees = |packed| f64::from(packed) / Self::PER_DEGREE;
        ((self.lat, self.lng) != Self::NOWHERE).then(|| Location {
            lat: degrees(self.lat),
            lng: degrees(self.lng),
        })
    }

    pub fn count(self) -> f64 {
        f64::from(self.count)
    }

    pub fn pin(self) -> Option<Pin> {
        self.location().map(|location| Pin {
            location,
            count: self.count(),
        })
    }
}

/// The address of a row without the number of the house and the postal code. Rows share it, and addresses share their
/// names.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct SampleAddress {
    pub municipality: Arc<Name>,
    pub quarter: Option<Arc<Name>>,
    pub street: Option<Arc<Street>>,
    pub city_district: Option<CityDistrict>,
    pub district: Option<District>,
    pub region: Option<Region>,
}

/// What rows share, each once.
#[derive(Debug, Default)]
pub(super) struct Shared {
    names: HashSet<Arc<Name>>,
    streets: HashSet<Arc<Street>>,
    addresses: HashSet<Arc<SampleAddress>>,
}

/// The equal value in the set; `value` itself, which is added, if there is none.
fn once<T: Eq + Hash>(set: &mut HashSet<Arc<T>>, value: T) -> Arc<T> {
    if let Some(known) = set.get(&value) {
        return Arc::clone(known);
    }
    let value = Arc::new(value);
    set.insert(Arc::clone(&value));
    value
}

impl Shared {
    /// `None` if the address names no municipality.
    fn address(&mut self, address: Address) -> Option<Arc<SampleAddress>> {
        let address = SampleAddress {
            municipality: once(&mut self.names, address.municipality?),
            quarter: address.quarter.map(|name| once(&mut self.names, name)),
            street: address.street.map(|name| once(&mut self.streets, name)),
            city_district: address.city_district,
            district: address.district,
            region: address.region,
        };
        Some(once(&mut self.addresses, address))
    }
}

impl Sample {
    /// `None` if the row names no municipality.
    pub fn from_row(row: &PlaceRow<'_>, shared: &mut Shared) -> Option<Self> {
        let address = Address::from_parts(&AddressParts {
            street: row.street,
            neighborhood: row.neighborhood,
            city: row.city,
            district: row.district,
            region: row.region,
            postal_code: row.postal_code,
            ..AddressParts::default()
        });
        Some(Self {
            postal_code: address.postal_code,
            address: shared.address(address)?,
            packed: PackedPin::pack(row.location.filter(inside), row.count.max(1)),
        })
    }

    /// The position of the pin.
    pub fn location(&self) -> Option<Location> {
        self.packed.location()
    }

    /// How many records it stands for.
    pub fn count(&self) -> f64 {
        self.packed.count()
    }

    pub fn pin(&self) -> Option<Pin> {
        self.packed.pin()
    }

    /// The pin in the form that takes the least memory.
    pub fn packed_pin(&self) -> PackedPin {
        self.packed
    }
}

/// Whether a pin lies in the rectangle around the country.
fn inside(location: &Location) -> bool {
    (48.5..51.1).contains(&location.lat) && (12.0..18.9).contains(&location.lng)
}

/// A municipality with the rows that name it.
#[derive(Debug)]
pub(super) struct Group {
    pub district: Option<District>,
    pub region: Option<Region>,
    pub location: Option<Location>,
    pub samples: Vec<Sample>,
}

/// Separates municipalities of the same name by the district that rows give, or by their pins if they give none. `key`
/// is the match key of the name.
pub(super) fn by_municipality(key: &str, samples: Vec<Sample>) -> Vec<Group> {
    if let Some(town) = towns::town_by_key(key).filter(|town| !town.has_namesake) {
        return vec![group(key, Some(town.district), samples)];
    }
    let mut by_district: BTreeMap<Option<District>, Vec<Sample>> = BTreeMap::new();
    for sample in samples {
        by_district
            .entry(sample.address.district)
            .or_default()
            .push(sample);
    }
    let undecided = by_district.remove(&None).unwrap_or_default();
    if let Some(town) = towns::town_by_key(key) {
        by_district.entry(Some(town.district)).or_default();
    }
    let mut groups: Vec<Group> = by_district
        .into_iter()
        .map(|(district, samples)| group(key, district, samples))
        .collect();
    groups = merge_near(groups);
    assign(key, groups, undecided)
}

fn group(key: &str, district: Option<District>, samples: Vec<Sample>) -> Group {
    let authored = towns::town_by_key(key)
        .filter(|town| Some(town.district) == district)
        .map(|town| town.location);
    let pins: Vec<Pin> = samples.iter().filter_map(Sample::pin).collect();
    let region = district
        .map(District::region)
        .or_else(|| samples.iter().find_map(|sample| sample.address.region));
    let location =
        authored.or_else(|| robust(&pins, MUNICIPALITY_KM).map(|(location, _)| location));
    Group {
        district,
        region,
        location,
        samples,
    }
}

/// Merges groups at the same place. The district is that of the authored group, or else of the larger one.
fn merge_near(mut groups: Vec<Group>) -> Vec<Group> {
    let weight = |group: &Group| group.samples.iter().map(Sample::count).sum::<f64>();
    groups.sort_by(|a, b| {
        weight(b)
            .total_cmp(&weight(a))
            .then(a.district.cmp(&b.district))
    });
    groups.sort_by_key(|group| !is_authored(group));
    let mut kept: Vec<Group> = Vec::new();
    for group in groups {
        let near = kept
            .iter_mut()
            .find(|other| match (other.location, group.location) {
                (Some(a), Some(b)) => a.kilometres_to(b) < ONE_PLACE_KM,
                _ => false,
            });
        match near {
            Some(other) => other.samples.extend(group.samples),
            None => kept.push(group),
        }
    }
    kept
}

fn is_authored(group: &Group) -> bool {
    group.samples.is_empty()
        || group
            .location
            .is_some_and(|at| towns::towns().iter().any(|town| town.location == at))
}

/// Adds rows without a district to the group near their pin; the remaining rows form new groups.
fn assign(key: &str, mut groups: Vec<Group>, undecided: Vec<Sample>) -> Vec<Group> {
    let mut rest = Vec::new();
    for sample in undecided {
        let fits = |group: &Group| match (group.location, sample.location()) {
            (Some(a), Some(b)) => a.kilometres_to(b) <= FARTHEST_KM,
            _ => true,
        };
        let region = sample.address.region;
        let same_region =
            |group: &Group| region.is_none() || group.region.is_none() || group.region == region;
        match groups
            .iter_mut()
            .find(|group| fits(group) && same_region(group))
        {
            Some(group) => group.samples.push(sample),
            None => rest.push(sample),
        }
    }
    while !rest.is_empty() {
        let left = rest.len();
        // A single pin without a district, far from every place of its name, is probably wrong.
        if left == 1 && !groups.is_empty() {
            break;
        }
        let mut own = group(key, None, std::mem::take(&mut rest));
        if let Some(middle) = own.location {
            let near = |sample: &Sample| {
                sample
                    .location()
                    .is_none_or(|location| location.kilometres_to(middle) <= FARTHEST_KM)
            };
            let (inside, outside): (Vec<Sample>, Vec<Sample>) =
                own.samples.into_iter().partition(near);
            own.samples = inside;
            rest = outside;
        }
        groups.push(own);
        if rest.len() == left {
            break;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_pin_comes_back_to_the_centimetre(lat in 48.5..51.1, lng in 12.0..18.9) {
            let at = Location { lat, lng };
            let back = PackedPin::pack(Some(at), 1).location().unwrap();
            prop_assert!(at.kilometres_to(back) < 1e-5, "{back:?}");
        }
    }

    #[test]
    fn a_pin_as_portals_write_it_comes_back_as_it_was() {
        for at in [(49.195_061, 16.606_837), (50.075_538_1, 14.437_800_5)] {
            let at = Location {
                lat: at.0,
                lng: at.1,
            };
            assert_eq!(PackedPin::pack(Some(at), 1).location(), Some(at));
        }
        assert!(PackedPin::pack(None, 1).pin().is_none());
    }
}
