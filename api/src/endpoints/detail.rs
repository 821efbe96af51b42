//! GET /v1/offers/{offerId}: one listing in full.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schema::OfferId;
use schema::store::offers;

use crate::admission::Admitted;
use crate::error::ApiError;
use crate::etag;
use crate::history;
use crate::params::only_token;
use crate::state::ApiState;
use crate::timeout::with_timeout;

/// Answers with the listing of this id, or with the one that it was merged into.
///
/// # Errors
/// 400 for any parameter except the token. 404 if there is no such listing, or if it expired outside the plan's history
/// window, which is empty for a plan without history.
pub(crate) async fn detail(
    State(api): State<ApiState>,
    admitted: Admitted,
    id: Result<Path<String>, PathRejection>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    only_token(query.as_deref().unwrap_or_default())?;
    // A text that is not a valid id belongs to no listing.
    let id = id
        .ok()
        .and_then(|Path(id)| OfferId::parse(&id).ok())
        .ok_or(ApiError::NoSuchOffer)?;
    let found = with_timeout(api.config().store_timeout, offers::detail(api.db(), &id))
        .await?
        .ok_or(ApiError::NoSuchOffer)?;
    let plan = admitted.caller.account.plan;
    let is_shown = found.detail.offer.is_live
        || found.expired_at.is_some() && history::is_within(plan, found.expired_at, admitted.at);
    if !is_shown {
        return Err(ApiError::NoSuchOffer);
    }
    let body = serde_json::to_vec(&found.detail).map_err(ApiError::internal)?;
    Ok(etag::json_response(&headers, body))
}
