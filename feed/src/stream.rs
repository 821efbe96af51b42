//! Changes as server-sent events (WHATWG HTML, 9.2).
//!
//! A stream carries as many changes as one answer in JSON would, or lasts as long as a stream may; then it ends, and the
//! client connects again with `Last-Event-ID`. So each request is counted once, whatever its form.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;

use api::ApiState;
use api::beside::{self, ChangesRequest, Reader, Refusal};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::change::Change;
use crate::page::Page;
use crate::reading::Feed;

const CONTENT_TYPE: &str = "text/event-stream";
const LAST_EVENT_ID: &str = "last-event-id";
/// Keeps proxies such as nginx from collecting the answer.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// The beginning: a client waits two seconds before it connects again.
const BEGINNING: &str = "retry: 2000\n\n";

/// Whether the client asks for a stream.
pub(crate) fn is_accepted(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|types| {
        let mut types = types.split(',').filter_map(|entry| entry.split(';').next());
        types.any(|one| one.trim().eq_ignore_ascii_case(CONTENT_TYPE))
    })
}

/// The number of the last change that the client has seen, by its header.
pub(crate) fn last_event_id(headers: &HeaderMap) -> Result<Option<i64>, Refusal> {
    let Some(value) = headers.get(LAST_EVENT_ID) else {
        return Ok(None);
    };
    let number = value.to_str().ok().and_then(|text| text.parse().ok());
    match number.filter(|number: &i64| *number >= 0) {
        Some(number) => Ok(Some(number)),
        None => Err(Refusal::parameter(
            "Last-Event-ID",
            "must be the id of the last event that was received, a whole number",
        )),
    }
}

/// What a stream needs from its request.
pub(crate) struct Stream {
    pub(crate) api: ApiState,
    pub(crate) feed: Arc<Feed>,
    pub(crate) request: ChangesRequest,
    pub(crate) reader: Reader,
    /// The headers and the query with the token.
    pub(crate) credentials: (HeaderMap, String),
}

/// A stream under way.
struct Sending {
    stream: Stream,
    /// Everything up to this number was sent.
    at: i64,
    /// How many changes may still be sent.
    left: usize,
    until: Instant,
    checked: Instant,
    /// The page to be sent next.
    page: Option<Page>,
    begun: bool,
}

impl Stream {
    /// The answer, which begins with a page.
    pub(crate) fn into_response(self, first: Page) -> Response {
        let now = Instant::now();
        let sending = Sending {
            at: first.next_after,
            left: self.request.limit as usize,
            until: now + self.feed.longest_stream,
            checked: now,
            page: Some(first),
            begun: false,
            stream: self,
        };
        let pieces = futures::stream::unfold(sending, async |mut sending| {
            let piece = sending.next().await?;
            Some((Ok::<_, Infallible>(piece), sending))
        });
        let headers = [
            (header::CONTENT_TYPE, CONTENT_TYPE),
            (ACCEL_BUFFERING, "no"),
        ];
        (headers, Body::from_stream(pieces)).into_response()
    }
}

impl Sending {
    /// The next piece of the answer; `None` at its end.
    async fn next(&mut self) -> Option<Bytes> {
        let mut text = String::new();
        if !self.begun {
            self.begun = true;
            BEGINNING.clone_into(&mut text);
        }
        loop {
            if let Some(page) = self.page.take() {
                self.left = self.left.saturating_sub(page.changes.len());
                self.at = page.next_after;
                page.changes
                    .iter()
                    .for_each(|change| write_change(change, &mut text));
                if !page.has_more {
                    // So that the client comes back to where the filter has looked already.
                    write_id(self.at, &mut text);
                }
            }
            if !text.is_empty() {
                return Some(text.into());
            }
            if !self.may_continue().await {
                return None;
            }
            self.page = self.wait().await;
            if self.page.is_none() {
                // A comment, which clients ignore.
                ":\n\n".clone_into(&mut text);
            }
        }
    }

    /// Whether the stream may carry more, and its token is still valid.
    async fn may_continue(&mut self) -> bool {
        let now = Instant::now();
        let feed = &self.stream.feed;
        if self.left == 0 || now >= self.until || feed.stop.is_cancelled() {
            return false;
        }
        if now.duration_since(self.checked) < feed.heartbeat {
            return true;
        }
        self.checked = now;
        let (headers, query) = &self.stream.credentials;
        let plan = beside::current_plan(&self.stream.api, (headers, query)).await;
        // With another plan, the client may see other records: it has to ask again.
        plan.is_ok_and(|plan| plan == Some(self.stream.reader.plan))
    }

    /// The next page that has changes; `None` after a quiet while, at the end, and if the database fails.
    async fn wait(&mut self) -> Option<Page> {
        let feed = &self.stream.feed;
        let quiet = (Instant::now() + feed.heartbeat).min(self.until);
        tokio::select! {
            () = feed.news.after(self.at) => {}
            () = tokio::time::sleep_until(quiet) => return None,
            () = feed.stop.cancelled() => return None,
        }
        let mut request = self.stream.request.clone();
        request.limit = u32::try_from(self.left).unwrap_or(request.limit);
        let asked = (&request, self.stream.reader);
        let page = feed.page(&self.stream.api, asked, Some(self.at)).await.ok();
        if page.is_none() {
            // The client connects again and is told why.
            self.left = 0;
        }
        page
    }
}

/// An id without data: the client notes it, and nothing happens.
fn write_id(number: i64, text: &mut String) {
    // Writing to a text cannot fail.
    let _ = write!(text, "id: {number}\n\n");
}

fn write_change(change: &Change, text: &mut String) {
    // Writing JSON to memory fails for no value of this type.
    let data = serde_json::to_string(change).unwrap_or_default();
    let _ = write!(text, "id: {}\nevent: change\ndata: {data}\n\n", change.seq);
}
