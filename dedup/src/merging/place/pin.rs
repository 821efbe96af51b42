//! The pin of a record.

use gazetteer::District;
use schema::offer_fields::names;
use schema::{Location, PinPrecision};

use super::Place;
use super::claim::Claim;
use super::municipality::extent_of;
use super::reading::Reading;

/// Pins within this distance support each other.
const NEAR_KM: f64 = 5.0;

impl Place<'_, '_> {
    /// Sets the pin: the most exact one in the municipality. Pins outside it are left out. If its position is not known,
    /// pins that other pins support come first.
    pub(super) fn merge_pin(&mut self) {
        let municipality = self.municipality.clone();
        let district = self
            .merged
            .facts
            .district
            .as_deref()
            .and_then(District::parse);
        let is_known = municipality.as_ref().is_some_and(|one| one.known.is_some());
        let inside = |pin| {
            let in_municipality = municipality.as_ref().and_then(|one| one.contains(pin));
            if is_known && in_municipality.is_some() {
                return in_municipality;
            }
            let in_district = district.map(|district| extent_of(district).contains(pin));
            in_municipality
                .into_iter()
                .chain(in_district)
                .reduce(|one, other| one && other)
        };
        let pins: Vec<Location> = self
            .pins()
            .filter(|pin| inside(*pin) != Some(false))
            .collect();
        let neighbours = |pin: Location| {
            let near = pins
                .iter()
                .filter(|other| other.kilometres_to(pin) <= NEAR_KM);
            near.count()
        };
        let most = pins.iter().map(|pin| neighbours(*pin)).max();
        self.merged.facts.location = self.settle(names::location, |claim| {
            let pin = claim.facts().location?;
            let fits = inside(pin) != Some(false) && (is_known || Some(neighbours(pin)) == most);
            fits.then(|| Reading {
                value: pin,
                published: String::new(),
                precision: precision(claim),
                changed: None,
            })
        });
    }

    fn pins(&self) -> impl Iterator<Item = Location> {
        self.claims
            .iter()
            .filter_map(|claim| claim.facts().location)
    }
}

/// A pin is as precise as it is declared to be. Without a declaration, a listing that names a street is assumed to pin
/// it.
fn precision(claim: &Claim<'_>) -> u32 {
    match claim.listing.state.listing.evidence.pin {
        Some(PinPrecision::Exact) => 4,
        Some(PinPrecision::Street) => 3,
        Some(PinPrecision::Quarter) => 1,
        Some(PinPrecision::Municipality) => 0,
        None if claim.facts().street.is_some() => 3,
        None => 2,
    }
}
