//! The rows of the attribute list and the fields they fill.

use schema::{Listing, PropertyType};

use crate::notation::Meaning;
use crate::notation::area::area;
use crate::notation::floor::{self, Counting};
use crate::notation::heating::heating;
use crate::notation::text::{fold, present};
use crate::notation::words;
use crate::portals::lenient::Unread;

use super::payload::Row;

/// Labels that are understood and say nothing the spec has a field for, folded.
pub const BESIDE_THE_SPEC: &[&str] = &[
    "cena",
    "datum nastehovani",
    "dopravni dostupnost",
    "elektrina",
    "internet",
    "kolaudace",
    "lokalita objektu",
    "lokalita projektu",
    "mesicni cena energii",
    "mesicni cena parkovani",
    "mesicni poplatky za parkovani",
    "mesicni poplatky za energie",
    "obcanska vybavenost",
    "plyn",
    "pocet mistnosti",
    "pocet podzemnich podlazi",
    "provize",
    "prevod do ov",
    "pristupova komunikace",
    "pudni vestavba",
    "rekonstrukce",
    "rocni spotreba energie",
    "svazity pozemek",
    "telefon",
    "televize",
    "topne teleso",
    "typ pronajmu",
    "voda",
    "vratna kauce",
    "vystavba",
    "zastavitelna plocha",
    "zastavena plocha",
    "zdroj ohrevu vody",
    "poznamka k cene",
    "spocitej stehovani",
    "spocitej vyklizeni",
    "virtualni prohlidka",
    "energeticka narocnost",
];

const UNKNOWN_WORD: &str = "a word the portal was not known to use";
const NO_AREA: &str = "not an area in m²";

/// Takes the row's value over into the listing.
pub fn take(row: &Row, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let value = row.value.as_str();
    match fold(&row.label).trim_end_matches(':') {
        "cislo zakazky" => listing.evidence.order_code = order_code(value),
        "uzitna plocha" => measure("livingArea", value, &mut attributes.living_area, unread),
        "celkova plocha" => measure("totalArea", value, &mut listing.evidence.total_area, unread),
        "plocha pozemku" => measure("landArea", value, &mut attributes.land_area, unread),
        "plocha zahrady" => {
            measure("gardenArea", value, &mut attributes.garden_area, unread);
            attributes.garden = Some(true);
        }
        "konstrukce budovy" => {
            word("buildingType", value, &mut attributes.building_type, words::construction, unread);
        }
        // What is said of the flat counts before what is said of its house.
        "stav bytu" => {
            attributes.property_state = None;
            word("propertyState", value, &mut attributes.property_state, words::condition, unread);
        }
        "stav budovy" | "stav objektu" | "stav" => {
            word("propertyState", value, &mut attributes.property_state, words::condition, unread);
        }
        "vlastnictvi" => word("ownership", value, &mut attributes.ownership, words::ownership, unread),
        "poloha domu" => {
            let mut position = None;
            word("housePosition", value, &mut position, words::position, unread);
            attributes.house_position = position.map(str::to_owned);
        }
        "podlazi" => level(value, &mut attributes.floor, unread),
        "pocet podlazi budovy" => storeys(value, &mut attributes.floor_count, unread),
        // Of a flat it is how many storeys the flat itself has.
        "pocet podlazi" if attributes.property_type != Some(PropertyType::Apartment) => {
            storeys(value, &mut attributes.floor_count, unread);
        }
        "pocet podlazi" => {}
        "vybaveni" | "vybaveni domu" => {
            word("equipment", value, &mut attributes.equipment, words::equipment, unread);
        }
        "odpad" | "kanalizace" => {
            let mut sewerage = None;
            word("sewerage", value, &mut sewerage, words::sewerage, unread);
            attributes.sewerage = sewerage.map(str::to_owned).or(attributes.sewerage.take());
        }
        "topeni" | "zdroj vytapeni" => warmth(value, listing, unread),
        "penb" => energy_class(value, &mut attributes.energy_class, unread),
        _ => features(row, listing, unread),
    }
}

/// Rows that say that something is there, and some how large it is.
fn features(row: &Row, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let present = is_there(row);
    let size = area(&row.value);
    match fold(&row.label).trim_end_matches(':') {
        "balkon" => (attributes.balcony, attributes.balcony_area) = (present, size),
        "lodzie" => (attributes.loggia, attributes.loggia_area) = (present, size),
        "terasa" => (attributes.terrace, attributes.terrace_area) = (present, size),
        "sklep" => (attributes.storage, attributes.storage_area) = (present, size),
        "bazen" => attributes.swimming_pool = present,
        "bezbarierovy pristup" => attributes.barrier_free = present,
        "vytah" => attributes.elevator = present,
        "zahrada" => attributes.garden = present,
        "garaz" | "dvojgaraz" => attributes.garage = present,
        "parkovani" => parking(&row.value, listing, unread),
        "pocet parkovacich mist" => {
            if fold(&row.value) != "0" {
                attributes.parking = Some(true);
            }
        }
        label if BESIDE_THE_SPEC.contains(&label) => {}
        _ => unread.note(&row.label, &row.value, "an attribute the portal was not known to publish"),
    }
}

/// A tick or any words are a yes, a cross or "ne" a no, nothing at all is nothing.
fn is_there(row: &Row) -> Option<bool> {
    row.ticked.or_else(|| match fold(&row.value).as_str() {
        "" => None,
        "ne" | "neni" | "bez" => Some(false),
        _ => Some(true),
    })
}

/// The agency's number without the portal's prefix.
fn order_code(value: &str) -> Option<String> {
    present(value.trim().strip_prefix("IDNES-").unwrap_or(value))
}

fn measure(field: &str, value: &str, target: &mut Option<f64>, unread: &mut Unread) {
    match area(value) {
        Some(area) => *target = Some(area),
        None => unread.note(field, value, NO_AREA),
    }
}

fn word<T>(
    field: &str,
    value: &str,
    target: &mut Option<T>,
    read: fn(&str) -> Option<Meaning<T>>,
    unread: &mut Unread,
) {
    match read(value) {
        Some(_) if target.is_some() => {}
        Some(meaning) => *target = meaning.value(),
        None => unread.note(field, value, UNKNOWN_WORD),
    }
}

fn level(value: &str, target: &mut Option<i16>, unread: &mut Unread) {
    *target = floor::floor(value, Counting::FromOne);
    if target.is_none() {
        unread.note("floor", value, "not a floor");
    }
}

fn storeys(value: &str, target: &mut Option<i16>, unread: &mut Unread) {
    match floor::count(value) {
        Some(count) => *target = Some(count),
        None => unread.note("floorCount", value, "not a number of floors"),
    }
}

/// "Topení" and "Zdroj vytápění" say the same in different words; the first that says something counts.
fn warmth(value: &str, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    let Some(heating) = heating(value) else {
        unread.note("heatingSource", value, UNKNOWN_WORD);
        return;
    };
    if attributes.heating_source.is_none() {
        attributes.heating_source = heating.source.map(str::to_owned);
    }
    if attributes.heating_type.is_none() {
        attributes.heating_type = heating.kind.map(str::to_owned);
    }
}

/// `C (vyhl. č. 264/2020 Sb.)`: the class without the decree it was measured by.
fn energy_class(value: &str, target: &mut Option<String>, unread: &mut Unread) {
    let class = value.split('(').next().and_then(present);
    let is_class = class.as_deref().is_some_and(|class| {
        let mut letters = class.chars();
        letters.next().is_some_and(|letter| ('A'..='G').contains(&letter))
            && letters.next().is_none_or(|next| !next.is_alphabetic())
    });
    if is_class {
        *target = class;
    } else {
        unread.note("energyClass", value, UNKNOWN_WORD);
    }
}

/// A list: a garage is a garage, every other item a place to park.
fn parking(value: &str, listing: &mut Listing, unread: &mut Unread) {
    let attributes = &mut listing.attributes;
    for item in value.split(',').map(fold).filter(|item| !item.is_empty()) {
        if item.contains("garaz") {
            attributes.garage = Some(true);
        } else if item.contains("park") || item.contains("stani") {
            attributes.parking = Some(true);
        } else {
            unread.note("parking", &item, UNKNOWN_WORD);
        }
    }
}
