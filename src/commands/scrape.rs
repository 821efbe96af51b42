//! `jeden scrape`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use dedup::worker::Listings;
use ingest::crawl::{self, CrawlContext, CrawlOptions, CrawlProgress, CrawlReport, CrawlStep};
use ingest::dumps::DumpFile;
use ingest::portals::{self, Portal};
use rand::RngExt;
use schema::store::crawl_runs::RunOutcome;
use schema::store::{DatabaseSettings, Db};
use tokio_util::sync::CancellationToken;

use super::{replay, wrong_usage};
use crate::outcome::Outcome;
use crate::progress::{Steps, Unit};
use crate::settings::Settings;
use crate::{clock, progress, random, registry, signals};

/// `jeden scrape`
#[derive(Debug, Args)]
pub struct Scrape {
    /// The portal, as in dumps
    #[arg(value_name = "PORTAL")]
    site_id: String,
    /// Stop after this many listings; listings that the crawl does not show then stay live
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_listings: Option<u64>,
    /// Send requests to this URL instead of the portal; {host} stands for the portal's host name
    #[arg(id = "base_url", long = "base-url", value_name = "URL")]
    pub base_url: Option<String>,
    /// Also write every observation to this dump (.jsonl, .jsonl.gz or .jsonl.zst); an existing one is continued
    #[arg(long, value_name = "FILE")]
    dump: Option<PathBuf>,
    /// Crawl as if nothing were stored, say what was found, and store nothing; best with --max-listings
    #[arg(long)]
    dry_run: bool,
    /// Only walk the lists: listings that they no longer show end, new and changed ones wait for the next crawl
    #[arg(long, conflicts_with_all = ["max_listings", "dry_run"])]
    lists_only: bool,
    #[command(flatten)]
    accept: Accept,
}

/// Alarms that the operator has checked and accepts.
#[derive(Debug, Clone, Copy, Args)]
pub struct Accept {
    /// End listings that are gone however many there are, and accept sections that have shrunk
    #[arg(long = "accept-withdrawals")]
    pub withdrawals: bool,
    /// Store details however much they differ from the stored ones
    #[arg(long = "accept-changes")]
    pub changes: bool,
}

pub async fn run(options: &Scrape, settings: &Settings) -> anyhow::Result<Outcome> {
    let Some(portal) = portals::portal(&options.site_id) else {
        let known: Vec<_> = portals::PORTALS
            .iter()
            .map(|portal| portal.site_id)
            .collect();
        wrong_usage(&format!(
            "there is no portal {:?}; the portals are {}",
            options.site_id,
            known.join(", ")
        ))
    };
    if options.dry_run {
        return try_out(options, settings, portal).await;
    }
    let addresses = registry::addresses(settings)?;
    let crawl_options = crawl_options(options, settings)?;
    let dump = options.dump.as_deref().map(DumpFile::open).transpose()?;
    let db = settings.open().await?;
    replay::read_again_if_due(&db).await?;
    let report = crawl(&db, portal, &crawl_options, dump).await?;
    print_report(&report);
    // What was stored is merged, however the crawl ended.
    let merged = replay::deduplicate(Listings {
        db: &db,
        addresses: &addresses,
    })
    .await?;
    replay::print_dedup_report(&merged);
    db.close().await;
    Ok(outcome_of(&report))
}

fn outcome_of(report: &CrawlReport) -> Outcome {
    match report.outcome() {
        RunOutcome::Alarm | RunOutcome::Failed => Outcome::Failed,
        _ if report.counts().rejected > 0 => Outcome::SomeRejected,
        _ => Outcome::Done,
    }
}

/// Crawls into a database that is deleted afterwards.
async fn try_out(
    options: &Scrape,
    settings: &Settings,
    portal: &Portal,
) -> anyhow::Result<Outcome> {
    let crawl_options = crawl_options(options, settings)?;
    let dump = options.dump.as_deref().map(DumpFile::open).transpose()?;
    let folder = std::env::temp_dir().join(format!("jeden-dry-run-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let url = format!("sqlite://{}", folder.join("dry-run.db").display());
    let db = Db::open(&DatabaseSettings::new(&url)).await?;
    let crawled = crawl(&db, portal, &crawl_options, dump).await;
    db.close().await;
    std::fs::remove_dir_all(&folder)?;
    let report = crawled?;
    print_report(&report);
    progress::say("Nothing was stored.");
    Ok(outcome_of(&report))
}

fn crawl_options(options: &Scrape, settings: &Settings) -> anyhow::Result<CrawlOptions> {
    let set = settings.crawl_options(&options.site_id)?;
    Ok(CrawlOptions {
        max_listings: options.max_listings,
        lists_only: options.lists_only,
        base_url: options.base_url.clone().or(set.base_url),
        accept_withdrawals: options.accept.withdrawals,
        accept_changes: options.accept.changes,
        ..set
    })
}

/// Crawls until the crawl ends or the user asks it to stop.
async fn crawl(
    db: &Db,
    portal: &Portal,
    options: &CrawlOptions,
    dump: Option<DumpFile>,
) -> anyhow::Result<CrawlReport> {
    let stop = CancellationToken::new();
    let stop_listener = tokio::spawn({
        let stop = stop.clone();
        async move {
            signals::stopped().await;
            progress::say("Stopping after the requests in flight.");
            stop.cancel();
        }
    });
    let mut steps = Steps::new(0, Unit::Count);
    let mut show = |at: CrawlProgress| steps.at(at.counts.seen, &progress_line(&at));
    let context = CrawlContext {
        now: &clock::now,
        seed: random::rng().random(),
        stop,
        dump,
        progress: &mut show,
    };
    let report = crawl::run(db, portal, options, context).await;
    stop_listener.abort();
    steps.done();
    Ok(report?)
}

fn progress_line(at: &CrawlProgress) -> String {
    let step = match &at.step {
        CrawlStep::Walking { section, page } => format!("page {} of {section}", page + 1),
        CrawlStep::Reading { done, of } => format!("{done} of {of} details read"),
        CrawlStep::Missing { done, of } => format!("{done} of {of} missing listings requested"),
    };
    format!(
        "{step}; {} listings seen, {} requests",
        at.counts.seen, at.counts.requests
    )
}

/// Prints what a crawl did.
fn print_report(report: &CrawlReport) {
    let (run, counts) = (&report.run, report.counts());
    if report.resumed {
        progress::say(&format!(
            "Resumed the crawl that began at {}.",
            run.started_at
        ));
    }
    progress::say(&format!(
        "{}: {} listings seen; {} new, {} changed, {} gone, {} rejected; {} requests, {} bytes, {}.",
        run.site_id,
        counts.seen,
        counts.new,
        counts.changed,
        counts.gone,
        counts.rejected,
        counts.requests,
        counts.bytes,
        humantime::format_duration(Duration::from_millis(report.millis().unsigned_abs())),
    ));
    let trouble = report
        .trouble()
        .map(|trouble| format!(": {trouble}"))
        .unwrap_or_default();
    progress::say(&match run.outcome {
        RunOutcome::Alarm => format!("ALARM{trouble}"),
        RunOutcome::Failed => format!("The crawl failed{trouble}."),
        outcome => format!("The crawl is {outcome}{trouble}."),
    });
    if run.outcome == RunOutcome::Stopped {
        progress::say(
            "The next crawl of the portal resumes here if it starts within twelve hours.",
        );
    }
}
