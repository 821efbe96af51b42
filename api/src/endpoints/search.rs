//! GET /v1/offers: a page of the listings that match, newest change first.
//!
//! A request is checked in this order: token (401), quota (429), all parameters (400), plan (403). Then the search runs
//! until it ends or times out (504).

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schema::store::offers;
use schema::{Location, Plan, Timestamp};

use crate::admission::Admitted;
use crate::auth::redact_tokens;
use crate::cursor::Cursor;
use crate::documents::Tag;
use crate::endpoints::address_headers;
use crate::endpoints::page::{Page, PageError, find_page};
use crate::error::ApiError;
use crate::etag;
use crate::geocode::{LocateError, LocatedAddress};
use crate::history;
use crate::index::{Circle, Filter, PageRequest, Position, Reach, View};
use crate::params::{self, Centre, ParamErrors, ParamName, SearchParams, quoted};
use crate::state::ApiState;

const TOKEN_IN_ADDRESS: &str = "must be an address; this looks like an API token. Rotate the token, and send the new one in a header";
const NEWER_THAN_DATABASE: &str =
    "is newer than the database, which was restored from a backup; search again without a cursor";
const OTHER_FILTERS: &str = "belongs to a search with other filters; send the filters of the first page with it, or remove it";

/// Answers with one page.
///
/// # Errors
/// 400 for invalid parameters, 403 if the plan lacks the history that is asked for, 504 on a timeout.
pub(crate) async fn search(
    State(api): State<ApiState>,
    admitted: Admitted,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let timeout = api.config().search_timeout;
    let deadline = deadline(Instant::now(), timeout);
    let query = query.as_deref().unwrap_or_default();
    let asker = Asker::from_admitted(&admitted);
    let search = parse_as(&api, query, asker, deadline).await?;
    let page = tokio::time::timeout_at(deadline.into(), answer(&api, &search, asker, deadline));
    let (body, tag) = match page.await {
        Ok(Ok(answer)) => answer,
        Ok(Err(PageError::Failed(error))) => return Err(error),
        Ok(Err(PageError::TimedOut)) | Err(_) => return Err(ApiError::QueryTimeout(timeout)),
    };
    let body = api.page_buffers().lend(body);
    let mut response = etag::tagged_response(&headers, body, tag);
    if let Some(located) = &search.located {
        address_headers::write(located, response.headers_mut());
    }
    Ok(response)
}

/// Answers a search that the program itself asks: it needs no token, is not counted, and sees the whole history.
pub(crate) async fn search_from_inside(
    api: &ApiState,
    query: &str,
) -> Result<(Vec<u8>, Option<LocatedAddress>), ApiError> {
    let asker = Asker {
        plan: Plan::Investor,
        at: api.config().now(),
        newest_change: offers::last_change(api.db()).await?,
    };
    search_as(api, query, asker).await
}

/// Answers a search that did not come as a request of the API.
pub(crate) async fn search_as(
    api: &ApiState,
    query: &str,
    asker: Asker,
) -> Result<(Vec<u8>, Option<LocatedAddress>), ApiError> {
    let timeout = api.config().search_timeout;
    let deadline = deadline(Instant::now(), timeout);
    let search = parse_as(api, query, asker, deadline).await?;
    let page = tokio::time::timeout_at(deadline.into(), answer(api, &search, asker, deadline));
    match page.await {
        Ok(Ok((body, _))) => Ok((body, search.located)),
        Ok(Err(PageError::Failed(error))) => Err(error),
        Ok(Err(PageError::TimedOut)) | Err(_) => Err(ApiError::QueryTimeout(timeout)),
    }
}

/// Checks what can be checked of a search before it runs: every parameter, and whether the cursor belongs to it.
///
/// # Errors
/// 400.
pub(crate) fn check(api: &ApiState, query: &str) -> Result<(), ApiError> {
    let (_, _, errors) = parse_query(api, query, i64::MAX);
    Ok(errors.or(())?)
}

/// Everything that matches a search, in the index that shows the newest change, and when looking for it must end.
pub(crate) async fn matching(
    api: &ApiState,
    query: &str,
    asker: Asker,
) -> Result<(Arc<View>, Filter, Instant), ApiError> {
    let deadline = deadline(Instant::now(), api.config().search_timeout);
    let search = parse_as(api, query, asker, deadline).await?;
    let view = api.index().catch_up(asker.newest_change).await?;
    Ok((view, search.filter(asker), deadline))
}

/// Who searches: the plan, when, and the newest change that the answer must show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asker {
    plan: Plan,
    at: Timestamp,
    newest_change: i64,
}

impl Asker {
    /// The account of an admitted request.
    pub(crate) fn from_admitted(admitted: &Admitted) -> Self {
        Self {
            plan: admitted.caller.account.plan,
            at: admitted.at,
            newest_change: admitted.newest_change,
        }
    }
}

/// The end of `timeout`. A timeout too long for the clock counts as a day.
pub(crate) fn deadline(now: Instant, timeout: Duration) -> Instant {
    now.checked_add(timeout)
        .unwrap_or(now + Duration::from_hours(24))
}

/// A valid search.
struct Search {
    params: SearchParams,
    /// Where this page begins; `None` on the first page.
    cursor: Option<Cursor>,
    /// The position of the `address` that was sent, as it was found for the first page.
    located: Option<LocatedAddress>,
}

impl Search {
    /// When the search began: the time of its first page.
    fn began_at(&self, asker: Asker) -> Timestamp {
        let began_at = self.cursor.and_then(|cursor| cursor.began_at);
        began_at.unwrap_or(asker.at)
    }

    /// What it looks for.
    fn filter(&self, asker: Asker) -> Filter {
        let params = &self.params;
        let centre = match &params.centre {
            Some(Centre::Point(location)) => Some(*location),
            _ => self.located.as_ref().map(|located| located.location),
        };
        let began_at = self.began_at(asker);
        Filter {
            criteria: params.criteria.clone(),
            circle: centre.map(|centre| Circle::new(centre, params.radius_meters)),
            reach: if params.include_inactive {
                Reach::ExpiredSince(history::window_start(asker.plan, began_at, asker.at))
            } else {
                Reach::Live
            },
        }
    }
}

/// Parses a search, and refuses one for expired listings if the plan has no history.
async fn parse_as(
    api: &ApiState,
    query: &str,
    asker: Asker,
    deadline: Instant,
) -> Result<Search, ApiError> {
    let search = parse(api, query, asker.newest_change, deadline).await?;
    if search.params.include_inactive && asker.plan.history_months() == 0 {
        return Err(ApiError::NoHistory(asker.plan));
    }
    Ok(search)
}

/// Parses the parameters and decodes the cursor. A cursor of a later change than `newest_change` is an error.
fn parse_query(
    api: &ApiState,
    query: &str,
    newest_change: i64,
) -> (SearchParams, Option<Cursor>, ParamErrors) {
    let decode = |text: &str| api.cursor_key().decode(text).ok();
    let (params, mut errors) = params::parse_search(query, |text| decode(text).is_some());
    let mut cursor = params.cursor.as_deref().and_then(decode);
    if params.filters_are_valid
        && cursor.is_some_and(|cursor| cursor.fingerprint != params.fingerprint)
    {
        errors.add(ParamName::Cursor.name(), OTHER_FILTERS);
        cursor = None;
    }
    // A read replica may reach the state of the cursor later, so the newest change of the primary decides. A database
    // restored from a backup may never reach it.
    let newest = newest_change.max(api.index().view().change());
    if cursor.is_some_and(|cursor| cursor.as_of > newest) {
        errors.add(ParamName::Cursor.name(), NEWER_THAN_DATABASE);
        cursor = None;
    }
    (params, cursor, errors)
}

/// Parses the parameters, decodes the cursor and locates the address. All errors are reported together.
async fn parse(
    api: &ApiState,
    query: &str,
    newest_change: i64,
    deadline: Instant,
) -> Result<Search, ApiError> {
    let (params, cursor, mut errors) = parse_query(api, query, newest_change);
    let located = match (&params.centre, cursor) {
        (Some(Centre::Address(text)), Some(cursor)) => match cursor.centre {
            Some(centre) => Some(relocate(api, text, centre).await?),
            None => None,
        },
        (Some(Centre::Address(text)), None) if !errors.has(ParamName::Address.name()) => {
            locate(api, text, deadline, &mut errors).await?
        }
        _ => None,
    };
    Ok(errors.or(Search {
        params,
        cursor,
        located,
    })?)
}

/// The position that an address had on the first page.
async fn relocate(
    api: &ApiState,
    text: &str,
    centre: Location,
) -> Result<LocatedAddress, ApiError> {
    let relocated = api.geocoder().relocate(text, centre).await;
    relocated.map_err(ApiError::internal)
}

/// The position of an address. If it is not found, the result is `None` and `errors` says why.
pub(crate) async fn locate(
    api: &ApiState,
    text: &str,
    deadline: Instant,
    errors: &mut ParamErrors,
) -> Result<Option<LocatedAddress>, ApiError> {
    // An address may be sent to a geocoder outside, and the answer repeats parts of it.
    if matches!(redact_tokens(text), Cow::Owned(_)) {
        errors.add(ParamName::Address.name(), TOKEN_IN_ADDRESS);
        return Ok(None);
    }
    match tokio::time::timeout_at(deadline.into(), api.geocoder().locate(text)).await {
        Ok(Ok(located)) => return Ok(Some(located)),
        Ok(Err(LocateError::NotFound(unknown))) => {
            let message = format!(
                "must be an address in the Czech Republic; got {}: {unknown}",
                quoted(text)
            );
            errors.add(ParamName::Address.name(), message);
        }
        Ok(Err(failed @ LocateError::Failed(_))) => return Err(ApiError::internal(failed)),
        Err(_) if errors.is_empty() => {
            return Err(ApiError::QueryTimeout(api.config().search_timeout));
        }
        // The errors found so far are answer enough.
        Err(_) => {}
    }
    Ok(None)
}

/// The body of one page, and its tag.
async fn answer(
    api: &ApiState,
    search: &Search,
    asker: Asker,
    deadline: Instant,
) -> Result<(Vec<u8>, Tag), PageError> {
    let filter = search.filter(asker);
    let began_at = search.began_at(asker);
    let Search {
        params,
        cursor,
        located,
    } = search;
    let request = PageRequest {
        after: cursor.map(|cursor| cursor.position),
        as_of: cursor.map(|cursor| cursor.as_of),
        limit: params.limit as usize,
    };
    let page = find_page(api, filter, request, (asker.newest_change, deadline)).await?;
    let next = next_position(&page, request.as_of).map(|(position, as_of)| {
        api.cursor_key().encode(&Cursor {
            fingerprint: params.fingerprint,
            as_of,
            position,
            began_at: params.include_inactive.then_some(began_at),
            centre: located.as_ref().map(|located| located.location),
        })
    });
    page.finish(params.limit, next.as_deref())
        .map_err(|error| PageError::Failed(ApiError::internal(error)))
}

/// Where the next page begins, and the change number of the first page.
fn next_position(page: &Page, as_of: Option<i64>) -> Option<(Position, i64)> {
    let last = page.last.filter(|_| page.more)?;
    Some((last.position, as_of.unwrap_or(page.as_of)))
}
