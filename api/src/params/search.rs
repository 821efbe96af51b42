//! A whole query, read against the table, and the rules between its parameters.

use schema::Location;

use crate::cursor::Fingerprint;
use crate::index::{Codes, Criteria, Range};
use crate::params::faults::Faults;
use crate::params::query::{Pair, TOKEN, pairs};
use crate::params::table::{DEFAULT_LIMIT, DEFAULT_RADIUS, Field, Kind, Param, SEARCH};
use crate::params::value::{Value, accepts, nearest, read};

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
    if sent.text(Field::Cursor).is_some_and(|text| !is_cursor(&text)) {
        faults.add(Field::Cursor.name(), format!("is not valid here; it accepts {}", accepts(Kind::Cursor)));
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
        faults.add(&pair.name, "unknown parameter; this endpoint takes no query parameters");
    }
    faults.or(())
}

/// What a query sent, each in its place of the table.
struct Sent {
    names: Vec<String>,
    values: Vec<Option<Value>>,
}

impl Sent {
    fn read(query: &str, table: &[Param], faults: &mut Faults) -> Self {
        let mut sent = Self { names: Vec::new(), values: vec![None; SEARCH.len()] };
        for Pair { name, value } in pairs(query) {
            let repeated = sent.names.iter().any(|earlier| *earlier == name);
            let place = table.iter().position(|param| param.name == name);
            if place.is_none() && name != TOKEN {
                faults.add(&name, unknown(table, &name));
            } else if repeated {
                faults.replace(&name, "was sent more than once; send it once");
            } else {
                match (value, place) {
                    (Err(reason), _) => faults.add(&name, format!("cannot be read: {reason}")),
                    (Ok(text), Some(place)) => match read(table[place].kind, &text) {
                        Ok(value) => sent.values[place] = Some(value),
                        Err(message) => faults.add(&name, message),
                    },
                    // The value of a token is not repeated, and whether it is right was asked before.
                    (Ok(text), None) if text.is_empty() => faults.add(&name, "must not be empty"),
                    (Ok(_), None) => {}
                }
            }
            sent.names.push(name.into_owned());
        }
        sent
    }

    fn has(&self, field: Field) -> bool {
        self.names.iter().any(|name| name == field.name())
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
        Range { min: self.number(min), max: self.number(max) }
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
            let Some(value) = value.as_ref().filter(|value| !walk && default.as_ref() != Some(value)) else {
                continue;
            };
            hasher.update(param.name.as_bytes()).update(&[0]);
            match value {
                Value::Code(code) => hasher.update(&[*code]),
                Value::Number(number) => hasher.update(&number.to_be_bytes()),
                Value::Integer(number) => hasher.update(&number.to_be_bytes()),
                Value::Boolean(truth) => hasher.update(&[u8::from(*truth)]),
                Value::Text(text) => {
                    hasher.update(&(text.len() as u64).to_be_bytes()).update(text.as_bytes())
                }
            };
        }
        let mut fingerprint = [0; 16];
        hasher.finalize_xof().fill(&mut fingerprint);
        fingerprint
    }
}

fn unknown(table: &[Param], name: &str) -> String {
    if table.is_empty() {
        return format!("unknown parameter; this endpoint takes no query parameter but {TOKEN}");
    }
    let names: Vec<&str> = table.iter().map(|param| param.name).chain([TOKEN]).collect();
    let nearest = nearest(names.iter().copied(), name, 0.0).unwrap_or_default();
    format!("unknown parameter; the nearest is {nearest}; accepted are {}", names.join(", "))
}

fn check_ranges(sent: &Sent, faults: &mut Faults) {
    for (min, max) in [
        (Field::PriceMin, Field::PriceMax),
        (Field::LivingAreaMin, Field::LivingAreaMax),
        (Field::LandAreaMin, Field::LandAreaMax),
        (Field::FloorMin, Field::FloorMax),
        (Field::FloorCountMin, Field::FloorCountMax),
    ] {
        let (Some(least), Some(greatest)) = (sent.number(min), sent.number(max)) else { continue };
        if least > greatest {
            faults.add(min.name(), format!("must not be greater than {}: {least} > {greatest}", max.name()));
            faults.add(max.name(), format!("must not be less than {}: {greatest} < {least}", min.name()));
        }
    }
}

fn check_centre(sent: &Sent, faults: &mut Faults) {
    let (lat, lng, address) = (sent.has(Field::Lat), sent.has(Field::Lng), sent.has(Field::Address));
    if address && (lat || lng) {
        for field in [Field::Lat, Field::Lng, Field::Address].into_iter().filter(|field| sent.has(*field)) {
            faults.add(field.name(), "send either address, or lat and lng: not both");
        }
    } else if lat != lng {
        let (missing, other) = if lat { (Field::Lng, Field::Lat) } else { (Field::Lat, Field::Lng) };
        let message =
            format!("is missing: {} needs it; it accepts {}", other.name(), accepts(missing.param().kind));
        faults.add(missing.name(), message);
    }
    if sent.has(Field::RadiusMeters) && !(lat || lng || address) {
        faults.add(Field::RadiusMeters.name(), "needs a centre: send lat and lng, or address, with it");
    }
}
