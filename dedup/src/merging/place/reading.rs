//! The value that a field of one listing means.

use czech::fold_name;
use czech::names::{place_key, street_key};
use czech::numbered_parts::CityDistrict;
use gazetteer::{District, Gazetteer, KnownMunicipality, PostalCode};

use super::claim::Claim;
use super::municipality::Municipality;
use super::{AppliedRule, PlaceRule};

/// How precise the name of a quarter is.
const NUMBERED_DISTRICT: u32 = 0;
const UNKNOWN_QUARTER: u32 = 1;
const IN_THE_ADDRESS: u32 = 4;
const OFFICIAL: u32 = 5;

/// A value, and the text that the listing published for it.
#[derive(Debug)]
pub(super) struct Reading<T> {
    /// The value.
    pub value: T,
    /// The published text.
    pub published: String,
    /// How precise the value is, compared with other values of the field.
    pub precision: u32,
    /// The rule by which the value differs from the text.
    pub changed: Option<AppliedRule>,
}

impl Reading<String> {
    /// The published text itself.
    pub fn as_published(published: String) -> Self {
        Self {
            value: published.clone(),
            precision: 0,
            changed: None,
            published,
        }
    }

    fn new(value: &str, published: &str, precision: u32, rule: PlaceRule) -> Self {
        Self {
            value: value.to_owned(),
            published: published.to_owned(),
            precision,
            changed: (value != published).then(|| rule.applied_to(published)),
        }
    }
}

/// The rule by which a name became another one.
fn rule_between(value: &str, published: &str) -> PlaceRule {
    if fold_name(value) == fold_name(published) {
        PlaceRule::OfficialSpelling
    } else {
        PlaceRule::NamedPlace
    }
}

/// How carefully a name is written: in capitals, without diacritics, with diacritics.
fn care(name: &str) -> u32 {
    let mut letters = name.chars().filter(|c| c.is_alphabetic()).peekable();
    if letters.peek().is_some() && !name.chars().any(char::is_lowercase) {
        0
    } else if name.is_ascii() {
        1
    } else {
        2
    }
}

/// The name of the municipality. `official` is its official name.
pub(super) fn city(
    claim: &Claim<'_>,
    municipality: &Municipality,
    official: Option<&str>,
) -> Option<Reading<String>> {
    let published = claim.facts().city.as_deref()?;
    let named = claim.municipality.as_ref()?;
    if named.key != municipality.key {
        return None;
    }
    let value = official.unwrap_or(&named.written);
    let precision = care(&named.written);
    let rule = rule_between(value, published);
    Some(Reading::new(value, published, precision, rule))
}

/// The city if the listing names no municipality: the published text, unless it is a district.
pub(super) fn unread_city(claim: &Claim<'_>) -> Option<Reading<String>> {
    let published = claim.facts().city.clone()?;
    District::named(&published)
        .is_none()
        .then(|| Reading::as_published(published))
}

/// The district, in its official spelling: as stated, or else from the field for the city, where some portals put it.
pub(super) fn district(claim: &Claim<'_>) -> Option<Reading<String>> {
    if let Some(published) = claim.facts().district.clone() {
        let known = claim.district;
        return Some(Reading {
            value: known.map_or_else(|| published.clone(), |known| known.name().to_owned()),
            precision: 2 * u32::from(known.is_some()),
            changed: None,
            published,
        });
    }
    let published = claim.facts().city.as_deref()?;
    let known = District::named(published).filter(|_| claim.may_name_a_district())?;
    Some(Reading {
        value: known.name().to_owned(),
        published: published.to_owned(),
        precision: 1,
        changed: Some(PlaceRule::OtherField.applied_to(published)),
    })
}

/// The region, in its official spelling.
pub(super) fn region(claim: &Claim<'_>) -> Option<Reading<String>> {
    let published = claim.facts().region.clone()?;
    Some(Reading {
        value: claim
            .region
            .map_or_else(|| published.clone(), |region| region.name().to_owned()),
        precision: u32::from(claim.region.is_some()),
        changed: None,
        published,
    })
}

/// The quarter: official if the gazetteer knows it. If the listing states none, the address line or the field for the
/// city may name an official one.
pub(super) fn quarter(
    claim: &Claim<'_>,
    of: Option<KnownMunicipality>,
    gazetteer: &Gazetteer,
) -> Option<Reading<String>> {
    let official = |text: &str| gazetteer.official_quarter(of?, text);
    let Some(published) = claim.facts().neighborhood.as_deref() else {
        let named = claim.address.quarter.as_ref()?;
        let value = official(&named.written).filter(|name| {
            !is_numbered(name) && claim.municipality() != Some(place_key(name).as_str())
        })?;
        return Some(Reading {
            precision: IN_THE_ADDRESS,
            changed: Some(PlaceRule::OtherField.applied_to(&named.written)),
            published: named.written.clone(),
            value,
        });
    };
    if let Some(name) = official(published) {
        let precision = if is_numbered(&name) {
            NUMBERED_DISTRICT
        } else {
            OFFICIAL
        };
        let rule = rule_between(&name, published);
        return Some(Reading::new(&name, published, precision, rule));
    }
    let last = published.rsplit(" - ").next().unwrap_or(published).trim();
    let precision = if is_numbered(published) {
        NUMBERED_DISTRICT
    } else {
        UNKNOWN_QUARTER + care(published)
    };
    let rule = PlaceRule::NamedPlace;
    Some(Reading::new(last, published, precision, rule))
}

/// Whether a name is that of a numbered city district: `Praha 5`.
fn is_numbered(name: &str) -> bool {
    CityDistrict::parse_prefix(&place_key(name)).is_some_and(|(_, rest)| rest.is_empty())
}

/// The street without house number and without the word `ulice`: official if the gazetteer knows it.
pub(super) fn street(
    claim: &Claim<'_>,
    of: Option<KnownMunicipality>,
    gazetteer: &Gazetteer,
) -> Option<Reading<String>> {
    let published = claim.facts().street.as_deref()?;
    let read = claim.address.street.as_ref();
    let written = read.map_or(published, |street| &street.written);
    let Some(official) = of.and_then(|of| gazetteer.official_street(of, written)) else {
        let rule = PlaceRule::NamedPlace;
        return Some(Reading::new(written, published, care(written), rule));
    };
    // The registry abbreviates some names; the full one that a portal writes is better.
    let is_fuller = official.contains('.') && !written.contains('.') && care(written) == 2;
    let value = if is_fuller { written } else { official };
    let rule = if street_key(value) == street_key(published) && value == official {
        PlaceRule::OfficialSpelling
    } else {
        PlaceRule::NamedPlace
    };
    Some(Reading::new(value, published, 3, rule))
}

/// The postal code in its usual form, unless it is known to be that of another municipality. A listing that names
/// another municipality gives one only if it is known to be of this one, or if it may mean the district.
pub(super) fn postal_code(
    claim: &Claim<'_>,
    municipality: Option<&Municipality>,
    gazetteer: &Gazetteer,
) -> Option<Reading<String>> {
    let published = claim.facts().postal_code.as_deref()?;
    let agrees = municipality.is_none_or(|one| one.agrees_with(claim) || one.may_be_near(claim));
    let Some(code) = PostalCode::parse(published) else {
        return agrees.then(|| Reading::as_published(published.to_owned()));
    };
    let belongs = municipality.and_then(|one| one.has_postal_code(code, gazetteer));
    let precision = match belongs {
        Some(true) => 2,
        None if agrees => 1,
        _ => return None,
    };
    let rule = PlaceRule::UsualForm;
    Some(Reading::new(&code.to_string(), published, precision, rule))
}
