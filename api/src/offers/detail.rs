//! GET /v1/offers/{offerId}: one listing in full.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schema::OfferId;
use schema::store::offers;

use crate::access::Admitted;
use crate::conditional;
use crate::error::ApiError;
use crate::offers::window;
use crate::params::no_parameters_but_token;
use crate::patience::in_time;
use crate::state::ApiState;

/// Shows the listing with this id, or the one that it was merged into.
///
/// # Errors
/// 400 for any parameter beside the token; 404 where there is no such listing, or where it is no longer live and
/// expired outside the plan's window (which is empty for a plan without history).
pub async fn detail(
    State(api): State<ApiState>,
    admitted: Admitted,
    id: Result<Path<String>, PathRejection>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    no_parameters_but_token(query.as_deref().unwrap_or_default())?;
    // What cannot be an id is the id of no listing.
    let id = id
        .ok()
        .and_then(|Path(id)| OfferId::parse(&id).ok())
        .ok_or(ApiError::NoSuchOffer)?;
    let found = in_time(api.config().store_timeout, offers::detail(api.db(), &id))
        .await?
        .ok_or(ApiError::NoSuchOffer)?;
    let is_live = found.detail.offer.is_live;
    let plan = admitted.caller.account.plan;
    let is_shown = is_live
        || found.expired_at.is_some() && window::is_within(plan, found.expired_at, admitted.at);
    if !is_shown {
        return Err(ApiError::NoSuchOffer);
    }
    Ok(conditional::json(
        &headers,
        serde_json::to_vec(&found.detail).map_err(ApiError::internal)?,
    ))
}
