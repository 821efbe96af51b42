//! The fields of the place, and the names among them.

use schema::Attributes;
use schema::offer_fields::names;

use super::Place;
use super::claim::Claim;
use super::reading::{self, Reading};

/// A field of the place, and its value as a text.
type PlaceField = (&'static str, fn(&Attributes) -> Option<String>);

/// Every field of the place.
pub(super) const PLACE_FIELDS: [PlaceField; 8] = [
    (names::city, |facts| facts.city.clone()),
    (names::district, |facts| facts.district.clone()),
    (names::region, |facts| facts.region.clone()),
    (names::neighborhood, |facts| facts.neighborhood.clone()),
    (names::street, |facts| facts.street.clone()),
    (names::postal_code, |facts| facts.postal_code.clone()),
    (names::address, |facts| facts.address.clone()),
    (names::location, |facts| {
        let at = facts.location?;
        Some(format!("{} {}", at.lat, at.lng))
    }),
];

impl Place<'_, '_> {
    /// Sets city, quarter, street, postal code and address line.
    pub(super) fn merge_names(&mut self) {
        let (gazetteer, municipality) = (self.gazetteer, self.municipality.clone());
        let municipality = municipality.as_ref();
        let known = municipality.and_then(|municipality| municipality.known);
        let agrees = |claim: &Claim<'_>| {
            municipality.is_none_or(|municipality| municipality.agrees_with(claim))
        };
        if let Some(municipality) = municipality {
            let official = known.and_then(|known| gazetteer.municipality_name(known));
            if !self.is_post_office {
                self.merged.facts.city = self.settle(names::city, |claim| {
                    reading::city(claim, municipality, official)
                });
            }
        } else {
            self.merged.facts.city = self.settle(names::city, reading::unread_city);
        }
        self.merged.facts.neighborhood = self.settle(names::neighborhood, |claim| {
            reading::quarter(claim, known, gazetteer).filter(|_| agrees(claim))
        });
        self.merged.facts.street = self.settle(names::street, |claim| {
            reading::street(claim, known, gazetteer).filter(|_| agrees(claim))
        });
        self.merged.facts.postal_code = self.settle(names::postal_code, |claim| {
            reading::postal_code(claim, municipality, gazetteer)
        });
        self.merged.facts.address = self.settle(names::address, |claim| {
            let line = claim.facts().address.clone().filter(|_| agrees(claim))?;
            // A line is more precise with a number, and from a listing that names the street.
            let has_street = claim.facts().street.is_some();
            let has_number = line.chars().any(|c| c.is_ascii_digit());
            Some(Reading {
                precision: u32::from(has_street) + u32::from(has_number),
                ..Reading::as_published(line)
            })
        });
    }
}
