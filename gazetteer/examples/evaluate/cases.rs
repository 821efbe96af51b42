//! The table of address lines with the answers of the registry.

use std::error::Error;
use std::path::Path;

use czech::names::{place_key, quarter_key, street_key};
use gazetteer::{Address, AddressParts, Certainty, Gazetteer, StreetNumber};

/// Completes every line from the registry and prints the lines with a part that differs from the table.
pub fn check(gazetteer: &Gazetteer, table: &Path) -> Result<(), Box<dyn Error>> {
    let table = std::fs::read_to_string(table)?;
    let rows = table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("id\t"));
    let (mut right, mut all) = (0, 0);
    for row in rows {
        let fields: Vec<&str> = row.split('\t').collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let address = gazetteer.complete_address(&AddressParts {
            line: Some(field(1)),
            ..AddressParts::default()
        });
        let different = differences(&field, &address);
        all += 1;
        right += usize::from(different.is_empty());
        if !different.is_empty() {
            println!("{} {}: {}", field(0), field(1), different.join("; "));
        }
    }
    println!("lines of the table with every part right: {right} of {all}");
    Ok(())
}

#[expect(
    clippy::too_many_lines,
    reason = "one comparison for each column of the table"
)]
fn differences<'a>(field: &impl Fn(usize) -> &'a str, address: &Address) -> Vec<String> {
    let town = place_key(field(8));
    let numbered = field(7)
        .rsplit(' ')
        .next()
        .is_some_and(|last| last.parse::<u8>().is_ok());
    let quarter = if field(6).is_empty() && !numbered {
        field(7)
    } else {
        field(6)
    };
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    let plain = |value: Option<u16>| value.map(|value| value.to_string()).unwrap_or_default();
    let parts = [
        ("street", street_key(field(2)), text(address.street_key())),
        (
            "building number",
            field(3).to_owned(),
            plain(address.number.building),
        ),
        (
            "orientation number",
            field(4).to_owned(),
            along(address.number.orientation),
        ),
        (
            "registration number",
            field(5).to_owned(),
            plain(address.number.registration),
        ),
        (
            "quarter",
            quarter_key(quarter, Some(&town)),
            text(address.quarter_key()),
        ),
        (
            "city district",
            field(7).to_owned(),
            address
                .city_district
                .filter(|_| numbered)
                .map_or_else(|| field(7).to_owned(), |part| part.to_string()),
        ),
        (
            "municipality",
            town.clone(),
            text(address.municipality_key()),
        ),
        (
            "district",
            field(9).to_owned(),
            text(address.district.map(gazetteer::District::name)),
        ),
        (
            "region",
            field(10).to_owned(),
            text(address.region.map(gazetteer::Region::name)),
        ),
        (
            "postal code",
            field(11).to_owned(),
            text(
                address
                    .postal_code
                    .map(|code| code.number().to_string())
                    .as_deref(),
            ),
        ),
        (
            "level",
            level_of_table(field(12), field(13)).to_owned(),
            level(address),
        ),
    ];
    let lone = along(address.number.lone);
    parts
        .into_iter()
        .filter(|(part, wanted, read)| {
            !wanted.is_empty() && wanted != read && !(part.ends_with("number") && *wanted == lone)
        })
        .map(|(part, wanted, read)| format!("{part} {read:?} for {wanted:?}"))
        .collect()
}

fn along(number: Option<StreetNumber>) -> String {
    number
        .map(|number| format!("{}{}", number.number, text_of(number.letter)))
        .unwrap_or_default()
}

fn text_of(letter: Option<char>) -> String {
    letter.map(String::from).unwrap_or_default()
}

/// The level that the table expects. In the cities without address places it is the finest level that the registry has.
fn level_of_table<'a>(level: &'a str, verified: &str) -> &'a str {
    match level {
        "obec" => "municipality",
        "cast_obce" | "mestska_cast" => "quarter",
        "okres" => "district",
        "kraj" => "region",
        "none" => "",
        "street" | "address" if verified != "yes" => "",
        other => other,
    }
}

fn level(address: &Address) -> String {
    match address.resolved {
        _ if address.foreign => "foreign".to_owned(),
        Some(resolved) if resolved.certainty == Certainty::Ambiguous => "ambiguous".to_owned(),
        Some(resolved) => resolved.level.name().to_owned(),
        None => String::new(),
    }
}
