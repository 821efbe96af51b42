//! The places of the address registry.

use crate::level::Level;
use czech::names::place_key;
use czech::names::quarter_key;
use czech::names::street_key;
use std::collections::{BTreeMap, HashMap};

use schema::Location;

use super::build::{Area, GazetteerBuilder};
use super::phrases::PhraseId;
use super::place::{List, Place, PlaceId, Registered};
use super::variants;
use crate::address::PostalCode;
use crate::districts::District;
use crate::registry::{
    AddressPlace, CityPart, CityPartIndex, Municipality, MunicipalityIndex, NameForms, Quarter,
    QuarterIndex, Registry, Street, StreetIndex,
};
use crate::towns;

/// The inhabitants assumed for each address place if the population is unknown.
const INHABITANTS_PER_PLACE: f64 = 3.5;
/// The rough number of address places in an old district of Prague, which makes it more important than the smaller city
/// part of the same name.
const OLD_DISTRICT_PLACES: u32 = 13_000;

/// Adds the places of the registry to a builder.
pub(super) struct Official<'a> {
    registry: &'a Registry,
    builder: &'a mut GazetteerBuilder,
    /// Places by their index in the registry.
    quarters: Vec<Option<PlaceId>>,
    city_parts: Vec<Option<PlaceId>>,
    /// The ten old districts of Prague by number, with the sums of their places' coordinates.
    old_districts: BTreeMap<u8, (PlaceId, Area)>,
    /// The phrases for each name of streets.
    street_names: HashMap<u32, Vec<(PhraseId, f64)>>,
}

/// The quarters and postal codes of the address places in something.
#[derive(Default)]
struct Seen {
    /// Indexes of the quarters.
    quarters: Vec<u32>,
    codes: Vec<u32>,
}

impl Seen {
    fn add(list: &mut Vec<u32>, number: u32) {
        if list.last() != Some(&number) && !list.contains(&number) {
            list.push(number);
        }
    }

    fn lists(mut self, builder: &mut GazetteerBuilder) -> (List, List) {
        self.codes.sort_unstable();
        (
            builder.places.list(self.quarters),
            builder.places.list(self.codes),
        )
    }
}

/// Adds every place of the registry.
pub(super) fn add(builder: &mut GazetteerBuilder, registry: &Registry) {
    let quarters = vec![None; registry.quarters().len()];
    let city_parts = vec![None; registry.city_parts().len()];
    let mut official = Official {
        registry,
        builder,
        quarters,
        city_parts,
        old_districts: BTreeMap::new(),
        street_names: HashMap::new(),
    };
    for (index, municipality) in registry.municipalities().iter().enumerate() {
        official.municipality(MunicipalityIndex(index as u32), municipality);
    }
}

impl Official<'_> {
    fn municipality(&mut self, index: MunicipalityIndex, municipality: &Municipality) {
        let Some(location) = municipality.position else {
            return;
        };
        let name = self.registry.name(municipality.name);
        let key = place_key(name);
        let authored =
            towns::town_by_key(&key).filter(|town| Some(town.district) == municipality.district);
        let inhabitants = authored.map_or(
            municipality.places.len().max(1) as f64 * INHABITANTS_PER_PLACE,
            |town| f64::from(town.population),
        );
        let id = self.builder.places.add(Place {
            level: Level::Municipality,
            name: name.into(),
            location,
            region: municipality.district.map(District::region),
            district: municipality.district,
            municipality: None,
            quarters: List::default(),
            postal_codes: List::default(),
            importance: inhabitants.ln() as f32,
            registered: Some(Registered::Municipality(index)),
        });
        self.builder.add_names(id, variants::of_municipality(name));
        self.decline(municipality.forms, id);
        self.builder
            .official
            .entry(key.clone())
            .or_default()
            .push(id);
        for (index, quarter) in self.registry.quarters_of(municipality) {
            self.quarter(index, quarter, id, &key);
        }
        for (index, part) in self.registry.city_parts_of(municipality) {
            self.city_part(index, part, id, &key);
        }
        self.streets_and_codes(municipality, id);
    }

    /// Adds the name of a place in other cases, if VFR gave them.
    fn decline(&mut self, forms: NameForms, id: PlaceId) {
        for form in self.registry.declined(forms) {
            self.builder
                .phrases
                .add(&variants::phrase_key(form), id, variants::OTHER_CASE);
        }
    }

    fn quarter(&mut self, index: QuarterIndex, quarter: &Quarter, town: PlaceId, town_key: &str) {
        let Some(location) = quarter.position else {
            return;
        };
        let name = self.registry.name(quarter.name);
        let registered = Some(Registered::Quarter(index));
        let id = self.within(
            town,
            Level::Quarter,
            name,
            location,
            quarter.place_count,
            registered,
        );
        self.builder
            .add_names(id, variants::of_quarter(name, town_key));
        self.decline(quarter.forms, id);
        if let Some(slot) = self.quarters.get_mut(index.0 as usize) {
            *slot = Some(id);
        }
    }

    fn city_part(&mut self, index: CityPartIndex, part: &CityPart, town: PlaceId, town_key: &str) {
        let name = self.registry.name(part.name);
        let Some(location) = part.position.filter(|_| !name.contains("nečleněn")) else {
            return;
        };
        let registered = Some(Registered::CityPart(index));
        let id = self.within(
            town,
            Level::Quarter,
            name,
            location,
            part.place_count,
            registered,
        );
        self.builder
            .add_names(id, variants::of_quarter(name, town_key));
        self.decline(part.forms, id);
        if let Some(slot) = self.city_parts.get_mut(index.0 as usize) {
            *slot = Some(id);
        }
    }

    fn within(
        &mut self,
        town: PlaceId,
        level: Level,
        name: &str,
        location: Location,
        count: u32,
        registered: Option<Registered>,
    ) -> PlaceId {
        let around = self.builder.places.get(town);
        let (region, district) = around.map_or((None, None), |town| (town.region, town.district));
        let importance =
            around.map_or(0.0, |town| town.importance / 2.0) + (1.0 + count as f32).ln() / 2.0;
        self.builder.places.add(Place {
            level,
            name: name.into(),
            location,
            region,
            district,
            municipality: Some(town),
            quarters: List::default(),
            postal_codes: List::default(),
            importance,
            registered,
        })
    }

    /// Adds the streets of a municipality and finds, from its address places, which quarters and postal codes belong to
    /// each street, to each quarter and to the municipality.
    fn streets_and_codes(&mut self, municipality: &Municipality, town: PlaceId) {
        let mut all = Seen::default();
        let mut of_quarters: BTreeMap<PlaceId, Seen> = BTreeMap::new();
        for (index, street) in self.registry.streets_of(municipality) {
            let mut seen = Seen::default();
            for (_, place) in self.registry.places_in(street.places.clone()) {
                self.look_at(&place, town, &mut seen, &mut all, &mut of_quarters);
            }
            self.street(index, street, town, seen);
        }
        for (_, quarter) in self.registry.quarters_of(municipality) {
            for (_, place) in self.registry.places_in(quarter.streetless.clone()) {
                self.look_at(
                    &place,
                    town,
                    &mut Seen::default(),
                    &mut all,
                    &mut of_quarters,
                );
            }
        }
        for (id, seen) in of_quarters {
            let (quarters, postal_codes) = seen.lists(self.builder);
            if let Some(place) = self.builder.places.get_mut(id) {
                (place.quarters, place.postal_codes) = (quarters, postal_codes);
            }
        }
        let (_, postal_codes) = all.lists(self.builder);
        if let Some(place) = self.builder.places.get_mut(town) {
            place.postal_codes = postal_codes;
        }
    }

    fn look_at(
        &mut self,
        place: &AddressPlace,
        town: PlaceId,
        street: &mut Seen,
        all: &mut Seen,
        of_quarters: &mut BTreeMap<PlaceId, Seen>,
    ) {
        let quarter = self
            .quarters
            .get(place.quarter.0 as usize)
            .copied()
            .flatten();
        let part = place
            .city_part
            .and_then(|part| self.city_parts.get(part.0 as usize).copied().flatten());
        let old = place
            .old_prague_district
            .and_then(|number| self.old_district(number, place, town));
        for id in quarter.into_iter().chain(part).chain(old) {
            Seen::add(&mut street.quarters, id.0);
        }
        if let (Some(part), Some(old)) = (part, old) {
            Seen::add(&mut of_quarters.entry(part).or_default().quarters, old.0);
        }
        let own = quarter.map(|quarter| of_quarters.entry(quarter).or_default());
        let code = place.postal_code.map(PostalCode::number);
        if let Some(own) = own {
            for id in part.into_iter().chain(old) {
                Seen::add(&mut own.quarters, id.0);
            }
            if let Some(code) = code {
                Seen::add(&mut own.codes, code);
            }
        }
        if let Some(code) = code {
            Seen::add(&mut street.codes, code);
            Seen::add(&mut all.codes, code);
            if let Some(location) = place.location {
                self.builder
                    .areas
                    .entry(code)
                    .or_default()
                    .add(town, location);
            }
        }
    }

    /// The old district of Prague, which postal addresses still use. Its position is the mean of the places seen so far.
    fn old_district(&mut self, number: u8, place: &AddressPlace, town: PlaceId) -> Option<PlaceId> {
        let location = place.location?;
        if !self.old_districts.contains_key(&number) {
            let name = format!("Praha {number}");
            let id = self.within(
                town,
                Level::Quarter,
                &name,
                location,
                OLD_DISTRICT_PLACES,
                None,
            );
            self.builder
                .add_names(id, [(variants::phrase_key(&name), 0.0)]);
            self.old_districts.insert(number, (id, Area::default()));
        }
        let (id, area) = self.old_districts.get_mut(&number)?;
        area.add(town, location);
        let middle = Location {
            lat: area.lat / area.count,
            lng: area.lng / area.count,
        };
        if let Some(place) = self.builder.places.get_mut(*id) {
            place.location = middle;
        }
        Some(*id)
    }

    fn street(&mut self, index: StreetIndex, street: &Street, town: PlaceId, seen: Seen) {
        let Some(location) = street.position else {
            return;
        };
        let name = self.registry.name(street.name);
        let count = street.places.len() as u32;
        let id = self.within(
            town,
            Level::Street,
            name,
            location,
            count,
            Some(Registered::Street(index)),
        );
        let (quarters, postal_codes) = seen.lists(self.builder);
        if let Some(place) = self.builder.places.get_mut(id) {
            (place.quarters, place.postal_codes) = (quarters, postal_codes);
        }
        let phrases = &mut self.builder.phrases;
        let names = self.street_names.entry(street.name.0).or_insert_with(|| {
            let variants = variants::of_street(&street_key(name)).into_iter();
            variants
                .filter_map(|(key, penalty)| Some((phrases.phrase(&key)?, penalty)))
                .collect()
        });
        for (phrase, penalty) in names {
            phrases.name(*phrase, id, *penalty);
        }
    }
}

/// The match keys of the streets and quarters that the registry knows in a municipality.
pub(super) fn known_keys(
    registry: &Registry,
    index: MunicipalityIndex,
) -> (Vec<String>, Vec<String>) {
    let Some(municipality) = registry.municipality(index) else {
        return (Vec::new(), Vec::new());
    };
    let town = place_key(registry.name(municipality.name));
    let streets = registry.streets_of(municipality);
    let streets = streets
        .map(|(_, street)| street_key(registry.name(street.name)))
        .collect();
    let quarters = registry
        .quarters_of(municipality)
        .map(|(_, quarter)| quarter.name);
    let names = quarters.chain(
        registry
            .city_parts_of(municipality)
            .map(|(_, part)| part.name),
    );
    let quarters = names
        .map(|name| quarter_key(registry.name(name), Some(&town)))
        .collect();
    (streets, quarters)
}

impl Area {
    fn add(&mut self, town: PlaceId, location: Location) {
        self.count += 1.0;
        self.lat += location.lat;
        self.lng += location.lng;
        match self.towns.last_mut() {
            Some((last, count)) if *last == town => *count += 1,
            _ => self.towns.push((town, 1)),
        }
    }
}
