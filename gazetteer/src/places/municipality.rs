//! What the gazetteer knows of a municipality: its official name, its extent, and the official names of its quarters
//! and streets.

use czech::names::{place_key, quarter_key, street_key};
use czech::numbered_parts::CityDistrict;
use schema::Location;

use super::Gazetteer;
use super::phrases::Posting;
use super::place::{Place, PlaceId, Registered};
use crate::address::PostalCode;
use crate::districts::District;
use crate::level::Level;
use crate::towns;

/// The country has 6,258 municipalities. A registry with at least this many leaves out none that matters.
const NEARLY_ALL: usize = 6_000;
/// How far beyond the last street or quarter a pin may be, because portals blur pins.
const MARGIN_KM: f64 = 3.0;
/// The extent of a town is estimated from its inhabitants: kilometres for each square root of an inhabitant. With the
/// margin of authored towns Praha gets 21 km, Brno 14 km, a town of 10,000 6 km.
const AUTHORED_MARGIN_KM: f64 = 5.0;
const KM_PER_ROOT: f64 = 0.014;

/// A municipality that a gazetteer knows. It is valid for that gazetteer only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KnownMunicipality(PlaceId);

/// A circle around everything in a municipality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The middle of the municipality.
    pub middle: Location,
    /// How far its pins may be from the middle.
    pub reach_km: f64,
}

impl Extent {
    /// Whether a pin may be that of a property in the municipality.
    pub fn contains(&self, pin: Location) -> bool {
        self.middle.kilometres_to(pin) <= self.reach_km
    }
}

impl Gazetteer {
    /// Whether there may be municipalities of this name that the gazetteer does not know: without a registry of the
    /// whole country there may be, except for towns that are known to be the only one.
    pub fn may_have_namesakes(&self, key: &str) -> bool {
        let complete = self
            .registry()
            .is_some_and(|registry| registry.municipalities().len() >= NEARLY_ALL);
        !complete && towns::town_by_key(key).is_none_or(|town| town.has_namesake)
    }

    /// The municipalities whose official name has this match key.
    pub fn municipalities_named(&self, key: &str) -> Vec<KnownMunicipality> {
        self.officially_named(key)
            .filter(|posting| posting.level == Level::Municipality)
            .map(|posting| KnownMunicipality(posting.place))
            .collect()
    }

    /// The official name of a municipality.
    pub fn municipality_name(&self, of: KnownMunicipality) -> Option<&str> {
        self.places.get(of.0).map(|place| &*place.name)
    }

    /// The district of a municipality, if it is known.
    pub fn municipality_district(&self, of: KnownMunicipality) -> Option<District> {
        self.places.get(of.0)?.district
    }

    /// A circle around the streets and quarters of a municipality. Without a registry it is estimated from the number
    /// of inhabitants.
    pub fn extent(&self, of: KnownMunicipality) -> Option<Extent> {
        let place = self.places.get(of.0)?;
        let middle = place.location;
        let estimate = f64::from(place.importance).exp().sqrt() * KM_PER_ROOT;
        let reach_km = match (self.registry(), place.registered) {
            (Some(registry), Some(Registered::Municipality(index))) => {
                let municipality = registry.municipality(index)?;
                let quarters = registry
                    .quarters_of(municipality)
                    .filter_map(|(_, quarter)| quarter.position);
                let streets = registry
                    .streets_of(municipality)
                    .filter_map(|(_, street)| street.position);
                let distances = quarters.chain(streets).map(|at| middle.kilometres_to(at));
                distances.fold(estimate, f64::max) + MARGIN_KM
            }
            _ => estimate + AUTHORED_MARGIN_KM,
        };
        Some(Extent { middle, reach_km })
    }

    /// Whether addresses of a municipality have a postal code; `None` if that is not known.
    pub fn has_postal_code(&self, of: KnownMunicipality, code: PostalCode) -> Option<bool> {
        let place = self.places.get(of.0)?;
        let codes = self.places.postal_codes(place);
        if codes.binary_search(&code.number()).is_ok() {
            return Some(true);
        }
        let of_prague = code.is_of_prague();
        if (place.district == Some(District::Praha)) != of_prague {
            return Some(false);
        }
        if of_prague {
            return Some(true);
        }
        let known_elsewhere = !codes.is_empty() && self.postal_codes.contains_key(&code.number());
        known_elsewhere.then_some(false)
    }

    /// The official name of the quarter that a text names in a municipality: `Záběhlice` for `Zabehlice`, `Smíchov` for
    /// `Praha 5 - Smíchov`, `Liberec XIV-Ruprechtice` for `Ruprechtice`. A text that names only a numbered city
    /// district gives that district.
    pub fn official_quarter(&self, of: KnownMunicipality, written: &str) -> Option<String> {
        let town = place_key(self.municipality_name(of)?);
        let last = written.rsplit(" - ").next().unwrap_or(written);
        [written, last]
            .into_iter()
            .flat_map(|text| quarter_keys(text, &town))
            .find_map(|key| self.quarter_with_key(of, &town, &key))
    }

    fn quarter_with_key(&self, of: KnownMunicipality, town: &str, key: &str) -> Option<String> {
        let quarters = self
            .officially_named(key)
            .filter(|posting| posting.level == Level::Quarter)
            .filter_map(|posting| self.places.get(posting.place))
            .filter(|place| place.municipality == Some(of.0));
        // `Bystrc` is a part of the municipality, `Brno-Bystrc` a city part with nearly the same area.
        let rank = |place: &&Place| match place.registered {
            Some(Registered::Quarter(_)) => 0,
            None => 1,
            Some(_) => 2,
        };
        quarters
            .min_by_key(rank)
            .map(|place| place.name.to_string())
            .or_else(|| towns::quarter_name(town, key).map(str::to_owned))
    }

    /// The official name of the street that a text names in a municipality. Case, diacritics, the word `ulice` and
    /// abbreviations of ranks do not matter; a missing word such as `náměstí` does.
    pub fn official_street(&self, of: KnownMunicipality, written: &str) -> Option<&str> {
        self.officially_named(&street_key(written))
            .filter(|posting| posting.level == Level::Street)
            .filter_map(|posting| self.places.get(posting.place))
            .find(|place| place.municipality == Some(of.0))
            .map(|place| &*place.name)
    }

    /// The places with this key as their own name, not as an alias.
    fn officially_named<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a Posting> + use<'a> {
        let phrase = self.phrases.exact(&street_key(key));
        let postings = phrase.map_or(&[][..], |phrase| self.phrases.postings(phrase));
        postings.iter().filter(|posting| posting.penalty == 0)
    }
}

/// The keys of the quarter that a text may mean, the likeliest first. `town` is the key of the municipality.
fn quarter_keys(written: &str, town: &str) -> impl Iterator<Item = String> + use<> {
    let key = place_key(written);
    let numbered = CityDistrict::parse_prefix(&key)
        .filter(|(_, rest)| !rest.is_empty())
        .map(|(_, rest)| rest.to_owned());
    let without_town = key
        .strip_prefix(town)
        .and_then(|rest| rest.strip_prefix(' '))
        .map(str::to_owned);
    let own = quarter_key(written, Some(town));
    numbered.into_iter().chain([own]).chain(without_town)
}
