//! Building the gazetteer.

use crate::level::Level;
use czech::names::place_key;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use schema::Location;

use super::phrases::{NO_TOWN, PhraseBuilder};
use super::place::{List, Place, PlaceId, Places};
use super::position::{Pin, robust};
use super::samples::{FARTHEST_KM, Group, PackedPin, Sample, Shared, by_municipality};
use super::{Gazetteer, PlaceRow, PostalArea, official, variants};
use crate::districts::District;
use crate::regions::Region;
use crate::registry::Registry;
use crate::towns;

/// The distance within which pins of one postal code agree.
const POSTAL_CODE_KM: f64 = 4.0;

/// Collects places, then builds the [`Gazetteer`].
#[derive(Debug, Default)]
pub struct GazetteerBuilder {
    /// Rows by the match key of their municipality, ordered so that equal rows build an equal gazetteer.
    samples: BTreeMap<String, Vec<Sample>>,
    /// What these rows share.
    shared: Shared,
    registry: Option<Arc<Registry>>,
    pub(super) places: Places,
    pub(super) phrases: PhraseBuilder,
    /// The address places of each postal code in the registry.
    pub(super) areas: HashMap<u32, Area>,
    /// The municipalities of the registry, by match key.
    pub(super) official: HashMap<String, Vec<PlaceId>>,
    /// The pins of each postal code.
    pub(super) postal_codes: BTreeMap<u32, Vec<(PackedPin, PlaceId)>>,
}

/// The address places of a postal code: the sums of their coordinates, and their number in each municipality.
#[derive(Debug, Default)]
pub(super) struct Area {
    pub lat: f64,
    pub lng: f64,
    pub count: f64,
    pub towns: Vec<(PlaceId, u32)>,
}

impl GazetteerBuilder {
    /// A builder with the authored places.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the places of an address registry. In its municipalities, rows add only streets and quarters that it does
    /// not have.
    #[must_use]
    pub fn registry(mut self, registry: Arc<Registry>) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Adds the places that a row names. A row without a municipality is ignored.
    pub fn row(&mut self, row: &PlaceRow<'_>) {
        if let Some(sample) = Sample::from_row(row, &mut self.shared) {
            let key = sample.address.municipality.key.clone();
            self.samples.entry(key).or_default().push(sample);
        }
    }

    /// Builds the gazetteer.
    pub fn build(mut self) -> Gazetteer {
        self.shared = Shared::default();
        self.add_regions();
        let registry = self.registry.take();
        if let Some(registry) = &registry {
            official::add(&mut self, registry);
        }
        for town in towns::towns() {
            self.samples.entry(place_key(town.name)).or_default();
        }
        for (key, samples) in std::mem::take(&mut self.samples) {
            for group in by_municipality(&key, samples) {
                match (self.official_municipality(&key, &group), &registry) {
                    (Some(id), Some(registry)) => self.add_unregistered(id, &key, &group, registry),
                    _ => self.add_municipality(&key, &group),
                }
            }
        }
        self.finish(registry)
    }

    fn finish(self, registry: Option<Arc<Registry>>) -> Gazetteer {
        let Self {
            mut places,
            phrases,
            postal_codes,
            areas,
            ..
        } = self;
        places.shrink();
        let ranks = ranks(&places);
        let rank = |id: PlaceId| ranks.get(id.0 as usize).copied().unwrap_or(NO_TOWN);
        let phrases = phrases.finish(|id| {
            let place = places.get(id)?;
            Some((place, rank(place.municipality.unwrap_or(id))))
        });
        let mut codes: HashMap<u32, PostalArea> = HashMap::new();
        for (code, pins) in postal_codes {
            if let Some((location, town)) = middle(&pins) {
                let towns = pins.iter().map(|(_, town)| rank(*town)).collect();
                codes.insert(
                    code,
                    PostalArea {
                        location,
                        town: Some(town),
                        towns,
                    },
                );
            }
        }
        for (code, area) in areas {
            let location = Location {
                lat: area.lat / area.count,
                lng: area.lng / area.count,
            };
            let town = area
                .towns
                .iter()
                .max_by_key(|(_, count)| *count)
                .map(|(town, _)| *town);
            let towns = area.towns.iter().map(|(town, _)| rank(*town)).collect();
            codes.insert(
                code,
                PostalArea {
                    location,
                    town,
                    towns,
                },
            );
        }
        let municipalities = places
            .iter()
            .filter(|(_, place)| place.level == Level::Municipality)
            .filter_map(|(_, place)| Some((place.location, place.district?)))
            .collect();
        Gazetteer {
            places,
            phrases,
            postal_codes: codes,
            municipalities,
            registry,
        }
    }

    /// Adds the names of a place.
    pub(super) fn add_names(
        &mut self,
        id: PlaceId,
        names: impl IntoIterator<Item = variants::Variant>,
    ) {
        for (key, penalty) in names {
            self.phrases.add(&key, id, penalty);
        }
    }

    /// The municipality of the registry that the rows of a group name: in the same district, or near their pins.
    fn official_municipality(&self, key: &str, group: &Group) -> Option<PlaceId> {
        let named = self.official.get(key)?.iter().copied();
        let mut fitting = named.filter(|id| {
            self.places.get(*id).is_some_and(|place| {
                let near = group
                    .location
                    .is_some_and(|at| at.kilometres_to(place.location) <= FARTHEST_KM);
                near || (group.district.is_some() && group.district == place.district)
            })
        });
        fitting.next()
    }

    fn add_regions(&mut self) {
        for region in Region::all() {
            let id = self.places.add(Place {
                level: Level::Region,
                name: region.name().into(),
                location: region.location(),
                region: Some(region),
                district: None,
                municipality: None,
                quarters: List::default(),
                postal_codes: List::default(),
                importance: f64::from(region.population()).ln() as f32,
                registered: None,
            });
            self.add_names(id, variants::of_region(region));
        }
        for district in District::all() {
            let id = self.places.add(Place {
                level: Level::District,
                name: district.name().into(),
                location: district.location(),
                region: Some(district.region()),
                district: Some(district),
                municipality: None,
                quarters: List::default(),
                postal_codes: List::default(),
                importance: 100_000_f32.ln(),
                registered: None,
            });
            self.add_names(id, variants::of_district(district));
        }
    }
}

/// The position where the pins of a postal code agree, and the municipality that most of them name.
fn middle(pins: &[(PackedPin, PlaceId)]) -> Option<(Location, PlaceId)> {
    let positions: Vec<Pin> = pins.iter().filter_map(|(pin, _)| pin.pin()).collect();
    let (location, _) = robust(&positions, POSTAL_CODE_KM)?;
    let mut towns: BTreeMap<PlaceId, f64> = BTreeMap::new();
    for (pin, town) in pins {
        *towns.entry(*town).or_default() += pin.count();
    }
    let (town, _) = towns.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((location, town))
}

/// The rank of each place: 0 for the most important municipality, [`NO_TOWN`] for places that are not municipalities.
fn ranks(places: &Places) -> Vec<u32> {
    let mut towns: Vec<(PlaceId, f32)> = places
        .iter()
        .filter(|(_, place)| place.level == Level::Municipality)
        .map(|(id, place)| (id, place.importance))
        .collect();
    towns.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut ranks = vec![NO_TOWN; places.len()];
    for (rank, (id, _)) in towns.into_iter().enumerate() {
        if let Some(slot) = ranks.get_mut(id.0 as usize) {
            *slot = rank as u32;
        }
    }
    ranks
}
