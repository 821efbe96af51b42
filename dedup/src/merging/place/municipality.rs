//! In which municipality the property is: the one that most of the evidence of all listings supports.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use gazetteer::{District, Extent, Gazetteer, KnownMunicipality, PostalCode};
use schema::Location;

use super::claim::Claim;

/// What a listing adds to a municipality: its name, or its name from a listing that states only a town and a postal
/// code.
const NAMED: i32 = 8;
const NAMED_COARSELY: i32 = 2;
/// What the other values of a listing add if they agree, and take if they contradict.
const DISTRICT: i32 = 3;
const REGION: i32 = 2;
const PIN: i32 = 2;
const POSTAL_CODE: i32 = 2;
/// What the name of a quarter or street adds that the municipality has.
const KNOWN_NAME: i32 = 2;
/// What a municipality needs to win against an unknown one of the same name.
const UNKNOWN: i32 = 1;
/// How far from the middle of its district a property may be.
const DISTRICT_REACH_KM: f64 = 50.0;

/// Where the pins of a district may be.
pub(super) fn extent_of(district: District) -> Extent {
    Extent {
        middle: district.location(),
        reach_km: DISTRICT_REACH_KM,
    }
}

/// A municipality that the listings of a cluster may mean.
#[derive(Debug, Clone)]
pub(super) struct Municipality {
    /// Its match key.
    pub key: String,
    /// The municipality in the gazetteer; `None` if the gazetteer does not know it, or if it cannot be decided which of
    /// several it is.
    pub known: Option<KnownMunicipality>,
    /// Its district.
    pub district: Option<District>,
    /// Where its pins may be: around itself, or else around the middle of its district. Several if it may be any of
    /// several municipalities, none if nothing is known.
    pub extents: Vec<Extent>,
}

impl Municipality {
    fn known(key: &str, known: KnownMunicipality, gazetteer: &Gazetteer) -> Self {
        Self {
            key: key.to_owned(),
            known: Some(known),
            district: gazetteer.municipality_district(known),
            extents: gazetteer.extent(known).into_iter().collect(),
        }
    }

    pub fn unknown(key: &str, district: Option<District>) -> Self {
        Self {
            key: key.to_owned(),
            known: None,
            district,
            extents: district.map(extent_of).into_iter().collect(),
        }
    }

    /// Whether a pin may be in the municipality; `None` if its position is not known.
    pub fn contains(&self, pin: Location) -> Option<bool> {
        let is_known = !self.extents.is_empty();
        is_known.then(|| self.extents.iter().any(|extent| extent.contains(pin)))
    }

    /// Whether a listing says nothing else: it names this municipality, or none.
    pub fn agrees_with(&self, claim: &Claim<'_>) -> bool {
        claim.municipality().is_none_or(|key| key == self.key)
    }

    /// Whether a listing that states only a town and a postal code names the district of this municipality.
    pub fn may_be_near(&self, claim: &Claim<'_>) -> bool {
        let named = claim.town().and_then(District::named);
        claim.is_coarse && named.is_some() && named == self.district
    }

    /// Whether a postal code is one of the municipality; `None` if that is not known.
    pub fn has_postal_code(&self, code: PostalCode, gazetteer: &Gazetteer) -> Option<bool> {
        match self.known {
            Some(known) => gazetteer.has_postal_code(known, code),
            // An unknown municipality is not Prague.
            None => code.is_of_prague().then_some(false),
        }
    }

    /// What a listing adds to the evidence for this municipality.
    fn support(&self, claim: &Claim<'_>, gazetteer: &Gazetteer) -> i32 {
        let code = claim.address.postal_code;
        let has_code = code.and_then(|code| self.has_postal_code(code, gazetteer));
        let position = self.position(claim) + signed(has_code, POSTAL_CODE);
        let named = match claim.municipality() {
            Some(key) if key != self.key => return claim.weight() * position,
            Some(_) if claim.is_coarse => NAMED_COARSELY,
            Some(_) => NAMED,
            None => 0,
        };
        let district = agreement(self.district, claim.district, DISTRICT);
        let region = agreement(self.district.map(District::region), claim.region, REGION);
        let (street, quarter) = (&claim.address.street, &claim.address.quarter);
        let street = street
            .as_ref()
            .zip(self.known)
            .is_some_and(|(street, of)| gazetteer.official_street(of, &street.written).is_some());
        let quarter = quarter
            .as_ref()
            .zip(self.known)
            .is_some_and(|(quarter, of)| {
                gazetteer.official_quarter(of, &quarter.written).is_some()
            });
        let inside = KNOWN_NAME * (i32::from(street) + i32::from(quarter));
        claim.weight() * (named + district + region + inside + position)
    }

    fn position(&self, claim: &Claim<'_>) -> i32 {
        let pin = claim.facts().location;
        signed(pin.and_then(|pin| self.contains(pin)), PIN)
    }
}

fn signed(agrees: Option<bool>, points: i32) -> i32 {
    match agrees {
        Some(true) => points,
        Some(false) => -points,
        None => 0,
    }
}

fn agreement<T: PartialEq>(one: Option<T>, other: Option<T>, points: i32) -> i32 {
    signed(one.zip(other).map(|(one, other)| one == other), points)
}

/// The municipality that the evidence of all listings together supports most; `None` if no listing names one.
pub(super) fn choose(claims: &[Claim<'_>], gazetteer: &Gazetteer) -> Option<Municipality> {
    let keys: BTreeSet<&str> = claims.iter().filter_map(Claim::municipality).collect();
    let rivals = keys.into_iter().filter_map(|key| {
        let namers = claims
            .iter()
            .filter(|claim| claim.municipality() == Some(key));
        let newest = namers
            .map(|claim| (claim.weight(), claim.listing.state.last_changed_at))
            .max();
        let (score, municipality) = best_named(key, claims, gazetteer)?;
        Some((score, newest, Reverse(key), municipality))
    });
    rivals
        .max_by(|one, other| (one.0, one.1, one.2).cmp(&(other.0, other.1, other.2)))
        .map(|(.., municipality)| municipality)
}

/// The municipality of this name that the evidence supports most. If the evidence does not decide between several, it is
/// an unknown one of that name.
fn best_named(
    key: &str,
    claims: &[Claim<'_>],
    gazetteer: &Gazetteer,
) -> Option<(i32, Municipality)> {
    let known = gazetteer.municipalities_named(key);
    let mut candidates: Vec<Municipality> = known
        .into_iter()
        .map(|known| Municipality::known(key, known, gazetteer))
        .collect();
    if candidates.is_empty() || gazetteer.may_have_namesakes(key) {
        let agreeing = claims
            .iter()
            .filter(|claim| claim.municipality() == Some(key));
        let stated: BTreeSet<District> = agreeing.filter_map(|claim| claim.district).collect();
        let new = stated
            .into_iter()
            .filter(|stated| !candidates.iter().any(|one| one.district == Some(*stated)))
            .map(|stated| Municipality::unknown(key, Some(stated)));
        let mut new: Vec<Municipality> = new.collect();
        // A district's name alone means its town, not a village of that name.
        if candidates.is_empty() || District::named(key).is_none() {
            new.push(Municipality::unknown(key, None));
        }
        candidates.extend(new);
    }
    let scored: Vec<(i32, Municipality)> = candidates
        .into_iter()
        .map(|candidate| {
            let sum: i32 = claims
                .iter()
                .map(|claim| candidate.support(claim, gazetteer))
                .sum();
            let bare = candidate.known.is_none() && candidate.district.is_none();
            (sum + UNKNOWN * i32::from(bare), candidate)
        })
        .collect();
    let highest = scored.iter().map(|(score, _)| *score).max()?;
    let mut winners: Vec<(i32, Municipality)> = scored
        .into_iter()
        .filter(|(score, _)| *score == highest)
        .collect();
    let equals: Vec<Municipality> = winners.iter().map(|(_, one)| one.clone()).collect();
    if winners.len() > 1 {
        // The name of a district means its town.
        let district = District::named(key);
        winners.retain(|(_, one)| district.is_some() && one.district == district);
    }
    let winner = winners
        .pop()
        .unwrap_or_else(|| (highest, any_of(key, equals)));
    Some(winner)
}

/// An unknown municipality that may be any of these. Its pins may be where those of one of them are.
fn any_of(key: &str, equals: Vec<Municipality>) -> Municipality {
    let are_known = equals.iter().all(|one| !one.extents.is_empty());
    let extents = equals.into_iter().flat_map(|one| one.extents);
    Municipality {
        extents: extents.filter(|_| are_known).collect(),
        ..Municipality::unknown(key, None)
    }
}

/// The district of a post office that stands in the place of the municipality; `None` if it is the municipality. It is a
/// post office if all that name it state only a town and a postal code, and their postal codes, or else their pins, are
/// elsewhere in the district.
pub(super) fn district_of_post_office(
    chosen: &Municipality,
    claims: &[Claim<'_>],
    gazetteer: &Gazetteer,
) -> Option<District> {
    let namers = || {
        claims
            .iter()
            .filter(|claim| claim.municipality() == Some(chosen.key.as_str()))
    };
    let named = namers().find_map(|claim| District::named(claim.town()?));
    let district = named.or(chosen.district)?;
    let around = extent_of(district);
    let is_elsewhere = |claim: &Claim<'_>| {
        let code = claim.address.postal_code;
        let has_code = code.and_then(|code| chosen.has_postal_code(code, gazetteer));
        let by_pin = || {
            let pin = claim.facts().location?;
            Some(chosen.contains(pin) == Some(false) && around.contains(pin))
        };
        claim.is_coarse && has_code.map(|has| !has).or_else(by_pin) == Some(true)
    };
    namers().all(is_elsewhere).then_some(district)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_far_from_every_municipality_of_the_name_is_outside() {
        let at = |lat| Location { lat, lng: 15.0 };
        let known = |lat| Municipality {
            extents: vec![Extent {
                middle: at(lat),
                reach_km: 10.0,
            }],
            ..Municipality::unknown("telnice", None)
        };
        let either = any_of("telnice", vec![known(49.0), known(50.0)]);
        assert_eq!(either.contains(at(49.05)), Some(true));
        assert_eq!(either.contains(at(50.05)), Some(true));
        assert_eq!(either.contains(at(49.5)), Some(false));
        let nowhere = Municipality::unknown("telnice", None);
        let anywhere = any_of("telnice", vec![known(49.0), nowhere]);
        assert_eq!(anywhere.contains(at(49.5)), None);
    }
}
