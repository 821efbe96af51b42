//! Whether the place fields of each record fit together, and whether each place has one name.

use std::collections::{BTreeMap, HashMap};

use czech::names::{place_key, quarter_key};
use gazetteer::filter_names::{district_filter_key, quarter_filter_key};
use gazetteer::{District, Gazetteer, KnownMunicipality, PostalCode, Region};
use schema::{Attributes, OfferId};
use serde::Serialize;

use super::Rate;

/// How far from the middle of its district a record may be if its municipality is not known.
const DISTRICT_REACH_KM: f64 = 50.0;

/// The id of a record, and its place: the other facts do not matter here.
pub type RecordPlace = (OfferId, Attributes);

/// The faults in the places of all records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceReport {
    /// How many records there are.
    pub records: usize,
    /// Records whose city is not a municipality, or whose district, region or postal code is not that of the
    /// municipality; of those with a city or district.
    pub contradictory: PlaceFault,
    /// Records whose pin lies outside their municipality; of those with a pin whose municipality or district is known.
    pub pin_outside: PlaceFault,
    /// Records that write their district otherwise than most records of the district.
    pub district_spellings: PlaceFault,
    /// Records that write their quarter otherwise than most records of the quarter.
    pub quarter_spellings: PlaceFault,
}

/// How many records have a fault.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceFault {
    /// The records with the fault.
    pub records: usize,
    /// The records that could have it.
    pub of: usize,
    /// The share.
    pub share: Rate,
    /// Records with the fault, each with what is wrong, by id.
    pub examples: Vec<(OfferId, String)>,
}

/// Collects the records with a fault.
#[derive(Default)]
struct Tally {
    of: usize,
    found: Vec<(OfferId, String)>,
}

impl Tally {
    fn count(&mut self, (id, _): &RecordPlace, fault: Option<String>) {
        self.of += 1;
        self.found.extend(fault.map(|fault| (id.clone(), fault)));
    }

    fn finish(mut self, examples: usize) -> PlaceFault {
        let records = self.found.len();
        self.found.truncate(examples);
        PlaceFault {
            records,
            of: self.of,
            share: Rate::ratio(records as f64, self.of as f64),
            examples: self.found,
        }
    }
}

/// Checks the place of every record. Each fault has at most `examples` examples.
pub fn place_report(
    records: &[RecordPlace],
    gazetteer: &Gazetteer,
    examples: usize,
) -> PlaceReport {
    let (mut contradictory, mut pin_outside) = (Tally::default(), Tally::default());
    for record in records {
        let (_, facts) = record;
        let place = Place::new(facts, gazetteer);
        if facts.city.is_some() || facts.district.is_some() {
            contradictory.count(record, place.contradiction());
        }
        if let Some(outside) = place.is_pin_outside() {
            let fault = || format!("{} is far from {}", place.pin_text(), place.in_words());
            pin_outside.count(record, outside.then(fault));
        }
    }
    let district = |facts: &Attributes| {
        let name = facts.district.clone()?;
        Some((district_filter_key(&name), name))
    };
    let quarter = |facts: &Attributes| {
        let name = facts.neighborhood.clone()?;
        let city = place_key(facts.city.as_deref().unwrap_or_default());
        let district = facts.district.as_deref().map(district_filter_key);
        let key = quarter_key(&quarter_filter_key(&name), Some(&city));
        Some((
            format!("{key}, {city}, {}", district.unwrap_or_default()),
            name,
        ))
    };
    PlaceReport {
        records: records.len(),
        contradictory: contradictory.finish(examples),
        pin_outside: pin_outside.finish(examples),
        district_spellings: spellings(records, district).finish(examples),
        quarter_spellings: spellings(records, quarter).finish(examples),
    }
}

/// The records whose name of a place is not the commonest one. `read` gives the key of the place and its name.
fn spellings(
    records: &[RecordPlace],
    read: impl Fn(&Attributes) -> Option<(String, String)>,
) -> Tally {
    let mut names: HashMap<String, BTreeMap<String, usize>> = HashMap::new();
    for (key, name) in records.iter().filter_map(|(_, facts)| read(facts)) {
        *names.entry(key).or_default().entry(name).or_default() += 1;
    }
    let commonest = |key: &str| {
        let spelt = names.get(key)?.iter();
        let most = spelt.max_by(|one, other| one.1.cmp(other.1).then(other.0.cmp(one.0)));
        most.map(|(name, _)| name)
    };
    let mut tally = Tally::default();
    for record in records {
        let Some((key, name)) = read(&record.1) else {
            continue;
        };
        let other = commonest(&key).filter(|other| **other != name);
        tally.count(record, other.map(|other| format!("{name} is also {other}")));
    }
    tally
}

/// A record, and the municipalities that it may mean.
struct Place<'a> {
    facts: &'a Attributes,
    gazetteer: &'a Gazetteer,
    district: Option<District>,
    /// The municipalities of that name.
    named: Vec<KnownMunicipality>,
    /// Those of them that are in the district. None if there may be others of that name and the district is not known.
    fitting: Vec<KnownMunicipality>,
}

impl<'a> Place<'a> {
    fn new(facts: &'a Attributes, gazetteer: &'a Gazetteer) -> Self {
        let district = facts.district.as_deref().and_then(District::parse);
        let key = facts.city.as_deref().map(place_key);
        let named = key
            .as_ref()
            .map_or_else(Vec::new, |key| gazetteer.municipalities_named(key));
        let fits = |of: &KnownMunicipality| {
            let known = gazetteer.municipality_district(*of).zip(district);
            known.is_none_or(|(one, other)| one == other)
        };
        let is_decided =
            district.is_some() || !key.is_some_and(|key| gazetteer.may_have_namesakes(&key));
        let fitting = named
            .iter()
            .copied()
            .filter(|of| is_decided && fits(of))
            .collect();
        Self {
            facts,
            gazetteer,
            district,
            named,
            fitting,
        }
    }

    /// Two fields that contradict each other.
    fn contradiction(&self) -> Option<String> {
        let facts = self.facts;
        let city = facts.city.as_deref().unwrap_or_default();
        let is_numbered = czech::numbered_parts::town_of_numbered_part(city).is_some();
        if self.named.is_empty() && (District::named(city).is_some() || is_numbered) {
            return Some(format!("{city} is not a municipality"));
        }
        let district = facts.district.as_deref().unwrap_or_default();
        let only_these =
            facts.district.is_some() && !self.gazetteer.may_have_namesakes(&place_key(city));
        if !self.named.is_empty() && self.fitting.is_empty() && only_these {
            return Some(format!("{city} is not in the district {district}"));
        }
        let region = facts.region.as_deref().and_then(Region::parse);
        if let (Some(of), Some(region)) = (self.district, region)
            && of.region() != region
        {
            return Some(format!("the district {district} is not in {region}"));
        }
        let text = facts.postal_code.as_deref()?;
        let code = PostalCode::parse(text)?;
        let has = |of: &KnownMunicipality| self.gazetteer.has_postal_code(*of, code);
        let elsewhere =
            !self.fitting.is_empty() && self.fitting.iter().all(|of| has(of) == Some(false));
        elsewhere.then(|| format!("{text} is not a postal code of {city}"))
    }

    /// Whether the pin is outside every municipality, or else the district, that the record may mean; `None` if it has no
    /// pin or nothing is known of the place.
    fn is_pin_outside(&self) -> Option<bool> {
        let pin = self.facts.location?;
        let extents: Vec<_> = self
            .fitting
            .iter()
            .filter_map(|of| self.gazetteer.extent(*of))
            .collect();
        if !extents.is_empty() {
            return Some(!extents.iter().any(|extent| extent.contains(pin)));
        }
        let district = self.district?;
        Some(district.location().kilometres_to(pin) > DISTRICT_REACH_KM)
    }

    fn pin_text(&self) -> String {
        let pin = self.facts.location;
        pin.map_or_else(String::new, |pin| format!("{:.4} {:.4}", pin.lat, pin.lng))
    }

    fn in_words(&self) -> String {
        let Attributes { city, district, .. } = self.facts;
        let names = [city.as_deref(), district.as_deref()];
        names.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
