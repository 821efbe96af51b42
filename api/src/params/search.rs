//! A whole query, read against the table, and the rules between its parameters.

use std::collections::HashMap;

use schema::Location;

use crate::cursor::Fingerprint;
use crate::index::{Codes, Criteria, Range};
use crate::params::faults::Faults;
use crate::params::nearest::nearest_name;
use crate::params::query::{Pair, TOKEN, Undecodable, pairs};
use crate::params::table::{DEFAULT_LIMIT, DEFAULT_RADIUS, Field, Kind, Param, SEARCH};
use crate::params::value::{Value, accepts, read, refusal, shown};

/// What a centre is sent by: the first two, or the last.
const CENTRE: [Field; 3] = [Field::Lat, Field::Lng, Field::Address];

/// Unknown parameters whose entries list every accepted name; those of further ones point at them, so that thousands of
/// names are not answered with thousands of lists.
const LISTED: usize = 16;

/// Around what a search looks.
#[derive(Debug, Clone, PartialEq)]
pub enum Centre {
    /// A point.
    Point(Location),
    /// An address that is still to be found on the map.
    Address(String),
}

/// A search as a client asked for it.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchParams {
    /// The filters that need no further look-up.
    pub criteria: Criteria,
    /// The centre, where one was given.
    pub centre: Option<Centre>,
    /// Metres around the centre.
    pub radius_meters: f64,
    /// Whether listings that are no longer live were asked for.
    pub include_inactive: bool,
    /// Offers a page.
    pub limit: u32,
    /// The cursor of the page before.
    pub cursor: Option<String>,
    /// What the filters are recognised by: equal for equal filters, however they are written.
    pub fingerprint: Fingerprint,
    /// Whether these are all the filters that were meant: no fault concerns anything but the page.
    pub filters_are_read: bool,
}

/// Reads the query of a search, as far as it can be read, and every fault of it, one entry per parameter. `is_cursor`
/// says whether a text is a cursor of this service.
pub fn search(query: &str, is_cursor: impl Fn(&str) -> bool) -> (SearchParams, Faults) {
    let mut faults = Faults::default();
    let sent = Sent::read(query, &SEARCH, &mut faults);
    if let Some(text) = sent.text(Field::Cursor).filter(|text| !is_cursor(text)) {
        faults.add(Field::Cursor.name(), refusal(Kind::Cursor, &text));
    }
    check_ranges(&sent, &mut faults);
    check_centre(&sent, &mut faults);
    let params = SearchParams {
        criteria: sent.criteria(),
        centre: sent.centre(),
        radius_meters: sent.number(Field::RadiusMeters).unwrap_or(DEFAULT_RADIUS),
        include_inactive: sent.value(Field::IncludeInactive) == Some(&Value::Boolean(true)),
        limit: match sent.value(Field::Limit) {
            Some(Value::Integer(limit)) => *limit,
            _ => DEFAULT_LIMIT,
        },
        cursor: sent.text(Field::Cursor),
        fingerprint: sent.fingerprint(),
        filters_are_read: faults.concern_only(&[Field::Limit.name(), Field::Cursor.name(), TOKEN]),
    };
    (params, faults)
}

/// Reads the query of a `/v1` endpoint that takes no parameter beside the token.
///
/// # Errors
/// An entry for every parameter sent.
pub fn no_parameters_but_token(query: &str) -> Result<(), Faults> {
    let mut faults = Faults::default();
    Sent::read(query, &[], &mut faults);
    faults.or(())
}

/// Reads the query of an endpoint that takes no parameter at all.
///
/// # Errors
/// An entry for every parameter sent.
pub fn no_parameters(query: &str) -> Result<(), Faults> {
    let mut faults = Faults::default();
    for pair in pairs(query) {
        faults.add(
            &pair.name,
            "unknown parameter; this endpoint takes no query parameters",
        );
    }
    faults.or(())
}

/// What a query sent, each in its place of the table.
struct Sent {
    /// Every name, with the value that it was first sent with, undecoded.
    names: HashMap<String, String>,
    values: Vec<Option<Value>>,
}

impl Sent {
    fn read(query: &str, table: &[Param], faults: &mut Faults) -> Self {
        let mut sent = Self {
            names: HashMap::new(),
            values: vec![None; SEARCH.len()],
        };
        let mut unknown_names = 0;
        for Pair { name, value, raw } in pairs(query) {
            let place = table.iter().position(|param| param.name == name);
            if place.is_none() && name != TOKEN {
                if !faults.has(&name) {
                    faults.add(&name, unknown(table, &name, unknown_names));
                    unknown_names += 1;
                }
            } else if let Some(first) = sent.raw(&name) {
                faults.replace(
                    &name,
                    &repeated(place.map(|place| table[place].kind), first, raw),
                );
            } else {
                match (value, place.map(|place| (place, table[place].kind))) {
                    // The value of a token is not repeated, and whether it is right was asked before.
                    (Err(reason), None) => faults.add(&name, format!("cannot be read: {reason}")),
                    (Ok(text), None) if text.is_empty() => {
                        faults.add(&name, "must not be empty; it accepts an API token");
                    }
                    (Ok(_), None) => {}
                    (Err(reason), Some((_, kind))) => {
                        faults.add(&name, undecodable(kind, raw, reason))
                    }
                    (Ok(text), Some((place, kind))) => match read(kind, &text) {
                        Ok(value) => sent.values[place] = Some(value),
                        Err(message) => faults.add(&name, message),
                    },
                }
            }
            sent.names
                .entry(name.into_owned())
                .or_insert_with(|| raw.to_owned());
        }
        sent
    }

    fn has(&self, field: Field) -> bool {
        self.raw(field.name()).is_some()
    }

    /// What a parameter was first sent with, undecoded.
    fn raw(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    fn value(&self, field: Field) -> Option<&Value> {
        self.values.get(field as usize).and_then(Option::as_ref)
    }

    fn code(&self, field: Field) -> Option<u8> {
        match self.value(field) {
            Some(Value::Code(code)) => Some(*code),
            _ => None,
        }
    }

    fn text(&self, field: Field) -> Option<String> {
        match self.value(field) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    fn number(&self, field: Field) -> Option<f64> {
        match self.value(field) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    fn range(&self, min: Field, max: Field) -> Range {
        Range {
            min: self.number(min),
            max: self.number(max),
        }
    }

    fn centre(&self) -> Option<Centre> {
        match (self.number(Field::Lat), self.number(Field::Lng)) {
            (Some(lat), Some(lng)) => Some(Centre::Point(Location { lat, lng })),
            _ => self.text(Field::Address).map(Centre::Address),
        }
    }

    fn criteria(&self) -> Criteria {
        Criteria {
            codes: Codes {
                offer_type: self.code(Field::OfferType),
                property_type: self.code(Field::Type),
                subtype: self.code(Field::Subtype),
                arrangement: self.code(Field::Arrangement),
                equipment: self.code(Field::Equipment),
                ownership: self.code(Field::Ownership),
                property_state: self.code(Field::PropertyState),
                building_type: self.code(Field::BuildingType),
            },
            district: self.text(Field::District),
            neighborhood: self.text(Field::Neighborhood),
            price: self.range(Field::PriceMin, Field::PriceMax),
            living_area: self.range(Field::LivingAreaMin, Field::LivingAreaMax),
            land_area: self.range(Field::LandAreaMin, Field::LandAreaMax),
            floor: self.range(Field::FloorMin, Field::FloorMax),
            floor_count: self.range(Field::FloorCountMin, Field::FloorCountMax),
        }
    }

    /// The hash of everything that decides which offers a walk shows, in the table's order. A parameter sent with its
    /// default counts as not sent.
    fn fingerprint(&self) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        for (param, value) in SEARCH.iter().zip(&self.values) {
            let walk = [Field::Limit.name(), Field::Cursor.name()].contains(&param.name);
            let default = param.default.and_then(|text| read(param.kind, text).ok());
            let Some(value) = value
                .as_ref()
                .filter(|value| !walk && default.as_ref() != Some(value))
            else {
                continue;
            };
            hasher.update(param.name.as_bytes()).update(&[0]);
            match value {
                Value::Code(code) => hasher.update(&[*code]),
                Value::Number(number) => hasher.update(&number.to_be_bytes()),
                Value::Integer(number) => hasher.update(&number.to_be_bytes()),
                Value::Boolean(truth) => hasher.update(&[u8::from(*truth)]),
                Value::Text(text) => hasher
                    .update(&(text.len() as u64).to_be_bytes())
                    .update(text.as_bytes()),
            };
        }
        let mut fingerprint = [0; 16];
        hasher.finalize_xof().fill(&mut fingerprint);
        fingerprint
    }
}

/// Of a parameter of `kind`, or of the token, sent as `first` and again as `again`, both undecoded.
fn repeated(kind: Option<Kind>, first: &str, again: &str) -> String {
    match kind {
        None => "was sent more than once; send it once".to_owned(),
        Some(kind) => format!(
            "was sent more than once, as {} and as {}; send it once: it accepts {}",
            shown(first),
            shown(again),
            accepts(kind)
        ),
    }
}

fn undecodable(kind: Kind, raw: &str, reason: Undecodable) -> String {
    format!(
        "cannot be read, for {reason}; it was sent as {} and accepts {}",
        shown(raw),
        accepts(kind)
    )
}

/// Of a parameter that is not in the table, before which `unknown_names` others were not.
fn unknown(table: &[Param], name: &str, unknown_names: usize) -> String {
    if table.is_empty() {
        return format!("unknown parameter; this endpoint takes no query parameter but {TOKEN}");
    }
    let accepted = if unknown_names < LISTED {
        let names: Vec<&str> = table
            .iter()
            .map(|param| param.name)
            .chain([TOKEN])
            .collect();
        names.join(", ")
    } else {
        "those listed above".to_owned()
    };
    format!(
        "unknown parameter; the nearest is {}; accepted are {accepted}",
        nearest_name(name)
    )
}

fn check_ranges(sent: &Sent, faults: &mut Faults) {
    for (min, max) in [
        (Field::PriceMin, Field::PriceMax),
        (Field::LivingAreaMin, Field::LivingAreaMax),
        (Field::LandAreaMin, Field::LandAreaMax),
        (Field::FloorMin, Field::FloorMax),
        (Field::FloorCountMin, Field::FloorCountMax),
    ] {
        let (Some(least), Some(greatest)) = (sent.number(min), sent.number(max)) else {
            continue;
        };
        if least > greatest {
            let of_least = format!(
                "must not be greater than {}: {least} > {greatest}",
                max.name()
            );
            faults.add(min.name(), format!("{of_least}; the nearest is {greatest}"));
            let of_greatest = format!("must not be less than {}: {greatest} < {least}", min.name());
            faults.add(max.name(), format!("{of_greatest}; the nearest is {least}"));
        }
    }
}

fn check_centre(sent: &Sent, faults: &mut Faults) {
    let (lat, lng, address) = (
        sent.has(Field::Lat),
        sent.has(Field::Lng),
        sent.has(Field::Address),
    );
    if address && (lat || lng) {
        let sent: Vec<&str> = CENTRE
            .into_iter()
            .filter(|field| sent.has(*field))
            .map(Field::name)
            .collect();
        let message = format!(
            "{} were sent together; send either address, or lat and lng",
            sent.join(", ")
        );
        for name in sent {
            faults.add(name, message.as_str());
        }
    } else if lat != lng {
        let (missing, other) = if lat {
            (Field::Lng, Field::Lat)
        } else {
            (Field::Lat, Field::Lng)
        };
        let message = format!(
            "is missing: {} needs it; it accepts {}",
            other.name(),
            accepts(missing.param().kind)
        );
        faults.add(missing.name(), message);
    }
    if sent.has(Field::RadiusMeters) && !(lat || lng || address) {
        let field = Field::RadiusMeters;
        let message = format!(
            "was sent without a centre: send lat and lng, or address, with it; it accepts {}",
            accepts(field.param().kind)
        );
        faults.add(field.name(), message);
    }
}
