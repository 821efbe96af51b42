//! VFR, the registry's exchange format in XML: names in all cases, definition points, what lies in what, and the
//! generalised boundaries of regions and districts.
//!
//! Address places are read from the tables only, where each is one row; in VFR an address place refers to a building
//! and the building to a quarter. A file is read as a stream, because one of the whole state can be gigabytes long.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::table::{parse_date, parse_number};
use super::{FileName, Reading};
use crate::registry::draft::{Declension, Kind, Statement};
use crate::registry::krovak::GridPoint;
use crate::registry::outline::{Outline, OutlineKind};
use crate::registry::place::PackedLocation;

/// Longer texts are not kept: nothing that is read here is as long.
const LONGEST_TEXT: usize = 200;
/// Longer rings are not kept either. The longest published one has less than a hundredth of it.
const LONGEST_RING: usize = 1 << 24;
/// The element of a boundary begins so; a number follows that says how coarse it is.
const BOUNDARY: &str = "GeneralizovaneHranice";

/// An element of `vf:Data` that is being read.
#[derive(Debug)]
struct Element {
    subject: Subject,
    /// Its `gml:id`, for messages.
    id: String,
    /// Local names of the elements that are open inside it.
    path: Vec<String>,
    code: Option<u32>,
    name: String,
    parent: Option<u32>,
    declension: Declension,
    /// The first definition point.
    position: Option<String>,
    /// The rings of its boundary.
    rings: Vec<String>,
    /// Whether it has a boundary at all.
    has_boundary: bool,
}

/// What is read of a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// Names, parent, definition point.
    Facts(Kind),
    /// The boundary.
    Boundary(OutlineKind),
}

/// What is read of a thing, by the name of its element; `None` for elements that are not read.
fn subject_of(local_name: &str) -> Option<Subject> {
    Some(match local_name {
        "Vusc" => Subject::Boundary(OutlineKind::Region),
        "Okres" => Subject::Boundary(OutlineKind::District),
        "Obec" => Subject::Facts(Kind::Municipality),
        "CastObce" => Subject::Facts(Kind::Quarter),
        "Momc" => Subject::Facts(Kind::CityPart),
        _ => return None,
    })
}

/// A VFR file being read.
struct Document<'a> {
    name: &'a FileName,
    /// The day of the file, from its name or its header.
    day: Option<u32>,
    /// Whether the root element has begun.
    begun: bool,
    /// Whether the date of the header is being read.
    in_date: bool,
    /// The element of `vf:Data` that is being read.
    element: Option<Element>,
    text: String,
}

/// Reads a VFR file, up to its first fault if it is broken.
pub(super) fn read_document(source: impl BufRead, name: &FileName) -> Reading {
    let mut reading = Reading {
        files: 1,
        ..Reading::default()
    };
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
            Ok(Event::Eof) if document.begun && document.element.is_none() => return reading,
            Ok(Event::Eof) => Err("the file ends too early".to_owned()),
            Ok(event) => document.take(&event, &mut reading),
            Err(error) => Err(format!(
                "broken XML at byte {}: {error}",
                xml.error_position()
            )),
        };
        if let Err(reason) = taken {
            reading.unreadable(name, reason);
            return reading;
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
                    self.element = open_element(start);
                } else if local_name.as_ref() == "VymennyFormat" {
                    self.begun = true;
                } else {
                    return Err(format!(
                        "the root element is {}; accepted: VymennyFormat",
                        local_name.as_ref()
                    ));
                }
            }
            Event::Text(part) if self.element.is_some() || self.in_date => self.append(part),
            Event::GeneralRef(reference) => match reference.as_ref() {
                // Names contain no other references.
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
        let is_ring = self.element.as_ref().is_some_and(Element::is_in_ring);
        let longest = if is_ring { LONGEST_RING } else { LONGEST_TEXT };
        if self.text.len() + part.len() <= longest {
            self.text.push_str(part);
        }
    }

    fn end(&mut self, reading: &mut Reading) {
        let text = self.text.trim();
        if self.in_date {
            self.day = Some(parse_date(text)).filter(|day| *day > 0);
            self.in_date = false;
        }
        if let Some(open) = &mut self.element {
            open.take(text);
            if open.path.pop().is_none()
                && let Some(done) = self.element.take()
            {
                finish(done, self.day.unwrap_or(0), self.name, reading);
            }
        }
        self.text.clear();
    }
}

fn open_element(start: &BytesStart<'_>) -> Option<Element> {
    let subject = subject_of(start.local_name().as_ref())?;
    // A mere reference to a thing has no id.
    let id = start.try_get_attribute("gml:id").ok().flatten()?;
    Some(Element {
        subject,
        id: id.value.into_owned(),
        path: Vec::new(),
        code: None,
        name: String::new(),
        parent: None,
        declension: Declension::default(),
        position: None,
        rings: Vec::new(),
        has_boundary: false,
    })
}

impl Element {
    /// Whether the text of a ring is being read, which may be long.
    fn is_in_ring(&self) -> bool {
        let is_boundary = |name: &String| name.starts_with(BOUNDARY);
        matches!(self.subject, Subject::Boundary(_)) && self.path.get(1).is_some_and(is_boundary)
    }

    /// Takes the text of the innermost open element.
    fn take(&mut self, text: &str) {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        match (path.as_slice(), self.subject) {
            (["Kod"], _) => self.code = parse_number(text).filter(|code| *code > 0),
            (["Nazev"], _) => text.clone_into(&mut self.name),
            (["Okres", "Kod"], Subject::Facts(Kind::Municipality))
            | (["Obec", "Kod"], Subject::Facts(Kind::Quarter | Kind::CityPart)) => {
                self.parent = parse_number(text);
            }
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
            (["Geometrie", boundary, rest @ ..], Subject::Boundary(_))
                if boundary.starts_with(BOUNDARY) =>
            {
                self.has_boundary = true;
                if let [.., "LinearRing", "posList"] = rest {
                    self.rings.push(text.to_owned());
                }
            }
            _ => {}
        }
    }
}

/// Adds what an element states to the draft. Problems are reported with its id.
fn finish(element: Element, day: u32, name: &FileName, reading: &mut Reading) {
    let Some(code) = element.code else {
        let reason = "its Kod is missing; accepted: a whole number above 0";
        return reading.bad_element(name, &element.id, &reason);
    };
    let kind = match element.subject {
        Subject::Facts(kind) => kind,
        Subject::Boundary(kind) => {
            return finish_boundary(&element, (kind, code), day, name, reading);
        }
    };
    let position = element.position.as_deref().map(parse_position);
    let position = position.transpose().unwrap_or_else(|reason| {
        reading.bad_element(name, &element.id, &reason);
        None
    });
    let is_declined = element.declension.iter().any(|form| !form.is_empty());
    let statement = Statement {
        name: element.name.into(),
        parent: element.parent,
        declension: is_declined.then_some(element.declension),
        position,
    };
    reading.draft.state(kind, code, day, statement);
}

/// Adds the boundary of an element. Only some of the published files have boundaries.
fn finish_boundary(
    element: &Element,
    thing: (OutlineKind, u32),
    day: u32,
    name: &FileName,
    reading: &mut Reading,
) {
    if !element.has_boundary {
        return;
    }
    let outline = if element.rings.is_empty() {
        Err("its boundary has no gml:posList in a gml:LinearRing; import the file as ČÚZK publishes it".to_owned())
    } else {
        Outline::from_rings(thing, day, &element.rings)
    };
    match outline {
        Ok(outline) => reading.draft.add_outline(outline),
        Err(reason) => reading.bad_element(name, &element.id, &reason),
    }
}

fn parse_position(text: &str) -> Result<PackedLocation, String> {
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
