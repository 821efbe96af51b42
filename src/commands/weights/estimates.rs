//! `jeden weights`: the table beside weights that are estimated level by level.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use dedup::evaluation::{self, EstimatedLevel, Estimates, MatchedListings, Truth};

use crate::progress;

/// An estimated weight this many bits away from the table is marked.
const REMARKABLE: f64 = 2.0;

/// Prints the estimates.
pub fn print(matched: &MatchedListings, truth: &Truth, json: bool) -> anyhow::Result<()> {
    let estimates = evaluation::estimates(matched, truth);
    if json {
        progress::result(&serde_json::to_string_pretty(&estimates)?)?;
    } else {
        show(&estimates)?;
    }
    Ok(())
}

fn show(estimates: &Estimates) -> std::io::Result<()> {
    let mut table = Table::new();
    let header = [
        "",
        "level",
        "table",
        "counted",
        "shrunk",
        "unlabelled",
        "of one property",
        "of random",
        "",
    ];
    table.load_style(NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for level in &estimates.levels {
        table.add_row(row(level));
    }
    progress::result(&table.to_string())?;
    let labelled_pairs = match estimates.true_pairs {
        Some(pairs) => format!("{pairs} pairs of one property and "),
        None => String::new(),
    };
    progress::result(&format!(
        "Counted from {labelled_pairs}{} random pairs of one kind in one municipality. Without labels: from {} \
         candidate pairs, of which {:.0} are expected to be one property ({} rounds).",
        estimates.random_pairs, estimates.candidates, estimates.expected_matches, estimates.rounds
    ))?;
    progress::result(&format!(
        "An asterisk marks weights at least {REMARKABLE} bits away from the table. Nothing was changed."
    ))
}

fn row(level: &EstimatedLevel) -> [String; 9] {
    let weight = |weight: f64| format!("{weight:+.1}");
    let maybe = |weight: Option<f64>| {
        weight.map_or_else(|| "–".to_owned(), |weight| format!("{weight:+.1}"))
    };
    let rate = |rate: f64| format!("{:.3} %", rate * 100.0);
    let best = level.shrunk.unwrap_or(level.unlabelled);
    let mark = if (best - level.table).abs() >= REMARKABLE {
        "*"
    } else {
        ""
    };
    [
        level.comparison.to_owned(),
        level.level.to_owned(),
        weight(level.table),
        maybe(level.counted),
        maybe(level.shrunk),
        weight(level.unlabelled),
        level.of_true.map_or_else(|| "–".to_owned(), rate),
        rate(level.of_random),
        mark.to_owned(),
    ]
}
