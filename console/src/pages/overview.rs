//! The state of everything.

use askama::Template;
use axum::extract::State;
use operations::concerns::Concern;
use operations::status::KEY_FIELDS;
use operations::watch::PortalStatus;
use schema::Timestamp;
use schema::store::jobs::Task;

use super::figures::{Figure, figures};
use super::run_rows;
use super::{Page, page};
use crate::drawing::{Bars, sparkbars, sparkline};
use crate::format;
use crate::language::Language;
use crate::snapshot::{DayFigures, PortalFigures, Snapshot};
use crate::state::Console;
use crate::visit::{Frame, Visit};
use crate::words;

/// How often the page updates itself, in seconds.
const REFRESH: u32 = 5;

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    frame: Frame,
    at: String,
    concerns: Vec<ShownConcern>,
    figures: Vec<Figure>,
    rows: Vec<PortalRow>,
    jobs: Vec<JobRow>,
    workers: String,
}

struct ShownConcern {
    about: String,
    what: String,
    todo: String,
    is_portal: bool,
    is_alarm: bool,
}

struct PortalRow {
    site: String,
    live: String,
    live_chart: String,
    new: String,
    new_chart: String,
    gone: String,
    gone_chart: String,
    rejected: String,
    rejected_chart: String,
    freshness: String,
    freshness_class: &'static str,
    outcome: &'static str,
    outcome_class: String,
    crawl: String,
    next: String,
    fields: Vec<FieldChart>,
}

pub(super) struct FieldChart {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) chart: String,
}

struct JobRow {
    what: String,
    due: String,
    worker: String,
    failures: String,
}

/// GET /
pub(crate) async fn show(State(console): State<Console>, visit: Visit) -> Page {
    let snapshot = console.snapshots().current(console.now()).await?;
    let l = visit.l;
    let rows = snapshot
        .portals
        .iter()
        .map(|portal| row(portal, &snapshot, l));
    let jobs = snapshot.unfinished.iter().map(|one| JobRow {
        what: match &one.job.task {
            Task::Crawl { site_id, .. } => format!("crawl {site_id}"),
            other => other.kind().to_owned(),
        },
        due: format::time(one.run_at),
        worker: one.worker.clone().unwrap_or_default(),
        failures: one.job.failures.to_string(),
    });
    let workers: Vec<String> = snapshot
        .workers
        .iter()
        .map(|one| format!("{} ({})", one.name, one.queue))
        .collect();
    page(&OverviewPage {
        at: format::clock(snapshot.at),
        concerns: snapshot
            .concerns
            .iter()
            .map(|one| shown_concern(one, &snapshot, l))
            .collect(),
        figures: figures(&snapshot, l),
        rows: rows.collect(),
        jobs: jobs.collect(),
        workers: if workers.is_empty() {
            l.t("No worker is alive.", "Žádný pracovník neběží.")
                .to_owned()
        } else {
            workers.join(", ")
        },
        frame: visit.frame_with_refresh("overview", REFRESH),
    })
}

fn shown_concern(one: &Concern, snapshot: &Snapshot, l: Language) -> ShownConcern {
    let portal = snapshot
        .found
        .portals
        .iter()
        .find(|portal| portal.portal == one.about);
    let run = portal.and_then(|portal| portal.last_run.as_ref());
    let (what, todo) = words::concern(one, l);
    ShownConcern {
        about: one.about.clone(),
        what,
        todo,
        is_portal: portal.is_some(),
        is_alarm: run.is_some_and(|run| run.alarm.is_some()),
    }
}

fn row(portal: &PortalFigures, snapshot: &Snapshot, l: Language) -> PortalRow {
    let bars = |class: &'static str, name: &'static str, of: fn(&DayFigures) -> u64| {
        let values: Vec<Option<f64>> = portal
            .days
            .iter()
            .map(|day| day.crawled.then(|| of(day) as f64))
            .collect();
        sparkbars(&Bars {
            values: &values,
            name,
            class,
        })
    };
    let live: Vec<Option<f64>> = portal.days.iter().map(|day| day.live).collect();
    let today = portal.days.last().copied().unwrap_or_default();
    let status = snapshot
        .found
        .portals
        .iter()
        .find(|one| one.portal == portal.site);
    let run = status.and_then(|status| status.last_run.as_ref());
    PortalRow {
        live: format::count(portal.live),
        live_chart: sparkline(
            &Bars {
                values: &live,
                name: l.t("live over 30 days", "živé za 30 dní"),
                class: "live",
            },
            None,
        ),
        new: format::count(today.new),
        new_chart: bars("new", l.t("new over 30 days", "nové za 30 dní"), |day| {
            day.new
        }),
        gone: format::count(today.gone),
        gone_chart: bars(
            "gone",
            l.t("gone over 30 days", "zmizelé za 30 dní"),
            |day| day.gone,
        ),
        rejected: format::count(today.rejected),
        rejected_chart: bars(
            "rejected",
            l.t("rejected over 30 days", "odmítnuté za 30 dní"),
            |day| day.rejected,
        ),
        freshness: portal.last_complete.map_or_else(
            || l.t("never", "nikdy").to_owned(),
            |at| ago(at, snapshot.at, l),
        ),
        freshness_class: if portal.overdue_seconds > 300 {
            "late"
        } else {
            ""
        },
        outcome: run.map_or(l.t("never", "nikdy"), |run| {
            run_rows::outcome(run.outcome, l)
        }),
        outcome_class: run.map(|run| run.outcome.to_owned()).unwrap_or_default(),
        crawl: status.map(|status| crawl(status, l)).unwrap_or_default(),
        next: status.map(|status| next(status, l)).unwrap_or_default(),
        fields: field_charts(&portal.site, snapshot),
        site: portal.site.clone(),
    }
}

/// How long ago something was.
pub(super) fn ago(at: Timestamp, now: Timestamp, l: Language) -> String {
    let ago = format::duration((now.millis() - at.millis()) / 1000);
    match l {
        Language::English => format!("{ago} ago"),
        Language::Czech => format!("před {ago}"),
    }
}

/// The last crawl: its step and estimated end while it runs, otherwise when it was.
fn crawl(status: &PortalStatus, l: Language) -> String {
    let Some(run) = &status.last_run else {
        return String::new();
    };
    let Some(step) = &run.step else {
        return format::time(run.started_at);
    };
    let end = status.expected_seconds.map(|seconds| {
        let end = Timestamp(run.started_at.millis() + seconds * 1000);
        format!(", {} {}", l.t("until about", "asi do"), format::time(end))
    });
    format!("{step}{}", end.unwrap_or_default())
}

fn next(status: &PortalStatus, l: Language) -> String {
    match status.next_run {
        _ if status.paused => l.t("paused", "pozastaven").to_owned(),
        Some(at) => format::time(at),
        None => "–".to_owned(),
    }
}

/// The share of the newest adverts that has each key field, now and over thirty days.
pub(super) fn field_charts(site: &str, snapshot: &Snapshot) -> Vec<FieldChart> {
    let Some(fields) = snapshot.found.fields.get(site) else {
        return Vec::new();
    };
    let chart = |name: &'static str| {
        let share = fields.filled.get(name).copied().unwrap_or_default();
        let mut values = snapshot.by_day(site, &format!("filled.{name}"));
        if let Some(today) = values.last_mut() {
            *today = Some(share);
        }
        let bars = Bars {
            values: &values,
            name,
            class: "field",
        };
        FieldChart {
            name,
            value: format::share(share, 0),
            chart: sparkline(&bars, Some((0.0, 1.0))),
        }
    };
    KEY_FIELDS.into_iter().map(chart).collect()
}
