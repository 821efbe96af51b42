//! `jeden evaluate --places`

use dedup::addresses::Addresses;
use dedup::evaluation::{self, PlaceFault, PlaceReport};
use schema::OfferId;
use schema::store::{Db, offers};

use super::report::per_cent;
use crate::progress::result;

/// Prints which records have places that do not fit together.
pub async fn run(
    db: &Db,
    addresses: &Addresses,
    examples: usize,
    json: bool,
) -> anyhow::Result<()> {
    let records = offers::places(db).await?.into_iter();
    let records: Vec<evaluation::RecordPlace> = records
        .map(|record| Ok((OfferId::parse(&record.id)?, record.into_facts())))
        .collect::<anyhow::Result<_>>()?;
    let report = evaluation::place_report(&records, addresses.gazetteer(), examples);
    if json {
        return Ok(result(&serde_json::to_string_pretty(&report)?)?);
    }
    Ok(show(&report)?)
}

fn show(report: &PlaceReport) -> std::io::Result<()> {
    result(&format!("{} records", report.records))?;
    let faults = [
        (
            "the place fields contradict one another",
            &report.contradictory,
        ),
        ("the pin lies outside the municipality", &report.pin_outside),
        (
            "the district is spelt in several ways",
            &report.district_spellings,
        ),
        (
            "the quarter is spelt in several ways",
            &report.quarter_spellings,
        ),
    ];
    for (what, fault) in faults {
        let PlaceFault {
            records,
            of,
            share,
            examples,
        } = fault;
        result(&format!(
            "{}: {what} ({records} of {of} records)",
            per_cent(*share)
        ))?;
        for (record, fault) in examples {
            result(&format!("  jeden explain {record}  ({fault})"))?;
        }
    }
    Ok(())
}
