//! `jeden places`

use std::cmp::Reverse;
use std::collections::BTreeMap;

use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use schema::store::offers::{self, RecordPlace};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::progress::result;
use crate::settings::Settings;

/// `jeden places`
#[derive(Debug, Args)]
pub struct Places {
    /// Count only live records, as a search without `includeInactive` does
    #[arg(long)]
    live: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The values that the filters `district` and `neighborhood` can take, with the number of records.
#[derive(Debug, Default, Serialize)]
struct Counts {
    districts: Vec<DistrictCount>,
    neighborhoods: Vec<NeighborhoodCount>,
}

#[derive(Debug, Serialize)]
struct DistrictCount {
    district: String,
    records: usize,
}

#[derive(Debug, Serialize)]
struct NeighborhoodCount {
    city: Option<String>,
    district: Option<String>,
    neighborhood: String,
    records: usize,
}

pub async fn run(options: &Places, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let records = offers::places(&db).await?;
    db.close().await;
    let wanted = records
        .into_iter()
        .filter(|record| record.is_live || !options.live);
    let counts = count(wanted);
    if options.json {
        result(&serde_json::to_string_pretty(&counts)?)?;
    } else {
        show(&counts)?;
    }
    Ok(Outcome::Done)
}

fn count(records: impl Iterator<Item = RecordPlace>) -> Counts {
    let mut districts: BTreeMap<String, usize> = BTreeMap::new();
    let mut quarters: BTreeMap<_, usize> = BTreeMap::new();
    for record in records {
        let RecordPlace { district, city, .. } = record;
        if let Some(neighborhood) = record.neighborhood {
            let quarter = (district.clone(), city, neighborhood);
            *quarters.entry(quarter).or_default() += 1;
        }
        if let Some(district) = district {
            *districts.entry(district).or_default() += 1;
        }
    }
    let mut districts: Vec<DistrictCount> = districts
        .into_iter()
        .map(|(district, records)| DistrictCount { district, records })
        .collect();
    districts.sort_by_key(|one| Reverse(one.records));
    let mut neighborhoods: Vec<NeighborhoodCount> = quarters
        .into_iter()
        .map(
            |((district, city, neighborhood), records)| NeighborhoodCount {
                city,
                district,
                neighborhood,
                records,
            },
        )
        .collect();
    neighborhoods.sort_by_key(|one| Reverse(one.records));
    Counts {
        districts,
        neighborhoods,
    }
}

fn show(counts: &Counts) -> std::io::Result<()> {
    let mut districts = table(&["records", "district"]);
    for one in &counts.districts {
        districts.add_row([&one.records.to_string(), &one.district]);
    }
    result(&districts.to_string())?;
    let mut quarters = table(&["records", "neighborhood", "city", "district"]);
    for one in &counts.neighborhoods {
        let known = |name: &Option<String>| name.clone().unwrap_or_default();
        let (city, district) = (known(&one.city), known(&one.district));
        quarters.add_row([
            one.records.to_string(),
            one.neighborhood.clone(),
            city,
            district,
        ]);
    }
    result(&format!("\n{quarters}"))
}

/// A table whose first column holds numbers.
fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    if let Some(numbers) = table.column_mut(0) {
        numbers.set_cell_alignment(CellAlignment::Right);
    }
    table
}
