//! The address tables: a file for each municipality, a row for each address place, 19 columns.

use std::collections::{BTreeMap, HashSet};

use super::table::{Header, Table, field, parse_date, parse_number};
use super::{FileName, Reading};
use crate::address::PostalCode;
use crate::registry::draft::{self, Kind, Row, Statement};
use crate::registry::krovak::{GridError, GridPoint};
use crate::registry::place::{
    BuildingNumber, OrientationNumber, PackedBuilding, PackedLocation, PackedOrientation,
};

/// Whether a table with these columns is an address table.
pub(super) fn is_address_table(header: &Header) -> bool {
    header.has("kod adm") && header.has("cislo domovni")
}

/// The position of each column. Tables from before 2020 call the old districts of Prague MOP.
struct Columns {
    code: Option<usize>,
    municipality: Option<usize>,
    municipality_name: Option<usize>,
    city_part: Option<usize>,
    city_part_name: Option<usize>,
    prague_district_name: Option<usize>,
    quarter: Option<usize>,
    quarter_name: Option<usize>,
    street: Option<usize>,
    street_name: Option<usize>,
    kind: Option<usize>,
    building: Option<usize>,
    orientation: Option<usize>,
    letter: Option<usize>,
    postal_code: Option<usize>,
    y: Option<usize>,
    x: Option<usize>,
    valid_from: Option<usize>,
}

/// The columns that every row of addresses needs.
const REQUIRED: [&str; 8] = [
    "kod adm",
    "kod obce",
    "nazev obce",
    "kod casti obce",
    "nazev casti obce",
    "typ so",
    "cislo domovni",
    "psc",
];

impl Columns {
    fn find(header: &Header) -> Result<Self, String> {
        if let Some(missing) = REQUIRED.iter().find(|name| !header.has(name)) {
            return Err(format!(
                "the column {missing:?} is missing; the table has {}",
                header.shown()
            ));
        }
        let column = |name| header.column(&[name]);
        Ok(Self {
            code: column("kod adm"),
            municipality: column("kod obce"),
            municipality_name: column("nazev obce"),
            city_part: column("kod momc"),
            city_part_name: column("nazev momc"),
            prague_district_name: header.column(&["nazev obvodu prahy", "nazev mop"]),
            quarter: column("kod casti obce"),
            quarter_name: column("nazev casti obce"),
            street: column("kod ulice"),
            street_name: column("nazev ulice"),
            kind: column("typ so"),
            building: column("cislo domovni"),
            orientation: column("cislo orientacni"),
            letter: column("znak cisla orientacniho"),
            postal_code: column("psc"),
            y: column("souradnice y"),
            x: column("souradnice x"),
            valid_from: column("plati od"),
        })
    }
}

/// Why a row, or a value of a row, was left out.
#[derive(Debug, thiserror::Error)]
enum RowError {
    #[error("the row has {found} fields, the header {expected}")]
    Fields { found: usize, expected: usize },
    #[error("{column} is {value:?}; accepted: {accepted}")]
    Value {
        column: &'static str,
        value: String,
        accepted: &'static str,
    },
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error("Kód ADM {code} occurs twice in this file; the first row counts")]
    Twice { code: u32 },
}

fn invalid(column: &'static str, value: &str, accepted: &'static str) -> RowError {
    RowError::Value {
        column,
        value: value.chars().take(40).collect(),
        accepted,
    }
}

/// What the rows of one municipality hold.
#[derive(Default)]
struct MunicipalityRows {
    rows: Vec<Row>,
    streets: BTreeMap<u32, Box<str>>,
    name: Box<str>,
    quarters: BTreeMap<u32, Box<str>>,
    city_parts: BTreeMap<u32, Box<str>>,
    newest_row: u32,
}

/// Reads an address table. A row that is not an address is reported and left out; a row with an impossible position or
/// postal code is kept without that value.
pub(super) fn read_table(mut table: Table<'_>, name: &FileName, reading: &mut Reading) {
    let columns = match Columns::find(&table.header) {
        Ok(columns) => columns,
        Err(reason) => return reading.unreadable(name, reason),
    };
    let mut municipalities: BTreeMap<u32, MunicipalityRows> = BTreeMap::new();
    let mut codes = HashSet::new();
    let mut record = csv::StringRecord::new();
    let expected = table.header.len();
    while let Some(line) = table.next(&mut record) {
        reading.rows += 1;
        let row = if record.len() == expected {
            read_row(&record, &columns, &mut |error| {
                reading.bad_value(name, line, &error);
            })
        } else {
            Err(RowError::Fields {
                found: record.len(),
                expected,
            })
        };
        let row = row.and_then(|(municipality, row)| {
            let code = row.code;
            codes
                .insert(code)
                .then_some((municipality, row))
                .ok_or(RowError::Twice { code })
        });
        match row {
            Ok((municipality, row)) => {
                add_row(
                    municipalities.entry(municipality).or_default(),
                    row,
                    &record,
                    &columns,
                );
            }
            Err(error) => reading.bad_row(name, line, &error),
        }
    }
    if municipalities.is_empty()
        && let Some(municipality) = name.municipality
    {
        // Only a header: a municipality without addresses, such as a military area.
        municipalities.entry(municipality).or_default();
    }
    for (municipality, found) in municipalities {
        finish(municipality, found, name, &mut reading.draft);
    }
}

fn read_row(
    record: &csv::StringRecord,
    columns: &Columns,
    bad_value: &mut dyn FnMut(RowError),
) -> Result<(u32, Row), RowError> {
    let code = |column: &'static str, at| {
        let value = field(record, at);
        let read = parse_number(value).filter(|code| *code > 0);
        read.ok_or_else(|| invalid(column, value, "a code, a whole number above 0"))
    };
    let optional_code = |column, at| match field(record, at) {
        "" => Ok(0),
        _ => code(column, at),
    };
    let municipality = code("Kód obce", columns.municipality)?;
    let name = field(record, columns.municipality_name);
    if name.is_empty() {
        return Err(invalid("Název obce", name, "a name"));
    }
    let row = Row {
        code: code("Kód ADM", columns.code)?,
        street: optional_code("Kód ulice", columns.street)?,
        quarter: code("Kód části obce", columns.quarter)?,
        city_part: optional_code("Kód MOMC", columns.city_part)?,
        building: building(record, columns)?,
        orientation: orientation(record, columns)?,
        postal_code: postal_code(record, columns).unwrap_or_else(|error| {
            bad_value(error);
            0
        }),
        location: location(record, columns).unwrap_or_else(|error| {
            bad_value(error);
            PackedLocation::UNKNOWN
        }),
        old_prague_district: prague_district(field(record, columns.prague_district_name)),
    };
    Ok((municipality, row))
}

fn building(record: &csv::StringRecord, columns: &Columns) -> Result<PackedBuilding, RowError> {
    let value = field(record, columns.building);
    let wrong_number = || invalid("Číslo domovní", value, "a whole number, 1 to 32767");
    let read = parse_number(value).and_then(|number| u16::try_from(number).ok());
    let number = read.filter(|number| *number > 0).ok_or_else(wrong_number)?;
    let number = match field(record, columns.kind) {
        "č.p." => BuildingNumber::Building(number),
        "č.ev." => BuildingNumber::Registration(number),
        kind => return Err(invalid("Typ SO", kind, "č.p. or č.ev.")),
    };
    PackedBuilding::pack(number).ok_or_else(wrong_number)
}

fn orientation(
    record: &csv::StringRecord,
    columns: &Columns,
) -> Result<PackedOrientation, RowError> {
    let value = field(record, columns.orientation);
    if value.is_empty() {
        return Ok(PackedOrientation::default());
    }
    let letter = field(record, columns.letter);
    let letter = match letter.chars().next() {
        None => None,
        Some(c) if letter.len() == 1 && c.is_ascii_alphabetic() => Some(c.to_ascii_lowercase()),
        Some(_) => {
            return Err(invalid(
                "Znak čísla orientačního",
                letter,
                "one letter, a to z",
            ));
        }
    };
    let read = parse_number(value).and_then(|number| u16::try_from(number).ok());
    let packed =
        read.and_then(|number| PackedOrientation::pack(Some(OrientationNumber { number, letter })));
    packed.ok_or_else(|| invalid("Číslo orientační", value, "a whole number, 1 to 2047"))
}

fn postal_code(record: &csv::StringRecord, columns: &Columns) -> Result<u32, RowError> {
    let value = field(record, columns.postal_code);
    if value.is_empty() {
        return Ok(0);
    }
    let read = parse_number(value).and_then(PostalCode::from_number);
    read.map(PostalCode::number)
        .ok_or_else(|| invalid("PSČ", value, "five digits, 10000 to 79999"))
}

fn location(record: &csv::StringRecord, columns: &Columns) -> Result<PackedLocation, RowError> {
    let (y, x) = (field(record, columns.y), field(record, columns.x));
    if y.is_empty() && x.is_empty() {
        return Ok(PackedLocation::UNKNOWN);
    }
    let metres = |column, value: &str| {
        let accepted = "metres, such as 744384.54";
        value
            .parse::<f64>()
            .ok()
            .ok_or_else(|| invalid(column, value, accepted))
    };
    let point = GridPoint::from_distances(metres("Souřadnice Y", y)?, metres("Souřadnice X", x)?)?;
    Ok(PackedLocation::pack(Some(point.to_wgs84())))
}

/// The number of one of the ten old districts of Prague: 5 for `Praha 5`, 0 for any other name.
fn prague_district(name: &str) -> u8 {
    let number = name
        .strip_prefix("Praha ")
        .and_then(|number| number.parse().ok());
    number
        .filter(|number| (1..=10).contains(number))
        .unwrap_or(0)
}

fn add_row(found: &mut MunicipalityRows, row: Row, record: &csv::StringRecord, columns: &Columns) {
    let note = |names: &mut BTreeMap<u32, Box<str>>, code, column| {
        if code != 0 && !names.contains_key(&code) {
            names.insert(code, field(record, column).into());
        }
    };
    note(&mut found.streets, row.street, columns.street_name);
    note(&mut found.quarters, row.quarter, columns.quarter_name);
    note(&mut found.city_parts, row.city_part, columns.city_part_name);
    if found.name.is_empty() {
        found.name = field(record, columns.municipality_name).into();
    }
    found.newest_row = found
        .newest_row
        .max(parse_date(field(record, columns.valid_from)));
    found.rows.push(row);
}

/// Adds the table of a municipality to the draft. A table without a date in its name is as old as its newest row.
fn finish(
    municipality: u32,
    mut found: MunicipalityRows,
    name: &FileName,
    draft: &mut draft::Draft,
) {
    let date = name.date.unwrap_or(found.newest_row);
    let municipality_name = Statement {
        name: found.name,
        ..Statement::default()
    };
    draft.state(Kind::Municipality, municipality, date, municipality_name);
    for (kind, names) in [
        (Kind::Quarter, found.quarters),
        (Kind::CityPart, found.city_parts),
    ] {
        for (code, name) in names {
            let statement = Statement {
                name,
                parent: Some(municipality),
                ..Statement::default()
            };
            draft.state(kind, code, date, statement);
        }
    }
    found.rows.sort_unstable_by_key(|row| row.code);
    let table = draft::Table {
        date,
        rows: found.rows,
        streets: found.streets,
    };
    draft.add_table(municipality, table);
}
