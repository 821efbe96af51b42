//! VFR, the registry's exchange format in XML: names in all cases, definition points, and what lies in what.
//!
//! Address places are left to the tables, which have them whole; here a place points at a building, which points at a
//! part of the municipality. A file of the whole state is gigabytes, so it is read as a stream.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::table::{date, number};
use super::{FileName, Reading};
use crate::registry::draft::{Declension, Kind};
use crate::registry::krovak::GridPoint;
use crate::registry::place::PackedLocation;

/// Texts longer than any that is read here are not kept.
const LONGEST_TEXT: usize = 200;

/// One element of `vf:Data`, as far as it was read.
#[derive(Debug)]
struct Element {
    kind: Kind,
    /// Its `gml:id`, for messages.
    id: String,
    /// Local names of the elements that are open inside it.
    path: Vec<String>,
    code: Option<u32>,
    name: String,
    parent: Option<u32>,
    region: Option<u32>,
    declension: Declension,
    /// The first definition point.
    position: Option<String>,
}

/// The kinds that are read. Their elements carry a `gml:id`; what only refers to one of them does not.
fn kind(local_name: &str) -> Option<Kind> {
    Some(match local_name {
        "Vusc" => Kind::Region,
        "Okres" => Kind::District,
        "Obec" => Kind::Municipality,
        "CastObce" => Kind::Quarter,
        "Momc" => Kind::CityPart,
        _ => return None,
    })
}

/// A VFR file being read.
struct Document<'a> {
    name: &'a FileName,
    /// The day of the file, by its name or its head.
    day: Option<u32>,
    /// Whether the root element has begun.
    begun: bool,
    /// Whether the text of the head's date is being read.
    in_date: bool,
    /// The element of `vf:Data` that is open.
    element: Option<Element>,
    text: String,
}

/// Reads a VFR file to its end, or to where it breaks off.
pub(super) fn read(source: impl BufRead, name: &FileName, reading: &mut Reading) {
    let mut xml = Reader::from_reader(source);
    let mut document = Document {
        name,
        day: name.date,
        begun: false,
        in_date: false,
        element: None,
        text: String::new(),
    };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let taken = match xml.read_event_into(&mut buffer) {
            Ok(Event::Eof) if document.begun && document.element.is_none() => return,
            Ok(Event::Eof) => Err("the file breaks off".to_owned()),
            Ok(event) => document.take(&event, reading),
            Err(error) => Err(format!(
                "broken XML at byte {}: {error}",
                xml.error_position()
            )),
        };
        if let Err(reason) = taken {
            return reading.unreadable(&name.shown, reason);
        }
    }
}

impl Document<'_> {
    fn take(&mut self, event: &Event<'_>, reading: &mut Reading) -> Result<(), String> {
        match event {
            Event::Start(start) => {
                self.text.clear();
                let local_name = start.local_name();
                if let Some(element) = &mut self.element {
                    element.path.push(local_name.as_ref().to_owned());
                } else if self.begun {
                    self.in_date = self.day.is_none() && local_name.as_ref() == "Datum";
                    self.element = begin(start);
                } else if local_name.as_ref() == "VymennyFormat" {
                    self.begun = true;
                } else {
                    return Err(format!(
                        "the root element is {}, not VymennyFormat",
                        local_name.as_ref()
                    ));
                }
            }
            Event::Text(part) if self.element.is_some() || self.in_date => self.append(part),
            Event::GeneralRef(reference) => match reference.as_ref() {
                // Names hold no other references than these.
                "amp" => self.append("&"),
                "apos" => self.append("'"),
                "quot" => self.append("\""),
                _ => {}
            },
            Event::End(_) => self.end(reading),
            _ => {}
        }
        Ok(())
    }

    fn append(&mut self, part: &str) {
        if self.text.len() + part.len() <= LONGEST_TEXT {
            self.text.push_str(part);
        }
    }

    fn end(&mut self, reading: &mut Reading) {
        let text = self.text.trim();
        if self.in_date {
            self.day = Some(date(text)).filter(|day| *day > 0);
            self.in_date = false;
        }
        if let Some(open) = &mut self.element {
            open.take(text);
            if open.path.pop().is_none()
                && let Some(done) = self.element.take()
            {
                conclude(done, self.day.unwrap_or(0), self.name, reading);
            }
        }
        self.text.clear();
    }
}

fn begin(start: &BytesStart<'_>) -> Option<Element> {
    let kind = kind(start.local_name().as_ref())?;
    let id = start.try_get_attribute("gml:id").ok().flatten()?;
    Some(Element {
        kind,
        id: id.value.into_owned(),
        path: Vec::new(),
        code: None,
        name: String::new(),
        parent: None,
        region: None,
        declension: Declension::default(),
        position: None,
    })
}

impl Element {
    /// Takes the text of the innermost open element.
    fn take(&mut self, text: &str) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (path.as_slice(), self.kind) {
            (["Kod"], _) => self.code = number(text).filter(|code| *code > 0),
            (["Nazev"], _) => text.clone_into(&mut self.name),
            (["Okres", "Kod"], Kind::Municipality)
            | (["Obec", "Kod"], Kind::Quarter | Kind::CityPart)
            | (["Vusc", "Kod"], Kind::District) => self.parent = number(text),
            (["Vusc", "Kod"], Kind::Municipality) => self.region = number(text),
            (["MluvnickeCharakteristiky", case], _) => {
                let place = ["Pad2", "Pad3", "Pad4", "Pad6", "Pad7"]
                    .iter()
                    .position(|name| name == case);
                if let Some(form) = place.and_then(|at| self.declension.get_mut(at)) {
                    *form = text.into();
                }
            }
            (["Geometrie", "DefinicniBod", .., "pos"], _) if self.position.is_none() => {
                self.position = Some(text.to_owned());
            }
            _ => {}
        }
    }
}

/// Says what an element told, which ended on this line of thought: bad values are named by its id.
fn conclude(element: Element, day: u32, name: &FileName, reading: &mut Reading) {
    let Some(code) = element.code else {
        return reading.bad_element(
            &name.shown,
            &element.id,
            &"it has no Kod, a whole number above 0",
        );
    };
    let kind = element.kind;
    reading.draft.name(kind, code, day, &element.name);
    if let Some(parent) = element.parent {
        reading.draft.parent(kind, code, day, parent);
    }
    if let Some(region) = element.region {
        reading.draft.region(code, day, region);
    }
    if element.declension.iter().any(|form| !form.is_empty()) {
        reading
            .draft
            .declension(kind, code, day, element.declension);
    }
    match element.position.as_deref().map(position) {
        Some(Ok(position)) => reading.draft.position(kind, code, day, position),
        Some(Err(reason)) => reading.bad_element(&name.shown, &element.id, &reason),
        None => {}
    }
}

fn position(text: &str) -> Result<PackedLocation, String> {
    let numbers: Vec<f64> = text
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect();
    let [easting, northing] = numbers.as_slice() else {
        return Err(format!(
            "its definition point is {text:?}; accepted: easting and northing in metres"
        ));
    };
    let point =
        GridPoint::from_easting_northing(*easting, *northing).map_err(|error| error.to_string())?;
    Ok(PackedLocation::pack(Some(point.to_wgs84())))
}
