//! `jeden schedule`

use anyhow::{Context, bail};
use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use ingest::crawl_definition::Access;
use ingest::portals;
use operations::crawl_requests::{CrawlRequest, request_crawl};
use operations::cron_line::CronLine;
use operations::shown_time::{local, took};
use operations::watch::{self, DEAD_AFTER, PortalStatus};
use schema::Timestamp;
use schema::store::crawl_runs;
use schema::store::jobs::{self, Accepted};
use schema::store::{Db, schedules};

use super::scrape::Accept;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress};

/// `jeden schedule`
#[derive(Debug, Subcommand)]
pub enum Schedule {
    /// List every portal with its next and its last crawl
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Set the cron line by which a portal is crawled, in Czech time
    Set {
        /// The portal, as in dumps
        portal: String,
        /// MINUTE HOUR DAY MONTH WEEKDAY, optionally with SECOND first: "30 4 * * *" is half past four every day
        cron: String,
        /// Between these crawls, walk only the portal's lists by this cron line: ends are found, and no details are read
        #[arg(long, value_name = "CRON")]
        lists: Option<String>,
    },
    /// Pause a portal's schedule; crawls that are due meanwhile are skipped
    Pause {
        /// The portal
        portal: String,
    },
    /// Resume a paused schedule
    Resume {
        /// The portal
        portal: String,
    },
    /// Remove a portal's schedule; its listings stay
    Remove {
        /// The portal
        portal: String,
    },
    /// Queue a crawl of a portal for a worker, whether the portal is scheduled or not
    Run {
        /// The portal
        portal: String,
        #[command(flatten)]
        accept: Accept,
    },
    /// Stop the running crawl of a portal; it stores its position, and the next crawl continues it
    Stop {
        /// The portal
        portal: String,
    },
}

pub async fn run(action: Schedule, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let now = clock::now();
    match action {
        Schedule::List { json } => list(&watch::portals(&db, now).await?, json)?,
        Schedule::Set {
            portal,
            cron,
            lists,
        } => {
            let lines = Lines {
                cron: &cron,
                lists: lists.as_deref(),
            };
            set(&db, settings, &portal, lines, now).await?;
        }
        Schedule::Pause { portal } => pause(&db, &portal, true, now).await?,
        Schedule::Resume { portal } => pause(&db, &portal, false, now).await?,
        Schedule::Remove { portal } => remove(&db, &portal).await?,
        Schedule::Stop { portal } => stop(&db, &portal, now).await?,
        Schedule::Run { portal, accept } => {
            let accepted = Accepted {
                withdrawals: accept.withdrawals,
                changes: accept.changes,
            };
            require_crawlable(settings, &portal)?;
            crawl_now(&db, &portal, accepted, now).await?;
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}

/// Fails if the portal is unknown or must not be crawled.
pub fn require_crawlable(settings: &Settings, site_id: &str) -> anyhow::Result<()> {
    let Some(portal) = portals::portal(site_id) else {
        let known: Vec<&str> = portals::PORTALS
            .iter()
            .map(|portal| portal.site_id)
            .collect();
        bail!(
            "there is no portal {site_id:?}; the portals are {}",
            known.join(", ")
        );
    };
    let options = settings.crawl_options(site_id)?;
    if let Access::Forbidden { by } = portal.crawl.access
        && options.permission.is_none()
        && options.base_url.is_none()
    {
        bail!(
            "{site_id} does not allow programs: {by}. If you have permission, state it in the settings file: \
             [portals.{site_id}] permission = \"who gave it, and when\""
        );
    }
    if options.contact.trim().is_empty() {
        progress::say(
            "No portal is crawled until a contact is set: --contact, JEDEN_CONTACT or `contact` in the settings file.",
        );
    }
    Ok(())
}

/// The cron lines of a portal.
#[derive(Clone, Copy)]
struct Lines<'a> {
    cron: &'a str,
    /// By which only the lists are walked.
    lists: Option<&'a str>,
}

/// The next three times that a cron line names.
fn next_times(cron: &str, now: Timestamp) -> anyhow::Result<String> {
    let line: CronLine = cron.parse()?;
    let due = std::iter::successors(line.next_after(now), |due| line.next_after(*due));
    let next: Vec<String> = due.take(3).map(local).collect();
    if next.is_empty() {
        bail!("the cron line {cron:?} is never due");
    }
    Ok(next.join(", "))
}

async fn set(
    db: &Db,
    settings: &Settings,
    site_id: &str,
    lines: Lines<'_>,
    now: Timestamp,
) -> anyhow::Result<()> {
    let Lines { cron, lists } = lines;
    let next = next_times(cron, now)?;
    let next_of_lists = lists.map(|lists| next_times(lists, now)).transpose()?;
    require_crawlable(settings, site_id)?;
    let mut tx = db.begin().await?;
    schedules::set(&mut tx, site_id, cron, now).await?;
    schedules::set_lists(&mut tx, site_id, lists, now).await?;
    tx.commit().await?;
    progress::say(&format!(
        "{site_id} is scheduled by {cron:?}, Czech time. Next crawls: {next}."
    ));
    if let Some((lists, next)) = lists.zip(next_of_lists) {
        progress::say(&format!(
            "Only its lists are walked by {lists:?}. Next crawls of lists: {next}."
        ));
    }
    if schedules::list(db)
        .await?
        .iter()
        .any(|one| one.site_id == site_id && one.paused)
    {
        progress::say(&format!(
            "The schedule is paused; `jeden schedule resume {site_id}` resumes it."
        ));
    }
    warn_without_worker(db, now).await
}

async fn pause(db: &Db, site_id: &str, paused: bool, now: Timestamp) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    let found = schedules::pause(&mut tx, site_id, paused, now).await?;
    tx.commit().await?;
    if !found {
        bail!("{site_id} is not scheduled; `jeden schedule list` shows the portals that are");
    }
    progress::say(&if paused {
        format!(
            "The schedule of {site_id} is paused until `jeden schedule resume {site_id}`. A running crawl continues."
        )
    } else {
        format!("The schedule of {site_id} is resumed. Crawls that were due meanwhile are skipped.")
    });
    Ok(())
}

async fn remove(db: &Db, site_id: &str) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    let found = schedules::remove(&mut tx, site_id).await?;
    tx.commit().await?;
    if !found {
        bail!("{site_id} is not scheduled; `jeden schedule list` shows the portals that are");
    }
    progress::say(&format!(
        "{site_id} is no longer scheduled. Its listings stay."
    ));
    Ok(())
}

async fn stop(db: &Db, site_id: &str, now: Timestamp) -> anyhow::Result<()> {
    let mut tx = db.begin().await?;
    let is_running = crawl_runs::ask_to_stop(&mut tx, site_id, now).await?;
    tx.commit().await?;
    if !is_running {
        bail!("no crawl of {site_id} is running; `jeden schedule list` shows which are");
    }
    progress::say(&format!(
        "The crawl of {site_id} stops after the requests in flight. The next one continues it; \
         `jeden schedule pause {site_id}` prevents that."
    ));
    Ok(())
}

async fn crawl_now(
    db: &Db,
    site_id: &str,
    accepted: Accepted,
    now: Timestamp,
) -> anyhow::Result<()> {
    progress::say(&match request_crawl(db, site_id, accepted, now).await? {
        CrawlRequest::Running => format!("A crawl of {site_id} is running."),
        CrawlRequest::AlreadyQueued => format!("A crawl of {site_id} is already queued."),
        CrawlRequest::Queued => {
            format!("A crawl of {site_id} is queued; `jeden schedule list` shows its progress.")
        }
    });
    warn_without_worker(db, now).await
}

async fn warn_without_worker(db: &Db, now: Timestamp) -> anyhow::Result<()> {
    if jobs::workers(db, Timestamp(now.millis() - DEAD_AFTER))
        .await?
        .is_empty()
    {
        progress::say("No worker is running: start one with `jeden work`.");
    }
    Ok(())
}

fn list(portals: &[PortalStatus], json: bool) -> anyhow::Result<()> {
    if json {
        return Ok(progress::result(
            &serde_json::to_string_pretty(portals).context("the schedules as JSON")?,
        )?);
    }
    if portals.is_empty() {
        progress::say(
            "No portal is scheduled; schedule one with `jeden schedule set PORTAL CRON`.",
        );
        return Ok(());
    }
    Ok(progress::result(&table(portals).to_string())?)
}

/// A table of the portals with their schedules and last crawls.
pub fn table(portals: &[PortalStatus]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header([
        "portal",
        "cron",
        "lists",
        "next run",
        "expected",
        "last run",
        "took",
        "outcome",
        "seen",
        "new",
        "changed",
        "gone",
        "rejected",
        "alarm or step",
    ]);
    for portal in portals {
        let mut row = vec![
            portal.portal.clone(),
            portal.cron.clone().unwrap_or_else(|| "-".to_owned()),
            portal.lists_cron.clone().unwrap_or_else(|| "-".to_owned()),
        ];
        row.push(match portal.next_run {
            _ if portal.paused => "paused".to_owned(),
            next => next.map_or_else(|| "-".to_owned(), local),
        });
        row.push(portal.expected_seconds.map_or_else(|| "-".to_owned(), took));
        if let Some(run) = &portal.last_run {
            row.extend([
                local(run.started_at),
                took(run.seconds),
                with_lists(run.outcome, run.lists_only),
            ]);
            row.extend(
                [run.seen, run.new, run.changed, run.gone, run.rejected]
                    .map(|count| count.to_string()),
            );
            row.push(
                run.alarm
                    .clone()
                    .or_else(|| run.trouble.clone())
                    .or_else(|| run.step.clone())
                    .unwrap_or_default(),
            );
        } else {
            row.push("never".to_owned());
        }
        table.add_row(row);
    }
    table
}

/// The outcome of a crawl, with a remark if it only walked the lists.
pub fn with_lists(outcome: &str, lists_only: bool) -> String {
    let remark = if lists_only { " (lists)" } else { "" };
    format!("{outcome}{remark}")
}
