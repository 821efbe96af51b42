//! The parameters of an advert's page: titles and words of the list of facts that the page shows.

use schema::{Attributes, Listing};
use serde_json::{Map, Value};

use super::payload::{Choice, Parameter};
use crate::notation::area::area;
use crate::notation::floor;
use crate::notation::heating::heating;
use crate::notation::text::fold;
use crate::notation::{Meaning, words};
use crate::portals::lenient::{Field, Object, Unread, part};

/// Titles that are understood and say nothing the spec has a field for, folded.
const BESIDE_THE_SPEC: [&str; 18] = [
    "cena",
    "cesta",
    "dispozice",
    "doprava",
    "elektrina",
    "internet",
    "k dispozici od",
    "pocet pokoju",
    "plyn",
    "poplatky",
    "rok rekonstrukce",
    "rok vystavby",
    "telekomunikace",
    "typ nemovitosti",
    "umisteni objektu",
    "vodni zdroj",
    "voda",
    "vratna kauce",
];

const UNKNOWN_WORD: &str = "a word the portal was not known to use";

/// Takes the parameters over, where the advert itself does not say the same, and returns the level in the house that
/// they name: whether it counts from 0 or from 1 is for others to say.
pub fn take(
    parameters: &Field<Map<String, Value>>,
    listing: &mut Listing,
    unread: &mut Unread,
) -> Option<f64> {
    let mut level = None;
    for parameter in unread.read("parameters", parameters).unwrap_or_default().values() {
        let parameter: Parameter = part(parameter);
        let Some(title) = unread.word("parameters", &parameter.title) else { continue };
        let Some(value) = value(&parameter, unread) else { continue };
        match fold(&title).as_str() {
            "patro" => match value.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => level = Some(number),
                _ => unread.note("floor", &value, "not a floor"),
            },
            label if BESIDE_THE_SPEC.contains(&label) => {}
            label => {
                let known = described(label, &value, &mut listing.attributes, unread)
                    || measured(label, &value, listing, unread)
                    || present(label, &value, &mut listing.attributes, unread);
                if !known {
                    unread.note(&title, &value, "an attribute the portal was not known to publish");
                }
            }
        }
    }
    level
}

/// The value as the page shows it: `Ano`, `58 m²`, `septik, jímka`.
fn value(parameter: &Parameter, unread: &mut Unread) -> Option<String> {
    let choices = unread.read("parameters", &parameter.options).unwrap_or_default();
    let mut titles = Vec::new();
    for choice in &choices {
        let Some(Object(Choice { title })) = unread.read("parameters", choice) else { continue };
        titles.extend(unread.word("parameters", &title));
    }
    if !titles.is_empty() {
        return Some(titles.join(", "));
    }
    match parameter.value.get()? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if *flag { "Ano" } else { "Ne" }.to_owned()),
        _ => None,
    }
}

/// Facts in words.
fn described(label: &str, value: &str, attributes: &mut Attributes, unread: &mut Unread) -> bool {
    match label {
        "stav objektu" => {
            attributes.property_state = word("propertyState", value, words::condition, unread);
        }
        "stavba" => attributes.building_type = word("buildingType", value, words::construction, unread),
        "vlastnictvi" => attributes.ownership = word("ownership", value, words::ownership, unread),
        "vybaveni" => attributes.equipment = word("equipment", value, words::equipment, unread),
        "poloha domu" => {
            attributes.house_position =
                word("housePosition", value, words::position, unread).map(str::to_owned);
        }
        "odpad" => {
            attributes.sewerage = word("sewerage", value, words::sewerage, unread).map(str::to_owned);
        }
        "vytapeni" => match heating(value) {
            Some(heating) => {
                attributes.heating_source = heating.source.map(str::to_owned);
                attributes.heating_type = heating.kind.map(str::to_owned);
            }
            None => unread.note("heatingSource", value, UNKNOWN_WORD),
        },
        "energeticka narocnost" => attributes.energy_class = energy_class(value, unread),
        _ => return false,
    }
    true
}

fn word<T>(field: &str, value: &str, read: fn(&str) -> Option<Meaning<T>>, unread: &mut Unread) -> Option<T> {
    let meaning = read(value);
    if meaning.is_none() {
        unread.note(field, value, UNKNOWN_WORD);
    }
    meaning.and_then(Meaning::value)
}

/// The class as the page shows it, its letter first: `B - Velmi úsporná`, `G`.
fn energy_class(value: &str, unread: &mut Unread) -> Option<String> {
    let mut letters = value.trim().chars();
    let is_class = letters.next().is_some_and(|letter| ('A'..='G').contains(&letter))
        && !letters.next().is_some_and(char::is_alphabetic);
    if !is_class {
        unread.note("energyClass", value, UNKNOWN_WORD);
    }
    is_class.then(|| value.trim().to_owned())
}

/// Facts in figures. The advert's own area goes before that of its page.
fn measured(label: &str, value: &str, listing: &mut Listing, unread: &mut Unread) -> bool {
    let attributes = &mut listing.attributes;
    let (field, place) = match label {
        "uzitna plocha" => ("livingArea", &mut attributes.living_area),
        "celkova plocha" => ("totalArea", &mut listing.evidence.total_area),
        "plocha pozemku" => ("landArea", &mut attributes.land_area),
        "plocha zahrady" => ("gardenArea", &mut attributes.garden_area),
        "plocha balkonu" => ("balconyArea", &mut attributes.balcony_area),
        "plocha lodzie" => ("loggiaArea", &mut attributes.loggia_area),
        "plocha terasy" => ("terraceArea", &mut attributes.terrace_area),
        "plocha sklepa" => ("storageArea", &mut attributes.storage_area),
        "pocet podlazi" => {
            attributes.floor_count = floor::count(value);
            if attributes.floor_count.is_none() {
                unread.note("floorCount", value, "not a number of floors");
            }
            return true;
        }
        _ => return false,
    };
    match area(value).or_else(|| value.trim().parse().ok().filter(|area: &f64| area.is_finite())) {
        Some(area) if place.is_none() => *place = Some(area).filter(|area| *area != 0.0),
        Some(_) => {}
        None => unread.note(field, value, "not an area in m²"),
    }
    true
}

/// What is there and what is not, and perhaps how large it is.
fn present(label: &str, value: &str, attributes: &mut Attributes, unread: &mut Unread) -> bool {
    let (field, place) = match label {
        "balkon" => ("balcony", &mut attributes.balcony),
        "lodzie" => ("loggia", &mut attributes.loggia),
        "terasa" => ("terrace", &mut attributes.terrace),
        "sklep" => ("storage", &mut attributes.storage),
        "vytah" => ("elevator", &mut attributes.elevator),
        "garaz" => ("garage", &mut attributes.garage),
        "parkovani" => ("parking", &mut attributes.parking),
        "bazen" => ("swimmingPool", &mut attributes.swimming_pool),
        "zahrada" => ("garden", &mut attributes.garden),
        "bezbarierovy" | "bezbarierovy pristup" => ("barrierFree", &mut attributes.barrier_free),
        _ => return false,
    };
    match fold(value).as_str() {
        "ano" => *place = Some(true),
        "ne" => *place = place.or(Some(false)),
        _ => unread.note(field, value, UNKNOWN_WORD),
    }
    true
}
