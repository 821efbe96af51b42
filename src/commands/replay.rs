//! `jeden replay`

use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use dedup::worker::{self, DedupReport, Listings};
use ingest::dumps;
use ingest::intake::{self, IntakeReport};
use schema::store::Db;

use crate::outcome::Outcome;
use crate::progress::{Steps, Unit};
use crate::settings::Settings;
use crate::{clock, progress, random, registry};

/// `jeden replay`
#[derive(Debug, Args)]
pub struct Replay {
    /// Files (.jsonl, .jsonl.gz or .jsonl.zst), folders of such files, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub async fn run(options: &Replay, settings: &Settings) -> anyhow::Result<Outcome> {
    let addresses = registry::addresses(settings)?;
    let db = settings.open().await?;
    read_again_if_due(&db).await?;
    let report = replay(&db, &options.paths).await?;
    let merged = deduplicate(Listings {
        db: &db,
        addresses: &addresses,
    })
    .await?;
    print_intake_report(&report);
    print_dedup_report(&merged);
    db.close().await;
    Ok(if report.is_complete() {
        Outcome::Done
    } else {
        Outcome::SomeRejected
    })
}

/// Reads all stored contents again, if an older version of the program read them.
pub async fn read_again_if_due(db: &Db) -> anyhow::Result<()> {
    if !intake::is_reading_due(db).await? {
        return Ok(());
    }
    progress::say("This version reads adverts differently: reading all stored contents again.");
    let mut steps = Steps::new(0, Unit::Count);
    let read = intake::read_again(db, clock::now(), &mut |at| {
        steps.at(at.listings, &format!("{} listings read again", at.listings));
    })
    .await?;
    steps.done();
    progress::say(&format!(
        "{} listings read again, {} of them changed.",
        read.listings, read.changed
    ));
    Ok(())
}

/// Reads dumps into the store.
pub async fn replay(db: &Db, paths: &[PathBuf]) -> anyhow::Result<IntakeReport> {
    let sources = dumps::find_sources(paths)?;
    let total = sources
        .iter()
        .map(dumps::Source::bytes)
        .sum::<Option<u64>>();
    let mut steps = Steps::new(total.unwrap_or_default(), Unit::Bytes);
    let report = intake::replay(db, sources, clock::now(), &mut |at| {
        steps.at(at.bytes, &format!("{} lines read", at.lines));
    })
    .await?;
    steps.done();
    Ok(report)
}

/// Updates the merged records.
pub async fn deduplicate(listings: Listings<'_>) -> anyhow::Result<DedupReport> {
    let steps = Mutex::new(Steps::new(0, Unit::Count));
    let report = worker::run(listings, clock::now(), &mut random::rng(), &|at| {
        let (position, total, what) = match at {
            worker::Progress::Reading(read, of) => (read, of, "listings read"),
            worker::Progress::Matching => (0, 0, "comparing"),
            worker::Progress::StoringKeys(stored, of) => (stored, of, "blocking keys stored"),
            worker::Progress::StoringPairs(stored, of) => (stored, of, "pairs stored"),
            worker::Progress::Writing(written, of) => (written, of, "records written"),
        };
        if let Ok(mut steps) = steps.lock() {
            steps.at_of_total(position, total, what);
        }
    })
    .await?;
    if let Ok(steps) = steps.into_inner() {
        steps.done();
    }
    Ok(report)
}

/// Prints what was read.
pub fn print_intake_report(report: &IntakeReport) {
    for (site, counts) in &report.by_site {
        progress::say(&format!(
            "{site}: {} observations; {} new, {} changed, {} unchanged, {} gone, {} complete crawls, {} values left out",
            counts.observations,
            counts.new_listings,
            counts.changed,
            counts.unchanged,
            counts.gone,
            counts.crawls,
            counts.values_left_out,
        ));
    }
    progress::say(&format!(
        "{} lines read, {} rejected.",
        report.lines, report.rejected
    ));
    if report.rejected > 0 {
        progress::say(
            "Rejected lines are kept: `jeden rejects list` shows why, `jeden rejects retry` reads them again.",
        );
    }
    for truncation in &report.truncated {
        progress::say(&format!(
            "{} ended prematurely: {}",
            truncation.source, truncation.reason
        ));
    }
}

/// Prints what was merged.
pub fn print_dedup_report(report: &DedupReport) {
    progress::say(&format!(
        "{} changed listings read, {} pairs compared, {} records written, {} records merged into others.",
        report.listings, report.compared, report.offers, report.retired
    ));
}
