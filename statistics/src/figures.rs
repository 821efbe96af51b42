//! The tables of the figures.

use crate::change::percent_between;
use crate::kind::Kind;
use crate::market::{KindNumbers, Market, Numbers};
use crate::quartiles::{LEAST, Quartiles};
use crate::table::{Cell, Table};

/// A kind with its numbers.
type One<'a> = (Kind, &'a mut KindNumbers);

impl Market {
    /// Every table. The numbers are used up by it.
    pub fn tables(mut self) -> Vec<Table> {
        let mut kinds: Vec<One<'_>> = self
            .kinds
            .iter_mut()
            .map(|(kind, numbers)| (*kind, numbers))
            .collect();
        vec![
            prices(&mut kinds),
            grouped(
                &mut kinds,
                |numbers| &mut numbers.by_district,
                Table {
                    name: "prices_by_district",
                    title: "Asking prices by district",
                    explanation: "CZK for a square metre of live properties, each once.",
                    columns: quartiles_by("district"),
                    charted: Some(4),
                    rows: Vec::new(),
                },
            ),
            grouped(
                &mut kinds,
                |numbers| &mut numbers.by_quarter,
                Table {
                    name: "prices_by_quarter",
                    title: "Asking prices by quarter",
                    explanation: "CZK for a square metre of live properties, each once.",
                    columns: quartiles_by("quarter"),
                    charted: Some(4),
                    rows: Vec::new(),
                },
            ),
            grouped(
                &mut kinds,
                |numbers| &mut numbers.by_month,
                Table {
                    name: "prices_by_month",
                    title: "Asking prices by month",
                    explanation: "The last asking price for a square metre, CZK, of the properties that a portal first showed \
                        in the month, also of those that are gone.",
                    columns: quartiles_by("month"),
                    charted: Some(4),
                    rows: Vec::new(),
                },
            ),
            times(&mut kinds),
            changes(&mut kinds),
            duplicates(&mut kinds),
            distortion(&mut kinds),
        ]
    }
}

/// The columns of quartiles for each kind and a second property.
fn quartiles_by(group: &'static str) -> Vec<&'static str> {
    let quartiles = ["n", "lower quartile", "median", "upper quartile"];
    [&["kind", group][..], &quartiles].concat()
}

/// The cells of quartiles: number, lower quartile, median, upper quartile.
fn quartiles(numbers: &mut [f64], places: usize) -> [Cell; 4] {
    let n = Cell::count(numbers.len());
    match Quartiles::of_numbers(numbers) {
        Some(found) => [
            n,
            Cell::Number(found.lower, places),
            Cell::Number(found.median, places),
            Cell::Number(found.upper, places),
        ],
        None => [n, Cell::Unknown, Cell::Unknown, Cell::Unknown],
    }
}

fn prices(kinds: &mut [One<'_>]) -> Table {
    let rows = kinds.iter_mut().map(|(kind, numbers)| {
        let mut row = vec![Cell::text(kind)];
        row.extend(quartiles(&mut numbers.per_area, 0));
        row
    });
    Table {
        name: "prices",
        title: "Asking prices",
        explanation: "CZK for a square metre of the living area, of land for one of the plot; a rent is monthly. Live \
            properties, each once, with its own last price.",
        columns: vec!["kind", "n", "lower quartile", "median", "upper quartile"],
        charted: Some(3),
        rows: rows.collect(),
    }
}

/// A table with a row for each group of each kind that has enough properties.
fn grouped(
    kinds: &mut [One<'_>],
    groups: fn(&mut KindNumbers) -> &mut Numbers,
    mut table: Table,
) -> Table {
    for (kind, numbers) in kinds {
        for (group, numbers) in groups(numbers) {
            if numbers.len() >= LEAST {
                let mut row = vec![Cell::text(kind), Cell::text(group)];
                row.extend(quartiles(numbers, 0));
                table.rows.push(row);
            }
        }
    }
    table
}

fn times(kinds: &mut [One<'_>]) -> Table {
    let mut rows = Vec::new();
    for (kind, numbers) in kinds {
        let sets = [
            ("gone", &mut numbers.days_until_gone),
            ("live", &mut numbers.days_so_far),
        ];
        for (state, days) in sets {
            let mut row = vec![Cell::text(kind), Cell::text(state)];
            row.extend(quartiles(days, 0));
            rows.push(row);
        }
    }
    Table {
        name: "time_on_market",
        title: "Time on the market",
        explanation: "Days from the first sighting on any portal: of properties that are gone until their last portal ended \
            them, of live ones until now. Live ones are not finished, so neither row alone is the time that a sale takes.",
        columns: quartiles_by("state"),
        charted: Some(4),
        rows,
    }
}

fn changes(kinds: &mut [One<'_>]) -> Table {
    let rows = kinds.iter_mut().map(|(kind, numbers)| {
        let mut row = vec![
            Cell::text(kind),
            Cell::count(numbers.priced),
            share(numbers.drops.len(), numbers.priced),
            share(numbers.rises.len(), numbers.priced),
        ];
        // The number of drops follows from the share.
        row.extend(quartiles(&mut numbers.drops, 1).into_iter().skip(1));
        row
    });
    Table {
        name: "price_changes",
        title: "Changes of price",
        explanation: "The share of properties whose last asking price is lower or higher than the first that any portal \
            showed, and by how many per cent it dropped where it did.",
        columns: vec![
            "kind",
            "n",
            "dropped %",
            "rose %",
            "drop, lower quartile %",
            "drop, median %",
            "drop, upper quartile %",
        ],
        charted: Some(2),
        rows: rows.collect(),
    }
}

fn duplicates(kinds: &mut [One<'_>]) -> Table {
    let rows = kinds.iter().map(|(kind, numbers)| {
        vec![
            Cell::text(kind),
            Cell::count(numbers.records),
            Cell::count(numbers.live),
            Cell::count(numbers.adverts),
            Cell::known(ratio(numbers.adverts, numbers.records), 2),
            share(numbers.relisted, numbers.records),
        ]
    });
    Table {
        name: "duplicates",
        title: "Adverts and properties",
        explanation: "How many adverts one property has, and the share of properties that a portal showed again under a new \
            number after it had ended them.",
        columns: vec![
            "kind",
            "properties",
            "live",
            "adverts",
            "adverts for each property",
            "re-listed %",
        ],
        charted: Some(4),
        rows: rows.collect(),
    }
}

/// The same medians, counted by property and by advert.
fn distortion(kinds: &mut [One<'_>]) -> Table {
    let mut rows = Vec::new();
    for (kind, numbers) in kinds {
        let all = (
            "all".to_owned(),
            &mut numbers.per_area,
            Some(&mut numbers.per_area_by_advert),
        );
        let by_advert = &mut numbers.by_district_by_advert;
        let mut groups = vec![all];
        let mut known: Vec<(&String, &mut Vec<f64>)> = by_advert.iter_mut().collect();
        for (district, by_record) in &mut numbers.by_district {
            let index = known.iter().position(|(name, _)| *name == district);
            let found = index.map(|index| known.swap_remove(index).1);
            groups.push((district.clone(), by_record, found));
        }
        for (group, by_record, by_advert) in groups {
            let by_advert =
                by_advert.map(|numbers| (numbers.len(), Quartiles::of_numbers(numbers)));
            let (Some(property), Some((adverts, Some(advert)))) =
                (Quartiles::of_numbers(by_record), by_advert)
            else {
                continue;
            };
            rows.push(vec![
                Cell::text(kind),
                Cell::Text(group),
                Cell::count(property.n),
                Cell::count(adverts),
                Cell::Number(property.median, 0),
                Cell::Number(advert.median, 0),
                Cell::Number(percent_between(property.median, advert.median), 1),
            ]);
        }
    }
    Table {
        name: "distortion",
        title: "What duplicates would distort",
        explanation: "The median asking price for a square metre, CZK, counted by property and by advert, with the price of \
            each advert. The difference is what one would be wrong by who counts adverts.",
        columns: vec![
            "kind",
            "district",
            "properties",
            "adverts",
            "median by property",
            "median by advert",
            "difference %",
        ],
        charted: Some(6),
        rows,
    }
}

/// A part in per cent; unknown of fewer than [`LEAST`].
fn share(part: usize, whole: usize) -> Cell {
    if whole < LEAST {
        return Cell::Unknown;
    }
    Cell::known(ratio(part, whole).map(|share| share * 100.0), 1)
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
