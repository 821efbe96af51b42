//! Where a record is. City, district, region, quarter, street, postal code, address line and pin are chosen together, so
//! that they describe one place.
//!
//! First the municipality is decided, from the evidence of all listings (`municipality`). A listing that names another
//! municipality then gives no city, quarter, street or address line, and a pin or postal code outside the municipality
//! is left out. Names get the spelling of the gazetteer, if it knows them (`reading`). What was changed or left out is
//! an [`AppliedRule`].

mod claim;
mod fields;
mod municipality;
mod pin;
mod reading;

use std::collections::BTreeMap;

use gazetteer::{Area, District, Gazetteer};
use schema::offer_fields::names;
use schema::{Attributes, ListingKey, StoredListing};
use serde::Serialize;

use super::precedence::{Candidate, choose};
use claim::Claim;
use fields::PLACE_FIELDS;
use municipality::{Municipality, extent_of};
use reading::Reading;

/// Why a merged value of the place is not written as a portal published it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PlaceRule {
    /// The official spelling of the published name.
    OfficialSpelling,
    /// The place that the published text names, without the words around it: `Praha` of `Praha 5`.
    NamedPlace,
    /// The portal published it in another field.
    OtherField,
    /// The usual form of the published postal code.
    UsualForm,
    /// The district or region of the record's municipality, which the published one contradicts.
    OfMunicipality,
    /// Left out, because it belongs to another place than the rest of the record.
    LeftOut,
}

/// The rule that a merged value of the place was changed by.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedRule {
    /// The rule.
    pub rule: PlaceRule,
    /// What the portal published.
    pub published: String,
}

/// The merged place.
#[derive(Debug, Default)]
pub(super) struct MergedPlace {
    /// The merged facts; only those about the place are set.
    pub facts: Attributes,
    /// The listing that each value comes from.
    pub provenance: BTreeMap<&'static str, ListingKey>,
    /// The rules by which values differ from the published ones.
    pub rules: BTreeMap<&'static str, AppliedRule>,
}

/// Merges the place of a cluster. `is_original` is false for a listing that copies another one of the cluster, and
/// `area_of` locates merged facts without a district.
pub(super) fn merge_place(
    listings: &[&StoredListing],
    is_original: impl Fn(&StoredListing) -> bool,
    gazetteer: &Gazetteer,
    area_of: impl Fn(&Attributes) -> Option<Area>,
) -> MergedPlace {
    let claims: Vec<Claim<'_>> = listings
        .iter()
        .map(|listing| Claim::new(listing, is_original(listing), gazetteer))
        .collect();
    let chosen = municipality::choose(&claims, gazetteer);
    let post_office = chosen
        .as_ref()
        .and_then(|chosen| municipality::district_of_post_office(chosen, &claims, gazetteer));
    let municipality = match (chosen, post_office) {
        (Some(chosen), Some(district)) => Some(Municipality::unknown(&chosen.key, Some(district))),
        (chosen, _) => chosen,
    };
    let mut place = Place {
        merged: MergedPlace::default(),
        claims: &claims,
        gazetteer,
        municipality,
        is_post_office: post_office.is_some(),
    };
    place.merge_names();
    place.merge_district();
    place.merge_pin();
    place.merge_area(area_of);
    place.note_what_is_left_out();
    place.merged
}

/// A cluster while its place is merged.
struct Place<'c, 'a> {
    merged: MergedPlace,
    claims: &'c [Claim<'a>],
    gazetteer: &'c Gazetteer,
    /// The municipality; `None` if no listing names one.
    municipality: Option<Municipality>,
    /// Whether the listings name only the post office, so that the municipality is not known.
    is_post_office: bool,
}

impl<'c, 'a> Place<'c, 'a> {
    /// Whether a listing names the record's municipality or none.
    fn agrees(&self, claim: &Claim<'_>) -> bool {
        let municipality = self.municipality.as_ref();
        municipality.is_none_or(|municipality| municipality.agrees_with(claim))
    }

    /// Chooses a reading by the usual order of precedence. Of equally precise ones, one that is as published comes
    /// first.
    fn choose<T: Clone + PartialEq>(
        &self,
        read: impl Fn(&Claim<'a>) -> Option<Reading<T>>,
    ) -> Option<(&'c Claim<'a>, Reading<T>)> {
        let readings: Vec<(&'c Claim<'a>, Reading<T>)> = self
            .claims
            .iter()
            .filter_map(|claim| Some((claim, read(claim)?)))
            .collect();
        let candidates: Vec<Candidate<'_, T>> = readings
            .iter()
            .map(|(claim, reading)| Candidate {
                listing: claim.listing,
                is_original: claim.is_original,
                precision: 2 * reading.precision + u32::from(reading.changed.is_none()),
                value: reading.value.clone(),
            })
            .collect();
        let key = &choose(&candidates)?.listing.key;
        readings
            .into_iter()
            .find(|(claim, _)| claim.listing.key == *key)
    }

    /// [`Place::choose`], and notes where the value is from and by which rule it was changed.
    fn settle<T: Clone + PartialEq>(
        &mut self,
        field: &'static str,
        read: impl Fn(&Claim<'a>) -> Option<Reading<T>>,
    ) -> Option<T> {
        let (claim, reading) = self.choose(read)?;
        let key = claim.listing.key.clone();
        self.merged.provenance.insert(field, key);
        if let Some(rule) = reading.changed {
            self.merged.rules.insert(field, rule);
        }
        Some(reading.value)
    }

    /// Sets the district: that of the municipality, or else the stated one.
    fn merge_district(&mut self) {
        let of_municipality = self.municipality.as_ref().and_then(|one| one.district);
        let name = of_municipality.map(District::name);
        self.merged.facts.district = self.area_field(names::district, name, reading::district);
    }

    /// Sets the region, and the district if it is not known yet: `area_of` then finds either.
    fn merge_area(&mut self, area_of: impl Fn(&Attributes) -> Option<Area>) {
        let facts = &mut self.merged.facts;
        let stated = facts.district.as_deref().and_then(District::parse);
        let area = stated
            .map(Area::District)
            .or_else(|| area_near_pin(facts, area_of));
        let district = area.and_then(Area::district);
        if facts.district.is_none() {
            facts.district = district.map(|district| district.name().to_owned());
        }
        let known = district.map(|district| district.region().name());
        self.merged.facts.region = self
            .area_field(names::region, known, reading::region)
            .or_else(|| area.map(|area| area.region().name().to_owned()));
    }

    /// The name `known`, from a listing that states it if one does. If no name is known, the stated one.
    fn area_field(
        &mut self,
        field: &'static str,
        known: Option<&'static str>,
        read: fn(&Claim<'_>) -> Option<Reading<String>>,
    ) -> Option<String> {
        let Some(known) = known else {
            let municipality = self.municipality.clone();
            let agrees = |claim: &Claim<'_>| {
                let municipality = municipality.as_ref();
                municipality.is_none_or(|municipality| municipality.agrees_with(claim))
            };
            return self.settle(field, |claim| read(claim).filter(|_| agrees(claim)));
        };
        let states = |claim: &Claim<'a>| read(claim).filter(|reading| reading.value == known);
        if self.settle(field, states).is_none()
            && let Some((_, other)) =
                self.choose(|claim| read(claim).filter(|_| self.agrees(claim)))
        {
            let rule = PlaceRule::OfMunicipality;
            self.merged
                .rules
                .insert(field, rule.applied_to(&other.published));
        }
        Some(known.to_owned())
    }

    /// Notes the fields that listings publish and the record does not have.
    fn note_what_is_left_out(&mut self) {
        for (field, published) in PLACE_FIELDS {
            let stated =
                self.choose(|claim| Some(Reading::as_published(published(claim.facts())?)));
            if let Some((_, reading)) = stated
                && published(&self.merged.facts).is_none()
            {
                let rule = PlaceRule::LeftOut.applied_to(&reading.published);
                self.merged.rules.insert(field, rule);
            }
        }
    }
}

/// What `area_of` finds for a place; if that is far from its pin, what it finds for the pin alone: the municipality then is
/// another one of that name.
fn area_near_pin(
    facts: &Attributes,
    area_of: impl Fn(&Attributes) -> Option<Area>,
) -> Option<Area> {
    let area = area_of(facts)?;
    let is_far = |pin| {
        area.district()
            .is_some_and(|district| !extent_of(district).contains(pin))
    };
    if !facts.location.is_some_and(is_far) {
        return Some(area);
    }
    area_of(&Attributes {
        location: facts.location,
        ..Attributes::default()
    })
}

impl PlaceRule {
    fn applied_to(self, published: &str) -> AppliedRule {
        AppliedRule {
            rule: self,
            published: published.to_owned(),
        }
    }
}
