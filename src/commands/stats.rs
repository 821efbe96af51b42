//! `jeden stats`

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use statistics::{Cell, Market};

use crate::clock;
use crate::outcome::Outcome;
use crate::progress::{self, result};
use crate::settings::Settings;

/// The largest number of rows of a table that is printed; a file has all.
const PRINTED: usize = 40;

/// `jeden stats`
#[derive(Debug, Args)]
pub struct Stats {
    /// Write the tables as CSV and a page of charts (index.html) into this folder, instead of printing them
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub async fn run(options: &Stats, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let now = clock::now();
    let market = Market::read(&db, now, &|_| {}).await?;
    db.close().await;
    let tables = market.tables();
    match &options.out {
        Some(folder) => {
            write(&tables, folder, now).with_context(|| {
                format!("cannot write the statistics into {}", folder.display())
            })?;
            progress::say(&format!(
                "Wrote {} tables and index.html into {}.",
                tables.len(),
                folder.display()
            ));
        }
        None => {
            for table in &tables {
                show(table)?;
            }
        }
    }
    Ok(Outcome::Done)
}

fn write(
    tables: &[statistics::Table],
    folder: &Path,
    now: schema::Timestamp,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for table in tables {
        let mut csv = csv::Writer::from_path(folder.join(format!("{}.csv", table.name)))?;
        csv.write_record(&table.columns)?;
        for row in &table.rows {
            csv.write_record(row.iter().map(ToString::to_string))?;
        }
        csv.flush()?;
    }
    Ok(std::fs::write(
        folder.join("index.html"),
        statistics::page(tables, now),
    )?)
}

fn show(table: &statistics::Table) -> std::io::Result<()> {
    result(&format!("{}\n{}\n", table.title, table.explanation))?;
    if table.rows.is_empty() {
        return result("  Too few properties to tell anything about.\n");
    }
    let mut shown = Table::new();
    shown.load_style(NOTHING).set_header(&table.columns);
    for row in table.rows.iter().take(PRINTED) {
        shown.add_row(row.iter().map(|cell| match cell {
            Cell::Unknown => "–".to_owned(),
            known => known.to_string(),
        }));
    }
    let texts = table
        .rows
        .first()
        .into_iter()
        .flatten()
        .map(|cell| matches!(cell, Cell::Text(_)));
    for (index, is_text) in texts.enumerate() {
        if let Some(column) = shown.column_mut(index)
            && !is_text
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    result(&shown.to_string())?;
    match table.rows.len().saturating_sub(PRINTED) {
        0 => result(""),
        more => result(&format!(
            "  and {more} more; --out FOLDER writes them all\n"
        )),
    }
}
