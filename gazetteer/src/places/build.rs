//! From rows to places with names and positions.

use std::collections::{BTreeMap, HashMap};

use schema::Location;

use super::phrases::Phrases;
use super::place::{Level, Place, PlaceId, Places};
use super::position::{Pin, robust};
use super::samples::{FARTHEST_KM, Group, Sample, by_municipality};
use super::{Gazetteer, PlaceRow, variants};
use crate::address::{Name, place_key, quarter_key};
use crate::distance::kilometres;
use crate::districts::District;
use crate::regions::Region;
use crate::towns;

/// Pins of one quarter, street or postal code agree within these.
const QUARTER_KM: f64 = 3.0;
const STREET_KM: f64 = 1.2;
const POSTAL_CODE_KM: f64 = 4.0;
/// Inhabitants that a municipality without a known population counts as, and those per offer.
const VILLAGE: f64 = 300.0;
const INHABITANTS_PER_OFFER: f64 = 30.0;

/// Gathers what is known of places, then builds the [`Gazetteer`].
#[derive(Debug, Default)]
pub struct GazetteerBuilder {
    /// Rows by the match key of their municipality: in order, so that equal rows build an equal gazetteer.
    samples: BTreeMap<String, Vec<Sample>>,
    places: Places,
    phrases: Phrases,
    postal_codes: BTreeMap<u32, Vec<(Pin, Option<PlaceId>)>>,
}

impl GazetteerBuilder {
    /// A builder that knows the authored places.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what a row says. A row without a municipality says nothing.
    pub fn row(&mut self, row: &PlaceRow<'_>) {
        if let Some(sample) = Sample::read(row)
            && let Some(key) = sample.address.municipality_key()
        {
            self.samples.entry(key.to_owned()).or_default().push(sample);
        }
    }

    /// Builds it.
    pub fn build(mut self) -> Gazetteer {
        self.add_regions();
        for town in towns::towns() {
            self.samples.entry(place_key(town.name)).or_default();
        }
        for (key, samples) in std::mem::take(&mut self.samples) {
            for group in by_municipality(&key, samples) {
                self.add_municipality(&key, &group);
            }
        }
        let Self { places, mut phrases, postal_codes, .. } = self;
        phrases.finish(|place| places.get(place).map_or(0.0, |place| place.importance));
        let postal_codes =
            postal_codes.into_iter().filter_map(|(code, pins)| Some((code, middle(&pins)?))).collect();
        let municipalities = places
            .iter()
            .filter(|(_, place)| place.level == Level::Municipality)
            .filter_map(|(_, place)| Some((place.location, place.district?)))
            .collect();
        Gazetteer { places, phrases, postal_codes, municipalities }
    }

    fn add_regions(&mut self) {
        for region in Region::all() {
            let id = self.places.add(Place {
                level: Level::Region,
                name: region.name().to_owned(),
                location: region.location(),
                region: Some(region),
                district: None,
                municipality: None,
                quarters: Vec::new(),
                postal_codes: Vec::new(),
                importance: f64::from(region.population()).ln(),
            });
            variants::name_region(&mut self.phrases, region, id);
        }
        for district in District::all() {
            let id = self.places.add(Place {
                level: Level::District,
                name: district.name().to_owned(),
                location: district.location(),
                region: Some(district.region()),
                district: Some(district),
                municipality: None,
                quarters: Vec::new(),
                postal_codes: Vec::new(),
                importance: 100_000_f64.ln(),
            });
            variants::name_district(&mut self.phrases, district, id);
        }
    }

    fn add_municipality(&mut self, key: &str, group: &Group) {
        let Some(location) = group.location else { return };
        let authored = towns::town_by_key(key).filter(|town| Some(town.district) == group.district);
        let offers: f64 = group.samples.iter().map(|sample| sample.count).sum();
        let population =
            authored.map_or(VILLAGE + offers * INHABITANTS_PER_OFFER, |town| f64::from(town.population));
        let names = group
            .samples
            .iter()
            .filter_map(|sample| Some((sample.address.municipality.as_ref()?, sample.count)));
        let name = authored
            .map_or_else(|| commonest(names).unwrap_or_else(|| key.to_owned()), |town| town.name.to_owned());
        let samples: Vec<&Sample> = group.samples.iter().filter(|sample| is_near(sample, location)).collect();
        let id = self.places.add(Place {
            level: Level::Municipality,
            name: name.clone(),
            location,
            region: group.region,
            district: group.district,
            municipality: None,
            quarters: Vec::new(),
            postal_codes: postal_codes(&samples),
            importance: population.ln(),
        });
        variants::name_municipality(&mut self.phrases, &name, id);
        for sample in &samples {
            if let (Some(code), Some(pin)) = (sample.address.postal_code, sample.pin()) {
                self.postal_codes.entry(code.number()).or_default().push((pin, Some(id)));
            }
        }
        let quarters = self.add_quarters(id, key, &samples);
        self.add_streets(id, &quarters, &samples);
    }

    /// The quarters of a municipality, authored and named by rows, by match key.
    fn add_quarters(
        &mut self,
        municipality: PlaceId,
        key: &str,
        samples: &[&Sample],
    ) -> HashMap<String, PlaceId> {
        let mut named: BTreeMap<String, (Vec<&Sample>, Option<&towns::Quarter>)> = BTreeMap::new();
        for sample in samples {
            for key in quarter_keys(sample) {
                named.entry(key).or_default().0.push(sample);
            }
        }
        let authored_town =
            self.places.get(municipality).is_some_and(|place| place.importance > 100_000_f64.ln());
        for quarter in
            towns::quarters().iter().filter(|quarter| authored_town && place_key(quarter.city) == key)
        {
            named.entry(quarter_key(quarter.name, Some(key))).or_default().1 = Some(quarter);
        }
        let mut ids = HashMap::new();
        for (key, (samples, authored)) in named {
            let pins: Vec<Pin> = samples.iter().filter_map(|sample| sample.pin()).collect();
            let location =
                authored.map(|quarter| quarter.location).or_else(|| Some(robust(&pins, QUARTER_KM)?.0));
            let name = authored
                .map(|quarter| quarter.name.to_owned())
                .or_else(|| numbered(&samples, &key))
                .or_else(|| {
                    commonest(
                        samples
                            .iter()
                            .filter_map(|sample| Some((sample.address.quarter.as_ref()?, sample.count))),
                    )
                });
            if let (Some(location), Some(name)) = (location, name) {
                let id = self.add_within(municipality, Level::Quarter, name, location, &samples);
                variants::name_quarter(&mut self.phrases, &key, id);
                ids.insert(key, id);
            }
        }
        ids
    }

    fn add_streets(
        &mut self,
        municipality: PlaceId,
        quarters: &HashMap<String, PlaceId>,
        samples: &[&Sample],
    ) {
        let mut streets: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
        for sample in samples {
            if let Some(key) = sample.address.street_key() {
                streets.entry(key).or_default().push(sample);
            }
        }
        for (key, samples) in streets {
            let pins: Vec<Pin> = samples.iter().filter_map(|sample| sample.pin()).collect();
            let Some((location, _)) = robust(&pins, STREET_KM) else { continue };
            let names = samples.iter().filter_map(|sample| {
                let street = sample.address.street.as_ref()?;
                Some((street.written.as_str(), sample.count))
            });
            let name = commonest_text(names).unwrap_or_else(|| key.to_owned());
            let id = self.add_within(municipality, Level::Street, name, location, &samples);
            let mut within: Vec<PlaceId> = samples
                .iter()
                .flat_map(|sample| quarter_keys(sample))
                .filter_map(|key| quarters.get(&key).copied())
                .collect();
            within.sort_unstable();
            within.dedup();
            if let Some(street) = self.places.get_mut(id) {
                street.quarters = within;
            }
            variants::name_street(&mut self.phrases, key, id);
        }
    }

    /// A quarter or street: what it lies in is its municipality's.
    fn add_within(
        &mut self,
        town: PlaceId,
        level: Level,
        name: String,
        at: Location,
        samples: &[&Sample],
    ) -> PlaceId {
        let town_place = self.places.get(town);
        let (region, district) = town_place.map_or((None, None), |town| (town.region, town.district));
        let offers: f64 = samples.iter().map(|sample| sample.count).sum();
        let importance = town_place.map_or(0.0, |town| town.importance / 2.0) + (1.0 + offers).ln() / 2.0;
        let postal_codes = postal_codes(samples);
        self.places.add(Place {
            level,
            name,
            location: at,
            region,
            district,
            municipality: Some(town),
            quarters: Vec::new(),
            postal_codes,
            importance,
        })
    }
}

/// The keys of the quarters a row lies in: the named one and the numbered district.
fn quarter_keys(sample: &Sample) -> impl Iterator<Item = String> {
    let named = sample.address.quarter_key().map(str::to_owned);
    named.into_iter().chain(sample.address.city_district.map(|district| place_key(&district.to_string())))
}

/// The name of a numbered city district, if `key` is one's.
fn numbered(samples: &[&Sample], key: &str) -> Option<String> {
    let districts = samples.iter().filter_map(|sample| sample.address.city_district);
    districts.map(|district| district.to_string()).find(|name| place_key(name) == key)
}

fn is_near(sample: &Sample, location: Location) -> bool {
    sample.location.is_none_or(|at| kilometres(at, location) <= FARTHEST_KM)
}

fn postal_codes(samples: &[&Sample]) -> Vec<u32> {
    let mut codes: Vec<u32> =
        samples.iter().filter_map(|sample| Some(sample.address.postal_code?.number())).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The commonest spelling of a name; among equals the one with more diacritics.
fn commonest<'a>(names: impl Iterator<Item = (&'a Name, f64)>) -> Option<String> {
    commonest_text(names.map(|(name, count)| (name.written.as_str(), count)))
}

fn commonest_text<'a>(names: impl Iterator<Item = (&'a str, f64)>) -> Option<String> {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for (name, count) in names {
        *counts.entry(name).or_default() += count;
    }
    let accents = |name: &str| name.chars().filter(|c| !c.is_ascii()).count();
    counts
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1).then(accents(a.0).cmp(&accents(b.0))).then(b.0.cmp(a.0)))
        .map(|(name, _)| name.to_owned())
}

/// Where a postal code's pins agree, and the municipality that most of them name.
fn middle(pins: &[(Pin, Option<PlaceId>)]) -> Option<(Location, Option<PlaceId>)> {
    let positions: Vec<Pin> = pins.iter().map(|(pin, _)| *pin).collect();
    let (location, _) = robust(&positions, POSTAL_CODE_KM)?;
    let mut towns: BTreeMap<Option<PlaceId>, f64> = BTreeMap::new();
    for (pin, town) in pins {
        *towns.entry(*town).or_default() += pin.count;
    }
    let town = towns.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).and_then(|(town, _)| town);
    Some((location, town))
}
