//! Municipalities, quarters and streets that rows of listings name.

use crate::level::Level;
use czech::names::bare_street_key;
use czech::names::place_key;
use czech::names::quarter_key;
use czech::names::street_key;
use std::collections::{BTreeMap, HashMap};

use schema::Location;

use super::build::GazetteerBuilder;
use super::official;
use super::place::{List, Place, PlaceId, Registered};
use super::position::{Pin, robust};
use super::samples::{FARTHEST_KM, Group, Sample};
use super::typos::{Pattern, forgiven};
use super::variants;
use crate::address::{Name, Street};
use crate::registry::Registry;
use crate::towns;

/// The distances within which pins of one quarter and of one street agree.
const QUARTER_KM: f64 = 3.0;
const STREET_KM: f64 = 1.2;
/// If the population of a municipality is unknown, it is assumed to be [`VILLAGE`], plus [`INHABITANTS_PER_OFFER`] for
/// each of its offers.
const VILLAGE: f64 = 300.0;
const INHABITANTS_PER_OFFER: f64 = 30.0;

impl GazetteerBuilder {
    pub(super) fn add_municipality(&mut self, key: &str, group: &Group) {
        let Some(location) = group.location else {
            return;
        };
        let authored = towns::town_by_key(key).filter(|town| Some(town.district) == group.district);
        let offers: f64 = group.samples.iter().map(Sample::count).sum();
        let population = authored.map_or(VILLAGE + offers * INHABITANTS_PER_OFFER, |town| {
            f64::from(town.population)
        });
        let names = group
            .samples
            .iter()
            .map(|sample| (&*sample.address.municipality, sample.count()));
        let name = authored.map_or_else(
            || commonest(names).unwrap_or_else(|| key.to_owned()),
            |town| town.name.to_owned(),
        );
        let samples: Vec<&Sample> = group
            .samples
            .iter()
            .filter(|sample| is_near(sample, location))
            .collect();
        let postal_codes = self.places.list(postal_codes(&samples));
        let id = self.places.add(Place {
            level: Level::Municipality,
            name: name.as_str().into(),
            location,
            region: group.region,
            district: group.district,
            municipality: None,
            quarters: List::default(),
            postal_codes,
            importance: population.ln() as f32,
            registered: None,
        });
        self.add_names(id, variants::of_municipality(&name));
        for sample in &samples {
            if let (Some(code), Some(_)) = (sample.postal_code, sample.pin()) {
                self.postal_codes
                    .entry(code.number())
                    .or_default()
                    .push((sample.packed_pin(), id));
            }
        }
        let quarters = self.add_quarters(id, key, &samples);
        self.add_streets(id, &quarters, &samples);
    }

    /// Adds the quarters of a municipality, authored ones and those that rows name. Returns them by match key.
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
        let authored_town = self
            .places
            .get(municipality)
            .is_some_and(|place| place.importance > 100_000_f32.ln() && place.registered.is_none());
        for quarter in towns::quarters()
            .iter()
            .filter(|quarter| authored_town && place_key(quarter.city) == key)
        {
            named
                .entry(quarter_key(quarter.name, Some(key)))
                .or_default()
                .1 = Some(quarter);
        }
        let mut ids = HashMap::new();
        for (key, (samples, authored)) in named {
            let pins: Vec<Pin> = samples.iter().filter_map(|sample| sample.pin()).collect();
            let location = authored
                .map(|quarter| quarter.location)
                .or_else(|| Some(robust(&pins, QUARTER_KM)?.0));
            let name = authored
                .map(|quarter| quarter.name.to_owned())
                .or_else(|| numbered(&samples, &key))
                .or_else(|| {
                    commonest(samples.iter().filter_map(|sample| {
                        Some((sample.address.quarter.as_deref()?, sample.count()))
                    }))
                });
            if let (Some(location), Some(name)) = (location, name) {
                let id = self.add_within(municipality, Level::Quarter, name, location, &samples);
                if let (Some(quarter), Some(place)) = (authored, self.places.get_mut(id)) {
                    place.importance += (quarter.population as f32).max(1.0).ln() / 2.0;
                }
                self.phrases.add(&street_key(&key), id, 0.0);
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
            if let Some(street) = &sample.address.street {
                streets.entry(&street.key).or_default().push(sample);
            }
        }
        for (key, samples) in streets {
            let pins: Vec<Pin> = samples.iter().filter_map(|sample| sample.pin()).collect();
            let Some((location, _)) = robust(&pins, STREET_KM) else {
                continue;
            };
            let names = samples.iter().filter_map(|sample| {
                let street = sample.address.street.as_ref()?;
                Some((street.written.as_str(), sample.count()))
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
            let within = self.places.list(within.into_iter().map(|id| id.0));
            if let Some(street) = self.places.get_mut(id) {
                street.quarters = within;
            }
            self.add_names(id, variants::of_street(key));
        }
    }

    /// Adds a quarter or street, in the district and region of its municipality.
    fn add_within(
        &mut self,
        town: PlaceId,
        level: Level,
        name: String,
        at: Location,
        samples: &[&Sample],
    ) -> PlaceId {
        let town_place = self.places.get(town);
        let (region, district) =
            town_place.map_or((None, None), |town| (town.region, town.district));
        let offers: f64 = samples.iter().map(|sample| sample.count()).sum();
        let importance = town_place.map_or(0.0, |town| town.importance / 2.0)
            + ((1.0 + offers).ln() / 2.0) as f32;
        let postal_codes = self.places.list(postal_codes(samples));
        self.places.add(Place {
            level,
            name: name.into(),
            location: at,
            region,
            district,
            municipality: Some(town),
            quarters: List::default(),
            postal_codes,
            importance,
            registered: None,
        })
    }

    /// Adds what rows name in a municipality of the registry but the registry does not have: new streets, and quarters
    /// that are not official. A name within a typing error of a known one counts as known.
    pub(super) fn add_unregistered(
        &mut self,
        id: PlaceId,
        key: &str,
        group: &Group,
        registry: &Registry,
    ) {
        let Some(place) = self.places.get(id) else {
            return;
        };
        let (location, registered) = (place.location, place.registered);
        let Some(Registered::Municipality(index)) = registered else {
            return;
        };
        if group.samples.is_empty() {
            return;
        }
        let (streets, quarters) = official::known_keys(registry, index);
        let samples: Vec<&Sample> = group
            .samples
            .iter()
            .filter(|sample| is_near(sample, location))
            .collect();
        let known: Vec<String> = streets
            .iter()
            .map(|key| bare_street_key(key).to_owned())
            .collect();
        let is_new =
            |key: &str, known: &[String]| !known.iter().any(|other| is_spelling_of(key, other));
        let new_quarters: Vec<&Sample> = samples
            .iter()
            .copied()
            .filter(|sample| {
                let quarter = sample.address.quarter.as_ref().map(|quarter| &quarter.key);
                quarter.is_some_and(|key| is_new(key, &quarters) && is_new(key, &streets))
            })
            .collect();
        let ids = self.add_quarters(id, key, &new_quarters);
        let new_streets: Vec<&Sample> = samples
            .into_iter()
            .filter(|sample| {
                let street = sample.address.street.as_deref().map(Street::bare_key);
                street.is_some_and(|key| is_new(key, &known))
            })
            .collect();
        self.add_streets(id, &ids, &new_streets);
    }
}

/// The keys of the quarters that a row names: a quarter and a numbered city district.
fn quarter_keys(sample: &Sample) -> impl Iterator<Item = String> {
    let quarter = sample.address.quarter.as_ref();
    let named = quarter.map(|quarter| quarter.key.clone());
    named.into_iter().chain(
        sample
            .address
            .city_district
            .map(|district| place_key(&district.to_string())),
    )
}

/// The name of the numbered city district with this key.
fn numbered(samples: &[&Sample], key: &str) -> Option<String> {
    let districts = samples
        .iter()
        .filter_map(|sample| sample.address.city_district);
    districts
        .map(|district| district.to_string())
        .find(|name| place_key(name) == key)
}

fn is_near(sample: &Sample, location: Location) -> bool {
    sample
        .location()
        .is_none_or(|at| at.kilometres_to(location) <= FARTHEST_KM)
}

fn postal_codes(samples: &[&Sample]) -> Vec<u32> {
    let mut codes: Vec<u32> = samples
        .iter()
        .filter_map(|sample| Some(sample.postal_code?.number()))
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The commonest spelling of a name; of equally common ones the one with more diacritics.
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
        .max_by(|a, b| {
            a.1.total_cmp(&b.1)
                .then(accents(a.0).cmp(&accents(b.0)))
                .then(b.0.cmp(a.0))
        })
        .map(|(name, _)| name.to_owned())
}

/// Whether a key is a known key or may be one with typing errors.
fn is_spelling_of(key: &str, known: &str) -> bool {
    let allowed = forgiven(key.len()).min(forgiven(known.len()));
    key == known
        || (allowed > 0
            && key.len().abs_diff(known.len()) <= allowed
            && Pattern::compile(key).is_some_and(|pattern| pattern.edits(known) <= allowed))
}
