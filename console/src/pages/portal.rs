//! One portal: its schedule, its crawls, the values that were left out, and what operators can do.

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use operations::crawl_requests::{CrawlRequest, request_crawl};
use operations::cron_line::CronLine;
use schema::Timestamp;
use schema::store::jobs::Accepted;
use schema::store::{crawl_runs, schedules, value_rejects};
use serde::Deserialize;

use super::overview::{FieldChart, field_charts};
use super::run_rows::{self, RunRow};
use super::{Page, audited, page};
use crate::access::OperatorOnly;
use crate::error::ConsoleError;
use crate::format;
use crate::state::Console;
use crate::visit::{Frame, Visit};

/// How many crawls the grid shows, and how many of them the table.
const GRID: u32 = 240;
const TABLE: usize = 25;
/// Of how many values left out lately the reasons are counted.
const LEFT_OUT: u32 = 2_000;
/// How many runs are shown in advance.
const NEXT_RUNS: usize = 5;

#[derive(Template)]
#[template(path = "portal.html")]
struct PortalPage {
    frame: Frame,
    site: String,
    state: String,
    alarm: String,
    cron: String,
    paused: bool,
    is_running: bool,
    next_runs: Vec<String>,
    fields: Vec<FieldChart>,
    runs: Vec<RunRow>,
    table: Vec<RunRow>,
    left_out: Vec<LeftOutRow>,
}

struct LeftOutRow {
    count: String,
    field: String,
    reason: String,
}

/// GET /portals/{site}
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Path(site): Path<String>,
) -> Page {
    let l = visit.l;
    let now = console.now();
    let snapshot = console.snapshots().current(now).await?;
    let is_known = ingest::portals::portal(&site).is_some()
        || snapshot.portals.iter().any(|portal| portal.site == site);
    if !is_known {
        return Err(ConsoleError::NotFound);
    }
    let status = snapshot.found.portals.iter().find(|one| one.portal == site);
    let last_run = status.and_then(|status| status.last_run.as_ref());
    let schedules = schedules::list(console.db()).await?;
    let schedule = schedules.iter().find(|one| one.site_id == site);
    let line = schedule.and_then(|one| one.cron.parse::<CronLine>().ok());
    let next_runs = line.map_or_else(Vec::new, |line| next_runs(&line, now));
    let runs = crawl_runs::list(console.db(), Some(&site), GRID).await?;
    let left_out = value_rejects::newest_counts(console.db(), &site, LEFT_OUT).await?;
    page(&PortalPage {
        state: last_run.map_or_else(String::new, |run| {
            let outcome = run_rows::outcome(run.outcome, l);
            format!("{outcome} {}", run.step.as_deref().unwrap_or_default())
        }),
        alarm: last_run
            .and_then(|run| run.alarm.clone())
            .unwrap_or_default(),
        is_running: last_run.is_some_and(|run| run.outcome == "running"),
        cron: schedule.map(|one| one.cron.clone()).unwrap_or_default(),
        paused: schedule.is_some_and(|one| one.paused),
        next_runs,
        fields: field_charts(&site, &snapshot),
        table: runs
            .iter()
            .take(TABLE)
            .map(|run| RunRow::new(run, l))
            .collect(),
        runs: runs.iter().rev().map(|run| RunRow::new(run, l)).collect(),
        left_out: left_out
            .into_iter()
            .map(|(field, reason, count)| LeftOutRow {
                count: format::count(count),
                field,
                reason,
            })
            .collect(),
        site,
        frame: visit.frame_with_refresh("overview", 10),
    })
}

fn next_runs(line: &CronLine, now: Timestamp) -> Vec<String> {
    let runs = std::iter::successors(line.next_after(now), |due| line.next_after(*due));
    runs.take(NEXT_RUNS).map(format::time).collect()
}

/// What comes with an action.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ActionForm {
    cron: String,
}

/// POST /portals/{site}/{action}
pub(crate) async fn act(
    State(console): State<Console>,
    OperatorOnly(person): OperatorOnly,
    Path((site, action)): Path<(String, String)>,
    Form(form): Form<ActionForm>,
) -> Result<Response, ConsoleError> {
    let (db, now) = (console.db(), console.now());
    let mut tx = db.begin().await?;
    let mut done = action.as_str();
    match action.as_str() {
        "pause" | "resume" => {
            if !schedules::pause(&mut tx, &site, action == "pause", now).await? {
                return Err(ConsoleError::Refused(format!("{site} is not scheduled")));
            }
        }
        "unschedule" => {
            if !schedules::remove(&mut tx, &site).await? {
                return Err(ConsoleError::Refused(format!("{site} is not scheduled")));
            }
        }
        "schedule" => {
            let cron = form.cron.trim();
            check_cron(cron, now)?;
            may_crawl(&console, &site)?;
            schedules::set(&mut tx, &site, cron, now).await?;
        }
        "stop" => {
            if !crawl_runs::ask_to_stop(&mut tx, &site, now).await? {
                return Err(ConsoleError::Refused(format!(
                    "no crawl of {site} is running"
                )));
            }
        }
        "run" | "believe-withdrawals" | "believe-changes" => {
            tx.rollback().await?;
            done = run(&console, &site, &action).await?;
            tx = db.begin().await?;
        }
        _ => return Err(ConsoleError::NotFound),
    }
    let detail = (action == "schedule").then(|| form.cron.trim().to_owned());
    audited::note(&mut tx, &console, &person, (&action, &site), detail).await?;
    tx.commit().await?;
    console.snapshots().after_action(now).await?;
    Ok(Redirect::to(&format!("/portals/{site}?done={done}")).into_response())
}

/// Queues a crawl. Returns what to tell.
async fn run(console: &Console, site: &str, action: &str) -> Result<&'static str, ConsoleError> {
    may_crawl(console, site)?;
    let accepted = Accepted {
        withdrawals: action == "believe-withdrawals",
        changes: action == "believe-changes",
    };
    let request = request_crawl(console.db(), site, accepted, console.now()).await?;
    Ok(match request {
        CrawlRequest::Running => "running",
        CrawlRequest::AlreadyQueued => "queued",
        CrawlRequest::Queued if action == "run" => "run",
        CrawlRequest::Queued => "believe",
    })
}

fn may_crawl(console: &Console, site: &str) -> Result<(), ConsoleError> {
    (console.config().program.may_crawl)(site).map_err(ConsoleError::Refused)
}

fn check_cron(cron: &str, now: Timestamp) -> Result<(), ConsoleError> {
    let line = cron.parse::<CronLine>();
    let line = line.map_err(|error| ConsoleError::Invalid(error.to_string()))?;
    if line.next_after(now).is_none() {
        return Err(ConsoleError::Invalid(format!(
            "the cron line {cron:?} is never due"
        )));
    }
    Ok(())
}
