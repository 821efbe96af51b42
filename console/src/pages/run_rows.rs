//! Crawls as rows of tables.

use schema::store::crawl_runs::{CrawlRun, RunOutcome};

use crate::format;
use crate::language::Language;

/// A crawl as a row.
pub(super) struct RunRow {
    pub(super) id: i64,
    pub(super) class: &'static str,
    pub(super) outcome: &'static str,
    pub(super) title: String,
    pub(super) began: String,
    pub(super) took: String,
    pub(super) seen: String,
    pub(super) new: String,
    pub(super) changed: String,
    pub(super) gone: String,
    pub(super) rejected: String,
    pub(super) requests: String,
    pub(super) bytes: String,
}

impl RunRow {
    pub(super) fn new(run: &CrawlRun, l: Language) -> Self {
        let end = run.finished_at.unwrap_or(run.alive_at);
        let counts = &run.counts;
        let outcome = outcome(run.outcome.as_str(), l);
        let began = format::time(run.started_at);
        Self {
            id: run.id.0,
            class: class(run.outcome),
            outcome,
            title: format!("{began}: {outcome}, {}", format::count(counts.seen)),
            began,
            took: format::duration((end.millis() - run.started_at.millis()) / 1000),
            seen: format::count(counts.seen),
            new: format::count(counts.new),
            changed: format::count(counts.changed),
            gone: format::count(counts.gone),
            rejected: format::count(counts.rejected),
            requests: format::count(counts.requests),
            bytes: format::bytes(counts.bytes),
        }
    }
}

fn class(outcome: RunOutcome) -> &'static str {
    outcome.as_str()
}

/// How a crawl ended, in words.
pub(super) fn outcome(code: &str, l: Language) -> &'static str {
    match code {
        "running" => l.t("running", "běží"),
        "complete" => l.t("complete", "úplné"),
        "partial" => l.t("partial", "částečné"),
        "alarm" => l.t("alarm", "poplach"),
        "failed" => l.t("failed", "selhalo"),
        "stopped" => l.t("stopped", "zastaveno"),
        "killed" => l.t("killed", "přerušeno"),
        _ => "",
    }
}
