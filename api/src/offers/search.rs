//! GET /v1/offers: searching listings, newest change first, page by page.
//!
//! Checked in this order: the token (401), the quota (429), every parameter (400), the plan (403); then the search runs
//! until it ends or its time is up (504).

use std::time::{Duration, Instant};

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schema::{Location, Plan, Timestamp};

use crate::access::Admitted;
use crate::conditional;
use crate::cursor::Cursor;
use crate::error::ApiError;
use crate::geocode::{Geocoder, LocateError};
use crate::index::{Circle, Filter, Reach, Walk};
use crate::offers::page::{Page, PageError, find};
use crate::offers::window;
use crate::params::{self, Centre, Fault, Field, SearchParams};
use crate::state::ApiState;

/// Answers one page.
///
/// # Errors
/// 400 for parameters that are wrong, 403 for history that the plan has not, 504 when the time is up.
pub async fn search(
    State(api): State<ApiState>,
    admitted: Admitted,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let timeout = api.config().search_timeout;
    let deadline = deadline(Instant::now(), timeout);
    let (asked, cursor) = read(&api, query.as_deref().unwrap_or_default())?;
    let plan = admitted.caller.account.plan;
    if asked.include_inactive && plan.history_months() == 0 {
        return Err(ApiError::NoHistory(plan));
    }
    let page =
        tokio::time::timeout_at(deadline.into(), answer(&api, &asked, cursor, (plan, admitted.at), deadline));
    let body = match page.await {
        Ok(Ok(body)) => body,
        Ok(Err(PageError::Failed(error))) => return Err(error),
        Ok(Err(PageError::TimedOut)) | Err(_) => return Err(ApiError::QueryTimeout(timeout)),
    };
    Ok(conditional::json(&headers, body))
}

/// When `timeout` is over; a time beyond what clocks can say counts as a day.
fn deadline(now: Instant, timeout: Duration) -> Instant {
    now.checked_add(timeout).unwrap_or(now + Duration::from_hours(24))
}

/// Reads the parameters, the cursor too: all that is wrong with them is said at once.
fn read(api: &ApiState, query: &str) -> Result<(SearchParams, Option<Cursor>), ApiError> {
    let asked = params::search(query, |text| api.cursor_key().decode(text).is_ok())?;
    let cursor = asked.cursor.as_deref().and_then(|text| api.cursor_key().decode(text).ok());
    if cursor.is_some_and(|cursor| cursor.fingerprint != asked.fingerprint) {
        return Err(cursor_fault(
            "was handed out for other filters: send the filters of the first page with it, or leave it out",
        ));
    }
    Ok((asked, cursor))
}

fn cursor_fault(message: &str) -> ApiError {
    Fault { path: Field::Cursor.name().to_owned(), message: message.to_owned() }.into()
}

/// The body of one page.
async fn answer(
    api: &ApiState,
    asked: &SearchParams,
    cursor: Option<Cursor>,
    (plan, now): (Plan, Timestamp),
    deadline: Instant,
) -> Result<Vec<u8>, PageError> {
    let began_at = cursor.and_then(|cursor| cursor.began_at).unwrap_or(now);
    let located = match cursor {
        Some(cursor) => cursor.centre,
        None => locate(api.geocoder(), asked.centre.as_ref()).await?,
    };
    let centre = match &asked.centre {
        Some(Centre::Point(location)) => Some(*location),
        _ => located,
    };
    let filter = Filter {
        criteria: asked.criteria.clone(),
        circle: centre.map(|centre| Circle::new(centre, asked.radius_meters)),
        reach: if asked.include_inactive {
            Reach::ExpiredSince(window::reach(plan, began_at, now))
        } else {
            Reach::Live
        },
    };
    let walk = Walk {
        after: cursor.map(|cursor| cursor.position),
        as_of: cursor.map(|cursor| cursor.as_of),
        limit: asked.limit as usize,
    };
    let page = find(api, filter, walk, deadline).await?;
    let next = next_cursor(&page, walk.as_of).map(|(position, as_of)| {
        api.cursor_key().encode(&Cursor {
            fingerprint: asked.fingerprint,
            as_of,
            position,
            began_at: asked.include_inactive.then_some(began_at),
            centre: located,
        })
    });
    page.body(asked.limit, next.as_deref()).map_err(|error| PageError::Failed(ApiError::internal(error)))
}

fn next_cursor(page: &Page, as_of: Option<i64>) -> Option<(crate::index::Position, i64)> {
    let last = page.last.filter(|_| page.more)?;
    Some((last.position, as_of.unwrap_or(page.as_of)))
}

/// The centre that an address means; `None` where none was sent.
async fn locate(geocoder: &Geocoder, centre: Option<&Centre>) -> Result<Option<Location>, ApiError> {
    let Some(Centre::Address(text)) = centre else { return Ok(None) };
    match geocoder.locate(text).await {
        Ok(location) => Ok(Some(location)),
        Err(LocateError::Nowhere(unknown)) => {
            Err(Fault { path: Field::Address.name().to_owned(), message: unknown.to_string() }.into())
        }
        Err(failed @ LocateError::Failed(_)) => Err(ApiError::internal(failed)),
    }
}
