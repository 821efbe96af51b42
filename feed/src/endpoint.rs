//! GET /changes: what happened since.

use std::sync::Arc;
use std::time::Duration;

use api::ApiState;
use api::beside::{ChangesRequest, Reader, Refusal};
use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::change::Change;
use crate::page::Page;
use crate::reading::Feed;
use crate::stream::{self, Stream};

/// The answer as one document.
#[derive(Debug, Serialize)]
struct Body<'a> {
    data: &'a [Change],
    pagination: Pagination,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pagination {
    limit: u32,
    count: usize,
    has_more: bool,
    next_after: i64,
}

/// Answers with the changes after a number, as JSON or, if the client accepts it, as a stream of events.
///
/// # Errors
/// 400 for invalid parameters, 403 if the plan lacks the history that is asked for, 410 if the changes after the number are
/// no longer kept.
pub(crate) async fn changes(
    State(api): State<ApiState>,
    Extension(feed): Extension<Arc<Feed>>,
    reader: Reader,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let query = query.unwrap_or_default();
    let request = ChangesRequest::parse(&api, reader, &query).await?;
    if !stream::is_accepted(&headers) {
        let wait = request.wait.unwrap_or(Duration::ZERO);
        let asked = (&request, reader);
        let page = feed.page_within(&api, asked, (request.after, wait)).await?;
        return json(&request, &page);
    }
    if request.wait.is_some() {
        let message = "is only for an answer in JSON; a stream always waits. Leave it out";
        return Err(Refusal::parameter("wait", message));
    }
    // A client that reconnects repeats the whole URL, and says in the header how far it came.
    let after = match stream::last_event_id(&headers)? {
        Some(seen) => Some(seen),
        None => request.after,
    };
    let first = feed.page(&api, (&request, reader), after).await?;
    let stream = Stream {
        api,
        feed,
        request,
        reader,
        credentials: (headers, query),
    };
    Ok(stream.into_response(first))
}

fn json(request: &ChangesRequest, page: &Page) -> Result<Response, Refusal> {
    let body = Body {
        data: &page.changes,
        pagination: Pagination {
            limit: request.limit,
            count: page.changes.len(),
            has_more: page.has_more,
            next_after: page.next_after,
        },
    };
    let body = serde_json::to_vec(&body).map_err(Refusal::failure)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}
