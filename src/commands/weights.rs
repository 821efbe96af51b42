//! `jeden weights`

use std::path::PathBuf;

use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use dedup::evaluation::{self, EstimatedLevel, Estimates, Truth};
use dedup::worker::{self, Listings};

use super::{evaluate, gazetteer};
use crate::outcome::Outcome;
use crate::progress;
use crate::settings::Settings;

/// How far, in bits, a counted weight lies from the table to be marked.
const REMARKABLE: f64 = 2.0;

/// `jeden weights`
#[derive(Debug, Args)]
pub struct Weights {
    /// Which listings are one property, as for `jeden evaluate` [default: nothing is known]
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &Weights, settings: &Settings) -> anyhow::Result<Outcome> {
    let truth = match &options.truth {
        Some(path) => evaluate::read(path, Truth::read)?,
        None => Truth::default(),
    };
    let db = settings.open().await?;
    let market = worker::market(Listings {
        db: &db,
        addresses: &gazetteer::addresses(settings)?,
    })
    .await?;
    db.close().await;
    let estimates = evaluation::estimates(&market, &truth);
    if options.json {
        progress::result(&serde_json::to_string_pretty(&estimates)?)?;
    } else {
        show(&estimates)?;
    }
    Ok(Outcome::Done)
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
    let labelled = match estimates.true_pairs {
        Some(pairs) => format!("{pairs} pairs of one property and "),
        None => String::new(),
    };
    progress::result(&format!(
        "Counted from {labelled}{} random pairs of one kind in one municipality; without labels, from {} candidate \
         pairs, of which {:.0} are believed to be one property ({} rounds).",
        estimates.random_pairs, estimates.candidates, estimates.expected_matches, estimates.rounds
    ))?;
    progress::result(&format!(
        "Marked with *: {REMARKABLE} bits and more from the table. Nothing was changed."
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
