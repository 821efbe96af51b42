//! GET /v1/offers: searching listings, newest change first, page by page.
//!
//! Checked in this order: the token (401), the quota (429), every parameter (400), the plan (403); then the search runs
//! until it ends or its time is up (504).

use std::borrow::Cow;
use std::time::{Duration, Instant};

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schema::store::offers;
use schema::{Location, Plan, Timestamp};

use crate::access::Admitted;
use crate::auth::without_tokens;
use crate::conditional;
use crate::cursor::Cursor;
use crate::error::ApiError;
use crate::geocode::LocateError;
use crate::index::{Circle, Filter, Reach, Walk};
use crate::offers::page::{Page, PageError, find};
use crate::offers::window;
use crate::params::{self, Centre, Faults, Field, SearchParams, shown};
use crate::state::ApiState;

const TOKEN_IN_ADDRESS: &str = "holds what looks like an API token; it accepts an address. Rotate the token, and send the next one in a header";
const FROM_AHEAD: &str = "is of a later state than the database has, which was restored from a backup: it accepts a cursor handed out \
                          since; begin anew without one";
const OTHER_FILTERS: &str =
    "was handed out for other filters: send the filters of the first page with it, or leave it out";

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
    let asked = read(&api, query.as_deref().unwrap_or_default(), deadline).await?;
    let plan = admitted.caller.account.plan;
    if asked.params.include_inactive && plan.history_months() == 0 {
        return Err(ApiError::NoHistory(plan));
    }
    let page = tokio::time::timeout_at(
        deadline.into(),
        answer(&api, &asked, (plan, admitted.at), deadline),
    );
    let body = match page.await {
        Ok(Ok(body)) => body,
        Ok(Err(PageError::Failed(error))) => return Err(error),
        Ok(Err(PageError::TimedOut)) | Err(_) => return Err(ApiError::QueryTimeout(timeout)),
    };
    Ok(conditional::json(&headers, body))
}

/// When `timeout` is over; a time beyond what clocks can say counts as a day.
fn deadline(now: Instant, timeout: Duration) -> Instant {
    now.checked_add(timeout)
        .unwrap_or(now + Duration::from_hours(24))
}

/// A search with which nothing is wrong.
struct Asked {
    params: SearchParams,
    /// Where the walk stands; `None` on its first page.
    cursor: Option<Cursor>,
    /// Where the address lies that was sent, as the walk's first page found it.
    located: Option<Location>,
}

/// Reads the parameters, the cursor and the address too: all that is wrong with them is said at once.
async fn read(api: &ApiState, query: &str, deadline: Instant) -> Result<Asked, ApiError> {
    let decode = |text: &str| api.cursor_key().decode(text).ok();
    let (params, mut faults) = params::search(query, |text| decode(text).is_some());
    let mut cursor = params.cursor.as_deref().and_then(decode);
    if params.filters_are_read
        && cursor.is_some_and(|cursor| cursor.fingerprint != params.fingerprint)
    {
        faults.add(Field::Cursor.name(), OTHER_FILTERS);
        cursor = None;
    }
    if let Some(ahead) = cursor
        && is_ahead(api, &ahead, deadline).await?
    {
        faults.add(Field::Cursor.name(), FROM_AHEAD);
        cursor = None;
    }
    let located = match (&params.centre, cursor) {
        (_, Some(cursor)) => cursor.centre,
        (Some(Centre::Address(text)), None) if !faults.has(Field::Address.name()) => {
            locate(api, text, deadline, &mut faults).await?
        }
        _ => None,
    };
    Ok(faults.or(Asked {
        params,
        cursor,
        located,
    })?)
}

/// Whether a walk began at a state that the database has not reached: that of a read replica it will reach, that of a
/// database before it was restored it may never.
async fn is_ahead(api: &ApiState, cursor: &Cursor, deadline: Instant) -> Result<bool, ApiError> {
    if cursor.as_of <= api.index().view().change() {
        return Ok(false);
    }
    match tokio::time::timeout_at(deadline.into(), offers::newest_change(api.db())).await {
        Ok(newest) => Ok(cursor.as_of > newest?),
        Err(_) => Err(ApiError::QueryTimeout(api.config().search_timeout)),
    }
}

/// Where an address lies; `None`, with a fault, where it leads nowhere.
async fn locate(
    api: &ApiState,
    text: &str,
    deadline: Instant,
    faults: &mut Faults,
) -> Result<Option<Location>, ApiError> {
    // It would be sent to a geocoder outside, and what was understood of it repeated in pieces.
    if matches!(without_tokens(text), Cow::Owned(_)) {
        faults.add(Field::Address.name(), TOKEN_IN_ADDRESS);
        return Ok(None);
    }
    match tokio::time::timeout_at(deadline.into(), api.geocoder().locate(text)).await {
        Ok(Ok(location)) => return Ok(Some(location)),
        Ok(Err(LocateError::Nowhere(unknown))) => {
            let message = format!(
                "accepts an address in the Czech Republic, not {}: {unknown}",
                shown(text)
            );
            faults.add(Field::Address.name(), message);
        }
        Ok(Err(failed @ LocateError::Failed(_))) => return Err(ApiError::internal(failed)),
        Err(_) if faults.is_empty() => {
            return Err(ApiError::QueryTimeout(api.config().search_timeout));
        }
        // The faults that are known already are answer enough.
        Err(_) => {}
    }
    Ok(None)
}

/// The body of one page.
async fn answer(
    api: &ApiState,
    asked: &Asked,
    (plan, now): (Plan, Timestamp),
    deadline: Instant,
) -> Result<Vec<u8>, PageError> {
    let Asked {
        params: asked,
        cursor,
        located,
    } = asked;
    let began_at = cursor.and_then(|cursor| cursor.began_at).unwrap_or(now);
    let centre = match &asked.centre {
        Some(Centre::Point(location)) => Some(*location),
        _ => *located,
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
            centre: *located,
        })
    });
    page.body(asked.limit, next.as_deref())
        .map_err(|error| PageError::Failed(ApiError::internal(error)))
}

fn next_cursor(page: &Page, as_of: Option<i64>) -> Option<(crate::index::Position, i64)> {
    let last = page.last.filter(|_| page.more)?;
    Some((last.position, as_of.unwrap_or(page.as_of)))
}
