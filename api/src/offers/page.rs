//! One page of a search: found in the index, read from the store, so that both are of one moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use schema::store::offers;
use serde::Serialize;
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::index::{Filter, Found, Hit, OfferIndex, Stop, View, Walk};
use crate::state::ApiState;

/// Times a page is looked for again because an offer on it changed meanwhile.
const ATTEMPTS: usize = 5;

/// A page, ready to be written.
pub struct Page {
    /// The summaries, as JSON.
    pub summaries: Vec<Vec<u8>>,
    /// The last offer looked at; `None` on an empty page.
    pub last: Option<Hit>,
    /// Whether there are more offers.
    pub more: bool,
    /// The change number that the page is of.
    pub as_of: i64,
}

/// Why no page was found.
pub enum PageError {
    /// The deadline came first.
    TimedOut,
    /// A fault of the service.
    Failed(ApiError),
}

impl<E: Into<ApiError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Finds a page.
///
/// The index may be behind the store, and the store may move on while the page is read. So the store's change number is
/// asked for afterwards: where it is the index's, nothing changed between, and the page is the newest there is. Where it
/// is not, the index catches up; the page stands if it was looked for in an index no older than the request and none of
/// its offers changed since, else it is looked for again. Where offers change faster than they are read, those that
/// changed are left out in the end: an offer that changes during a walk may be.
pub async fn find(
    api: &ApiState,
    filter: Filter,
    walk: Walk,
    deadline: Instant,
) -> Result<Page, PageError> {
    let filter = Arc::new(filter);
    let mut view = view_at_least(api.index(), walk.as_of, deadline).await?;
    let mut is_recent = walk.as_of.is_some();
    let mut attempts = 0;
    loop {
        attempts += 1;
        let (found, summaries) = look(api, &view, &filter, walk, deadline).await?;
        let latest = offers::last_change(api.db()).await?;
        let newer = if latest <= view.change() {
            Arc::clone(&view)
        } else {
            api.index().catch_up(latest).await?
        };
        let stands = |hit: &Hit| newer.change_of(hit.position.row) == Some(hit.change);
        let is_whole = found.hits.iter().all(stands);
        if latest <= view.change() || is_recent && (is_whole || attempts >= ATTEMPTS) {
            let last = found.hits.last().copied();
            let read = found
                .hits
                .iter()
                .zip(summaries)
                .filter(|(hit, _)| stands(hit));
            let summaries = read.filter_map(|(_, summary)| summary).collect();
            return Ok(Page {
                summaries,
                last,
                more: found.more,
                as_of: view.change(),
            });
        }
        is_recent = true;
        view = newer;
    }
}

/// Searches the index and reads what was found.
async fn look(
    api: &ApiState,
    view: &Arc<View>,
    filter: &Arc<Filter>,
    walk: Walk,
    deadline: Instant,
) -> Result<(Found, Vec<Option<Vec<u8>>>), PageError> {
    let found = scan(
        api.scans(),
        Arc::clone(view),
        Arc::clone(filter),
        walk,
        deadline,
    )
    .await?;
    let rows: Vec<i64> = found.hits.iter().map(|hit| hit.position.row).collect();
    let summaries = if rows.is_empty() {
        Vec::new()
    } else {
        offers::summaries(api.db(), &rows).await?
    };
    Ok((found, summaries))
}

/// Searches the index off the threads that serve connections, and stops when nobody waits for it any more.
async fn scan(
    scans: &Semaphore,
    view: Arc<View>,
    filter: Arc<Filter>,
    walk: Walk,
    deadline: Instant,
) -> Result<Found, PageError> {
    let _turn = scans.acquire().await.map_err(ApiError::internal)?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let stop = Stop::new(deadline, Arc::clone(&cancelled));
    let _cancel = CancelOnDrop(cancelled);
    let search = tokio::task::spawn_blocking(move || view.search(&filter, walk, &stop));
    match search.await.map_err(ApiError::internal)? {
        Ok(found) => Ok(found),
        Err(_) => Err(PageError::TimedOut),
    }
}

struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The index, caught up to change number `as_of`. A read replica may not have got that far: it is waited for.
async fn view_at_least(
    index: &OfferIndex,
    as_of: Option<i64>,
    deadline: Instant,
) -> Result<Arc<View>, PageError> {
    let view = index.view();
    let Some(as_of) = as_of.filter(|as_of| view.change() < *as_of) else {
        return Ok(view);
    };
    let mut pause = std::time::Duration::from_millis(5);
    loop {
        let view = index.catch_up(as_of).await?;
        if view.change() >= as_of {
            return Ok(view);
        }
        if Instant::now() + pause >= deadline {
            return Err(PageError::TimedOut);
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Pagination<'a> {
    limit: u32,
    count: usize,
    has_more: bool,
    next_cursor: Option<&'a str>,
}

impl Page {
    /// The answer's body: the stored summaries, as they are, between brackets.
    ///
    /// # Errors
    /// Never in practice: what serde says of the pagination.
    pub fn body(&self, limit: u32, next_cursor: Option<&str>) -> serde_json::Result<Vec<u8>> {
        let pagination = Pagination {
            limit,
            count: self.summaries.len(),
            has_more: self.more,
            next_cursor,
        };
        let size: usize = self.summaries.iter().map(|summary| summary.len() + 1).sum();
        let mut body = Vec::with_capacity(size + 256);
        body.extend_from_slice(b"{\"data\":[");
        for (place, summary) in self.summaries.iter().enumerate() {
            if place > 0 {
                body.push(b',');
            }
            body.extend_from_slice(summary);
        }
        body.extend_from_slice(b"],\"pagination\":");
        serde_json::to_writer(&mut body, &pagination)?;
        body.push(b'}');
        Ok(body)
    }
}
