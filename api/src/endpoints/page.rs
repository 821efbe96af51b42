//! One page of a search: offers are found in the index, and their documents are read from the file of this process.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use schema::store::offers;

use crate::bodies::Pagination;
use crate::documents::{Document, Tag, Version, tag_of};
use crate::error::ApiError;
use crate::index::{Filter, Found, Hit, OfferIndex, PageRequest, Stop, View};
use crate::state::ApiState;

/// How often a page is searched again because an offer on it changed in the meantime.
const ATTEMPTS: usize = 5;

/// How long a search may run on the thread that serves the request. A longer one continues on a thread that may block.
const AT_ONCE: Duration = Duration::from_millis(1);

/// The offers of a page.
pub(crate) struct Page {
    /// The beginning of the body, up to the last offer.
    body: Vec<u8>,
    /// The tags of the offers.
    tags: Vec<u8>,
    count: usize,
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
/// The index is brought up to the newest change first, if it is behind. A page then shows one state of the index. Its
/// documents are in the file of this process; a page with a document that is not there yet is read from the database. If
/// an offer has changed there since, the search is repeated on a newer index. After the last attempt the changed offers
/// are left out; the interface allows that for an offer that changes between pages.
pub(crate) async fn find_page(
    api: &ApiState,
    filter: Filter,
    request: PageRequest,
    (newest, deadline): (i64, Instant),
) -> Result<Page, PageError> {
    let filter = Arc::new(filter);
    let mut view = api.index().catch_up(newest).await?;
    if let Some(as_of) = request.as_of {
        view = view_at_least(api.index(), view, as_of, deadline).await?;
    }
    let mut attempts = 0;
    loop {
        attempts += 1;
        let found = search(api, &view, &filter, request, deadline).await?;
        if let Some(page) = Page::from_file(api, &found, view.change()) {
            return Ok(page);
        }
        let stored = stored_documents(api, &found).await?;
        let page = Page::from_documents(api, &stored, &found, view.change());
        if page.count == found.hits.len() || attempts == ATTEMPTS {
            return Ok(page);
        }
        view = api.index().catch_up(i64::MAX).await?;
    }
}

/// Searches the index, on this thread if that is quick. The search stops when this future is dropped, that is when the
/// client has disconnected.
async fn search(
    api: &ApiState,
    view: &Arc<View>,
    filter: &Arc<Filter>,
    request: PageRequest,
    deadline: Instant,
) -> Result<Found, PageError> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let soon = deadline.min(Instant::now() + AT_ONCE);
    let at_once = Stop::new(soon, Arc::clone(&cancelled));
    if let Ok(found) = view.search(filter, request, &at_once) {
        return Ok(found);
    }
    let _permit = api.scans().acquire().await.map_err(ApiError::internal)?;
    let stop = Stop::new(deadline, Arc::clone(&cancelled));
    let _cancel = CancelOnDrop(cancelled);
    let (view, filter) = (Arc::clone(view), Arc::clone(filter));
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

/// The documents of the offers found, from the database, by row.
async fn stored_documents(
    api: &ApiState,
    found: &Found,
) -> Result<HashMap<i64, Document>, PageError> {
    let rows: Vec<i64> = found.hits.iter().map(|hit| hit.position.row).collect();
    let stored = offers::documents(api.db(), &rows).await?;
    let documents = stored.into_iter().filter_map(|one| {
        let version = Version {
            row: one.row,
            change: one.change,
        };
        Document::join(version, &one.summary, &one.detail_only)
    });
    Ok(documents
        .map(|document| (document.version.row, document))
        .collect())
}

/// The index at change number `as_of` or later. If a read replica has not reached it yet, this waits.
async fn view_at_least(
    index: &OfferIndex,
    mut view: Arc<View>,
    as_of: i64,
    deadline: Instant,
) -> Result<Arc<View>, PageError> {
    let mut pause = Duration::from_millis(5);
    while view.change() < as_of {
        if Instant::now() + pause >= deadline {
            return Err(PageError::TimedOut);
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
        view = index.catch_up(as_of).await?;
    }
    Ok(view)
}

/// The largest summary for which space is reserved before it is read.
const EXPECTED_SUMMARY: usize = 16_384;

impl Page {
    fn begin(api: &ApiState, found: &Found, as_of: i64) -> Self {
        let sizes = found
            .hits
            .iter()
            .map(|hit| hit.place.summary_length().min(EXPECTED_SUMMARY) + 64);
        let mut body = api.page_buffers().take(sizes.sum::<usize>() + 512);
        body.extend_from_slice(b"{\"data\":[");
        Self {
            body,
            tags: Vec::with_capacity(found.hits.len() * size_of::<Tag>()),
            count: 0,
            last: found.hits.last().copied(),
            more: found.more,
            as_of,
        }
    }

    /// The page with the documents of the file; `None` if one is not there.
    fn from_file(api: &ApiState, found: &Found, as_of: i64) -> Option<Self> {
        let documents = api.index().documents();
        let mut page = Self::begin(api, found, as_of);
        for hit in &found.hits {
            page.separate();
            let tag = documents.read_summary(hit.place, hit.version(), &mut page.body)?;
            page.count_offer(tag);
        }
        Some(page)
    }

    /// The page with these documents. Offers whose document is missing or of another change are left out.
    fn from_documents(
        api: &ApiState,
        documents: &HashMap<i64, Document>,
        found: &Found,
        as_of: i64,
    ) -> Self {
        let mut page = Self::begin(api, found, as_of);
        for hit in &found.hits {
            let document = documents.get(&hit.position.row);
            let Some(document) = document.filter(|it| it.version == hit.version()) else {
                continue;
            };
            page.separate();
            page.body.extend_from_slice(document.summary());
            page.body.push(b'}');
            page.count_offer(document.tag());
        }
        page
    }

    fn separate(&mut self) {
        if self.count > 0 {
            self.body.push(b',');
        }
    }

    fn count_offer(&mut self, tag: Tag) {
        self.tags.extend_from_slice(&tag);
        self.count += 1;
    }

    /// The body of the answer and its tag. The stored summaries are JSON already and are copied unchanged. The tag is the
    /// hash of the tags of the documents and of the pagination, which together decide the body.
    ///
    /// # Errors
    /// If serde cannot write the pagination, which does not happen in practice.
    pub(crate) fn finish(
        self,
        limit: u32,
        next_cursor: Option<&str>,
    ) -> serde_json::Result<(Vec<u8>, Tag)> {
        let Self {
            mut body, mut tags, ..
        } = self;
        let pagination = Pagination {
            limit,
            count: self.count,
            has_more: self.more,
            next_cursor,
        };
        body.extend_from_slice(b"],\"pagination\":");
        let start = body.len();
        serde_json::to_writer(&mut body, &pagination)?;
        tags.extend_from_slice(body.get(start..).unwrap_or_default());
        body.push(b'}');
        Ok((body, tag_of(&tags)))
    }
}
