//! One crawl.

use askama::Template;
use axum::extract::{Path, State};
use schema::store::crawl_lines;
use schema::store::crawl_runs::{self, RunId};

use super::run_rows::RunRow;
use super::{Page, page};
use crate::error::ConsoleError;
use crate::format;
use crate::state::Console;
use crate::visit::{Frame, Visit};

#[derive(Template)]
#[template(path = "crawl.html")]
struct CrawlPage {
    frame: Frame,
    site: String,
    run: RunRow,
    step: String,
    trouble: String,
    since: String,
    lines: Vec<Line>,
}

struct Line {
    at: String,
    text: String,
    seen: String,
    requests: String,
}

/// GET /portals/{site}/crawls/{id}
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Path((site, id)): Path<(String, i64)>,
) -> Page {
    let run = crawl_runs::get(console.db(), RunId(id)).await?;
    let run = run.filter(|run| run.site_id == site);
    let run = run.ok_or(ConsoleError::NotFound)?;
    let lines = crawl_lines::of_run(console.db(), run.id).await?;
    let lines = lines.into_iter().map(|one| Line {
        at: format::clock(one.at),
        text: one.line,
        seen: format::count(one.seen),
        requests: format::count(one.requests),
    });
    page(&CrawlPage {
        lines: lines.collect(),
        frame: visit.frame_with_refresh("overview", if run.finished_at.is_some() { 0 } else { 5 }),
        step: ingest::crawl::step_of(&run),
        trouble: run.trouble.clone().unwrap_or_default(),
        since: operations::shown_time::local(run.started_at),
        run: RunRow::new(&run, visit.l),
        site,
    })
}
