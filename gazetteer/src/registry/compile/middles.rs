//! Derives positions from the address places: of streets, municipalities, quarters, city parts and postal areas. Also
//! counts the address places of quarters, city parts and postal areas.

use schema::Location;

use super::super::entity::MunicipalityIndex;
use super::super::place::{PackedLocation, PackedPlace};
use super::super::{Registry, slice};

/// A degree of longitude as a share of a degree of latitude, in the middle of the country.
const LONGITUDE_SCALE: f64 = 0.644;

/// The middles of numbered things, such as all streets. Two passes over the address places find them: the first
/// computes the mean position of each thing, the second the place nearest to the mean. The mean of a bent street or of
/// scattered hamlets may lie in a field, but the nearest place has an address.
struct Middles {
    sums: Vec<(f64, f64, u32)>,
    nearest: Vec<(f64, PackedLocation)>,
}

impl Middles {
    fn for_count(things: usize) -> Self {
        Self {
            sums: vec![(0.0, 0.0, 0); things],
            nearest: vec![(f64::INFINITY, PackedLocation::UNKNOWN); things],
        }
    }

    /// The first pass: adds a place to the mean.
    fn add(&mut self, thing: usize, at: PackedLocation) {
        if let (Some(sum), true) = (self.sums.get_mut(thing), at != PackedLocation::UNKNOWN) {
            sum.0 += f64::from(at.lat);
            sum.1 += f64::from(at.lng);
            sum.2 += 1;
        }
    }

    /// The second pass: keeps the place if it is nearer to the mean than those before.
    fn keep_nearest(&mut self, thing: usize, at: PackedLocation) {
        if let (Some(sum), Some(nearest)) = (self.sums.get(thing), self.nearest.get_mut(thing))
            && at != PackedLocation::UNKNOWN
        {
            let count = f64::from(sum.2);
            let north = f64::from(at.lat) - sum.0 / count;
            let east = (f64::from(at.lng) - sum.1 / count) * LONGITUDE_SCALE;
            let distance = north.hypot(east);
            if (distance, at) < *nearest {
                *nearest = (distance, at);
            }
        }
    }

    fn middle(&self, thing: usize) -> Option<Location> {
        self.nearest.get(thing).and_then(|(_, at)| at.unpack())
    }
}

/// Fills in missing positions and the numbers of address places.
pub(super) fn fill_in(registry: &mut Registry) {
    subdivisions(registry);
    postal_areas(registry);
    let mut streets = Middles::for_count(registry.streets.len());
    let mut municipalities = Middles::for_count(registry.municipalities.len());
    for pass in [Middles::add, Middles::keep_nearest] {
        for (number, street) in registry.streets.iter().enumerate() {
            for place in slice(&registry.places, street.places.clone()) {
                pass(&mut streets, number, place.location);
            }
        }
        for (number, municipality) in registry.municipalities.iter().enumerate() {
            for place in slice(&registry.places, municipality.places.clone()) {
                pass(&mut municipalities, number, place.location);
            }
        }
    }
    for (number, street) in registry.streets.iter_mut().enumerate() {
        street.position = streets.middle(number);
    }
    for (number, municipality) in registry.municipalities.iter_mut().enumerate() {
        municipality.position = municipality
            .position
            .or_else(|| municipalities.middle(number));
    }
}

fn subdivisions(registry: &mut Registry) {
    let quarter = |place: &PackedPlace| {
        registry
            .areas
            .get(usize::from(place.area))
            .map_or(usize::MAX, |area| area.quarter.0 as usize)
    };
    let city_part = |place: &PackedPlace| {
        let area = registry.areas.get(usize::from(place.area));
        area.and_then(|area| area.city_part)
            .map_or(usize::MAX, |part| part.0 as usize)
    };
    let mut quarters = Middles::for_count(registry.quarters.len());
    let mut city_parts = Middles::for_count(registry.city_parts.len());
    let mut counts = (
        vec![0_u32; registry.quarters.len()],
        vec![0_u32; registry.city_parts.len()],
    );
    for place in &registry.places {
        quarters.add(quarter(place), place.location);
        city_parts.add(city_part(place), place.location);
        for (counts, number) in [
            (&mut counts.0, quarter(place)),
            (&mut counts.1, city_part(place)),
        ] {
            if let Some(count) = counts.get_mut(number) {
                *count += 1;
            }
        }
    }
    for place in &registry.places {
        quarters.keep_nearest(quarter(place), place.location);
        city_parts.keep_nearest(city_part(place), place.location);
    }
    for (number, (quarter, count)) in registry.quarters.iter_mut().zip(counts.0).enumerate() {
        quarter.position = quarter.position.or_else(|| quarters.middle(number));
        quarter.place_count = count;
    }
    for (number, (part, count)) in registry.city_parts.iter_mut().zip(counts.1).enumerate() {
        part.position = part.position.or_else(|| city_parts.middle(number));
        part.place_count = count;
    }
}

fn postal_areas(registry: &mut Registry) {
    let mut middles = Middles::for_count(registry.postal_areas.len());
    for pass in [Middles::add, Middles::keep_nearest] {
        for place in &registry.places {
            pass(&mut middles, usize::from(place.postal_area), place.location);
        }
    }
    let mut most = vec![0_u32; registry.postal_areas.len()];
    for (index, municipality) in registry.municipalities.iter().enumerate() {
        let mut counts = std::collections::BTreeMap::<usize, u32>::new();
        for place in slice(&registry.places, municipality.places.clone()) {
            *counts.entry(usize::from(place.postal_area)).or_default() += 1;
        }
        for (number, count) in counts {
            if let (Some(area), Some(most)) =
                (registry.postal_areas.get_mut(number), most.get_mut(number))
            {
                area.place_count += count;
                if count > *most {
                    *most = count;
                    area.municipality = MunicipalityIndex(index as u32);
                }
            }
        }
    }
    for (number, area) in registry.postal_areas.iter_mut().enumerate() {
        area.position = middles.middle(number);
    }
}
