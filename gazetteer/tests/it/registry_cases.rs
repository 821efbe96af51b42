//! A table of address lines with the answers of the registry, if it is present beside the project. The tests check how
//! much of it is read correctly without the registry, and that the rest is with it.

#![expect(
    clippy::unwrap_used,
    reason = "clippy allows it in test functions only, not in what these call"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use czech::names::{place_key, quarter_key, street_key};
use gazetteer::registry::Registry;
use gazetteer::{Address, AddressParts, District, Gazetteer, GazetteerBuilder};

const TABLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/ruian/constructed/normalise_cases.tsv"
);
/// The address tables of some of the municipalities in the lines, and the district of each municipality.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/ruian/csv");
const DISTRICTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/ruian/lists/obce_okres_kraj_psc_gps_2018.csv"
);

/// Lines of which a part is known to the registry only: the city district of a square (5); that a village house is in
/// the part named like the municipality (7, 8, 9, 11, 20, 37); the quarter of a street (32); that a street or town is
/// misspelt (34, 35); the half of a hyphenated town that a street belongs to (36).
const NEED_THE_REGISTRY: [u32; 11] = [5, 7, 8, 9, 11, 20, 32, 34, 35, 36, 37];

/// A line of the table.
struct Case<'a> {
    id: &'a str,
    input: &'a str,
    expected: Vec<(&'static str, String)>,
}

fn number(text: &str) -> String {
    text.to_owned()
}

fn expected(fields: &[&str]) -> Vec<(&'static str, String)> {
    let field = |i: usize| fields.get(i).copied().unwrap_or_default();
    let numbered = |text: &str| {
        text.split(' ')
            .next_back()
            .is_some_and(|last| last.parse::<u8>().is_ok())
    };
    let town = place_key(field(8));
    let district = if numbered(field(7)) {
        field(7).to_owned()
    } else {
        String::new()
    };
    let quarter = if field(6).is_empty() && district.is_empty() {
        field(7)
    } else {
        field(6)
    };
    vec![
        ("street", street_key(field(2))),
        ("cp", number(field(3))),
        ("co", number(field(4))),
        ("ev", number(field(5))),
        ("quarter", quarter_key(quarter, Some(&town))),
        ("city_district", district),
        ("municipality", town),
        ("psc", field(11).to_owned()),
    ]
}

fn read_input(input: &str) -> Vec<(&'static str, String)> {
    parts(&Address::from_parts(&AddressParts {
        line: Some(input),
        ..AddressParts::default()
    }))
}

fn parts(address: &Address) -> Vec<(&'static str, String)> {
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    let plain = |value: Option<u16>| value.map(|value| value.to_string()).unwrap_or_default();
    let orientation = address.number.orientation.map(|number| {
        format!(
            "{}{}",
            number.number,
            number.letter.map(String::from).unwrap_or_default()
        )
    });
    vec![
        ("street", text(address.street_key())),
        ("cp", plain(address.number.building)),
        ("co", orientation.unwrap_or_default()),
        ("ev", plain(address.number.registration)),
        ("quarter", text(address.quarter_key())),
        (
            "city_district",
            address
                .city_district
                .map(|district| district.to_string())
                .unwrap_or_default(),
        ),
        ("municipality", text(address.municipality_key())),
        (
            "psc",
            address
                .postal_code
                .map(|code| code.number().to_string())
                .unwrap_or_default(),
        ),
        (
            "lone",
            address
                .number
                .lone
                .map(|number| number.number.to_string())
                .unwrap_or_default(),
        ),
    ]
}

/// The parts that differ from the registry's answer. A lone number counts as right under either kind.
fn differences(case: &Case<'_>, read: &[(&'static str, String)]) -> Vec<String> {
    let lone = read
        .iter()
        .find(|(part, _)| *part == "lone")
        .map(|(_, value)| value.clone())
        .unwrap_or_default();
    let mut differences = Vec::new();
    for (part, expected) in &case.expected {
        let got = read
            .iter()
            .find(|(name, _)| name == part)
            .map(|(_, value)| value.as_str())
            .unwrap_or_default();
        let alone = !lone.is_empty() && matches!(*part, "cp" | "co") && *expected == lone;
        if got != expected && !alone {
            differences.push(format!("{part}: {got:?} for {expected:?}"));
        }
    }
    differences
}

/// A gazetteer of the unpacked tables and of a code list with the district of each municipality.
fn gazetteer() -> Gazetteer {
    let mut municipalities =
        String::from("KOD;NAZEV;STATUS_KOD;POU_KOD;OKRES_KOD;PLATI_OD;PLATI_DO\n");
    for row in std::fs::read_to_string(DISTRICTS).unwrap().lines().skip(1) {
        let field: Vec<&str> = row.split(',').collect();
        let district = District::parse(field[2]).unwrap().code();
        writeln!(
            municipalities,
            "{};{};2;1;{district};2018-01-01;",
            field[1], field[0]
        )
        .unwrap();
    }
    let files = std::fs::read_dir(TABLES)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let tables = files.map(|path| {
        (
            path.file_name().unwrap().to_string_lossy().into_owned(),
            std::fs::read(&path).unwrap(),
        )
    });
    let tables: Vec<(String, Vec<u8>)> = tables
        .chain([("UI_OBEC.csv".to_owned(), municipalities.into_bytes())])
        .collect();
    let tables: Vec<(&str, &[u8])> = tables
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    GazetteerBuilder::new()
        .registry(Arc::new(Registry::from_tables(&tables).unwrap()))
        .build()
}

/// The quarter of a street in Olomouc (32), whose table is not unpacked. `cargo run --example evaluate` reads all tables.
const NOT_UNPACKED: u32 = 32;

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn parts_that_only_the_registry_knows_are_completed_with_it() {
    if !Path::new(TABLE).exists() {
        println!("skipped: no table of address lines beside the project");
        return;
    }
    let (table, gazetteer) = (std::fs::read_to_string(TABLE).unwrap(), gazetteer());
    for line in table
        .lines()
        .filter(|line| !line.starts_with(['#']) && !line.starts_with("id\t"))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut case = Case {
            id: fields[0],
            input: fields[1],
            expected: expected(&fields),
        };
        if !NEED_THE_REGISTRY.contains(&case.id.parse().unwrap())
            || case.id == NOT_UNPACKED.to_string()
        {
            continue;
        }
        // The registry may add parts that the line does not have.
        case.expected.retain(|(_, expected)| !expected.is_empty());
        let address = gazetteer.complete_address(&AddressParts {
            line: Some(case.input),
            ..AddressParts::default()
        });
        let differences = differences(&case, &parts(&address));
        assert!(
            differences.is_empty(),
            "{} {}: {}",
            case.id,
            case.input,
            differences.join("; ")
        );
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn lines_are_read_like_the_registry_except_for_parts_that_only_it_knows() {
    if !Path::new(TABLE).exists() {
        println!("skipped: no table of address lines beside the project");
        return;
    }
    let table = std::fs::read_to_string(TABLE).unwrap();
    let mut wrong: Vec<u32> = Vec::new();
    let mut total = 0;
    for line in table
        .lines()
        .filter(|line| !line.starts_with(['#']) && !line.starts_with("id\t"))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let case = Case {
            id: fields[0],
            input: fields[1],
            expected: expected(&fields),
        };
        total += 1;
        let differences = differences(&case, &read_input(case.input));
        if !differences.is_empty() {
            println!("{} {}\n    {}", case.id, case.input, differences.join("; "));
            wrong.push(case.id.parse().unwrap());
        }
    }
    println!(
        "{} of {total} lines right in every part",
        total - wrong.len()
    );
    assert_eq!(wrong, NEED_THE_REGISTRY);
}
