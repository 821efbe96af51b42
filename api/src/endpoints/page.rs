//! One page of a search: offers are found in the index and read from the store, both at the same change number.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use schema::store::offers;
use tokio::sync::Semaphore;

use crate::bodies::Pagination;
use crate::error::ApiError;
use crate::index::{Filter, Found, Hit, OfferIndex, PageRequest, Stop, View};
use crate::state::ApiState;

/// How often a page is searched again because an offer on it changed in the meantime.
const ATTEMPTS: usize = 5;

/// The offers of a page.
pub(crate) struct Page {
    /// The summaries, as JSON.
    pub summaries: Vec<Vec<u8>>,
    /// The last offer of the page; `None` on an empty page.
    pub last: Option<Hit>,
    /// Whether more offers match.
    pub more: bool,
    /// The change number of the index that was searched.
    pub as_of: i64,
}

/// Why no page was found.
pub(crate) enum PageError {
    /// The deadline passed.
    TimedOut,
    /// The service failed.
    Failed(ApiError),
}

impl<E: Into<ApiError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Finds a page.
///
/// The index may be behind the store, and the store may change while the page is read. So the store's change number is
/// read afterwards. If it equals the number of the index, the page is up to date. Otherwise the index catches up, and
/// the page is kept if two things hold: the index was no older than the request, and no offer on the page has changed
/// since. If they do not hold, the search is repeated. After the last attempt the changed offers are left out; the
/// interface allows that for an offer that changes between pages.
pub(crate) async fn find_page(
    api: &ApiState,
    filter: Filter,
    request: PageRequest,
    deadline: Instant,
) -> Result<Page, PageError> {
    let filter = Arc::new(filter);
    let mut view = view_at_least(api.index(), request.as_of, deadline).await?;
    let mut is_recent = request.as_of.is_some();
    let mut attempts = 0;
    loop {
        attempts += 1;
        let (found, summaries) = search_and_read(api, &view, &filter, request, deadline).await?;
        let latest = offers::last_change(api.db()).await?;
        let newer = if latest <= view.change() {
            Arc::clone(&view)
        } else {
            api.index().catch_up(latest).await?
        };
        let is_unchanged = |hit: &Hit| newer.change_of(hit.position.row) == Some(hit.change);
        let is_valid = found.hits.iter().all(is_unchanged);
        if latest <= view.change() || is_recent && (is_valid || attempts >= ATTEMPTS) {
            let last = found.hits.last().copied();
            let read = found
                .hits
                .iter()
                .zip(summaries)
                .filter(|(hit, _)| is_unchanged(hit));
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

/// Searches the index and reads the summaries of the offers found.
async fn search_and_read(
    api: &ApiState,
    view: &Arc<View>,
    filter: &Arc<Filter>,
    request: PageRequest,
    deadline: Instant,
) -> Result<(Found, Vec<Option<Vec<u8>>>), PageError> {
    let found = scan(
        api.scans(),
        Arc::clone(view),
        Arc::clone(filter),
        request,
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

/// Searches the index on a blocking thread. The search stops when this future is dropped, that is when the client has
/// disconnected.
async fn scan(
    scans: &Semaphore,
    view: Arc<View>,
    filter: Arc<Filter>,
    request: PageRequest,
    deadline: Instant,
) -> Result<Found, PageError> {
    let _permit = scans.acquire().await.map_err(ApiError::internal)?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let stop = Stop::new(deadline, Arc::clone(&cancelled));
    let _cancel = CancelOnDrop(cancelled);
    let search = tokio::task::spawn_blocking(move || view.search(&filter, request, &stop));
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

/// The index at change number `as_of` or later. If a read replica has not reached it yet, this waits.
async fn view_at_least(
    index: &OfferIndex,
    as_of: Option<i64>,
    deadline: Instant,
) -> Result<Arc<View>, PageError> {
    let view = index.view();
    let Some(as_of) = as_of.filter(|as_of| view.change() < *as_of) else {
        return Ok(view);
    };
    let mut pause = Duration::from_millis(5);
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

impl Page {
    /// The body of the answer. The stored summaries are JSON already and are copied unchanged.
    ///
    /// # Errors
    /// If serde cannot write the pagination, which does not happen in practice.
    pub(crate) fn body(
        &self,
        limit: u32,
        next_cursor: Option<&str>,
    ) -> serde_json::Result<Vec<u8>> {
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
