//! `jeden crawls`

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use operations::shown_time::{local, took};
use schema::Timestamp;
use schema::store::crawl_runs::{self, CrawlRun};
use serde::Serialize;

use super::schedule::with_lists;
use crate::outcome::Outcome;
use crate::progress;
use crate::settings::Settings;

/// `jeden crawls`
#[derive(Debug, Args)]
pub struct Crawls {
    /// Only crawls of this portal
    #[arg(value_name = "PORTAL")]
    site_id: Option<String>,
    /// How many crawls to list, newest first
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A crawl with its figures.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedCrawl {
    portal: String,
    started_at: Timestamp,
    seconds: i64,
    outcome: &'static str,
    lists_only: bool,
    seen: u64,
    new: u64,
    changed: u64,
    gone: u64,
    rejected: u64,
    requests: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

impl From<CrawlRun> for ListedCrawl {
    fn from(run: CrawlRun) -> Self {
        let end = run.finished_at.unwrap_or(run.alive_at);
        Self {
            seconds: (end.millis() - run.started_at.millis()) / 1000,
            portal: run.site_id,
            started_at: run.started_at,
            outcome: run.outcome.as_str(),
            lists_only: run.lists_only,
            seen: run.counts.seen,
            new: run.counts.new,
            changed: run.counts.changed,
            gone: run.counts.gone,
            rejected: run.counts.rejected,
            requests: run.counts.requests,
            bytes: run.counts.bytes,
            trouble: run.trouble,
        }
    }
}

pub async fn run(options: &Crawls, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let runs = crawl_runs::list(&db, options.site_id.as_deref(), options.limit).await?;
    let crawls: Vec<ListedCrawl> = runs.into_iter().map(ListedCrawl::from).collect();
    if options.json {
        progress::result(&serde_json::to_string_pretty(&crawls)?)?;
    } else if crawls.is_empty() {
        progress::say("No crawl has been run; run one with `jeden scrape PORTAL`.");
    } else {
        progress::result(&table(&crawls).to_string())?;
    }
    db.close().await;
    Ok(Outcome::Done)
}

fn table(crawls: &[ListedCrawl]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header([
        "portal", "began", "took", "outcome", "seen", "new", "changed", "gone", "rejected",
        "requests", "bytes", "trouble",
    ]);
    for crawl in crawls {
        let mut row = vec![
            crawl.portal.clone(),
            local(crawl.started_at),
            took(crawl.seconds),
            with_lists(crawl.outcome, crawl.lists_only),
        ];
        let counts = [
            crawl.seen,
            crawl.new,
            crawl.changed,
            crawl.gone,
            crawl.rejected,
            crawl.requests,
            crawl.bytes,
        ];
        row.extend(counts.map(|count| count.to_string()));
        row.push(crawl.trouble.clone().unwrap_or_default());
        table.add_row(row);
    }
    table
}
