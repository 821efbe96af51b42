//! GET /v1/offers/{offerId}: one listing in full.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schema::store::{StoreError, offers, with_timeout};
use schema::{OfferId, Timestamp};

use crate::admission::Admitted;
use crate::documents::{Tag, tag_of};
use crate::error::ApiError;
use crate::etag;
use crate::history;
use crate::params::only_token;
use crate::state::ApiState;

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
    let Ok(Path(id)) = id else {
        return Err(ApiError::NoSuchOffer);
    };
    let found = find_shown(&api, &id, &admitted).await?;
    Ok(etag::tagged_response(&headers, found.body, found.tag))
}

/// The listing of this id, if the plan shows it.
///
/// # Errors
/// 404 if no record has this id. A text that cannot be an id is answered in the same way.
pub(crate) async fn find_shown(
    api: &ApiState,
    id: &str,
    admitted: &Admitted,
) -> Result<FoundDetail, ApiError> {
    // A text that is not a valid id belongs to no listing.
    let id = OfferId::parse(id).ok().ok_or(ApiError::NoSuchOffer)?;
    let found = with_timeout(
        api.config().store_timeout,
        find(api, &id, admitted.newest_change),
    )
    .await?
    .ok_or(ApiError::NoSuchOffer)?;
    let plan = admitted.caller.account.plan;
    let is_shown = found.is_live
        || found.expired_at.is_some() && history::is_within(plan, found.expired_at, admitted.at);
    if is_shown {
        Ok(found)
    } else {
        Err(ApiError::NoSuchOffer)
    }
}

/// A detail as it is sent.
pub(crate) struct FoundDetail {
    /// The JSON.
    pub body: Vec<u8>,
    tag: Tag,
    is_live: bool,
    /// When the last live link ended; `None` if that is unknown or there is one.
    pub expired_at: Option<Timestamp>,
}

/// The detail with this id, no older than change number `newest`. It is in the file of this process, unless the id was
/// retired or is unknown, or the document has not been copied yet: then the database is asked.
async fn find(
    api: &ApiState,
    id: &OfferId,
    newest: i64,
) -> Result<Option<FoundDetail>, StoreError> {
    let view = api.index().catch_up(newest).await?;
    for held in view.with_id(id.as_str()) {
        let document = api.index().documents().read(held.place, held.version);
        if let Some((document, tag)) = document.filter(|(it, _)| it.has_id(id.as_str())) {
            return Ok(Some(FoundDetail {
                body: document.detail,
                tag,
                is_live: held.is_live,
                expired_at: held.expired_at,
            }));
        }
    }
    let Some(found) = offers::detail(api.db(), id).await? else {
        return Ok(None);
    };
    // Writing to memory fails for no value of these types.
    let body = serde_json::to_vec(&found.detail).unwrap_or_default();
    Ok(Some(FoundDetail {
        tag: tag_of(&body),
        body,
        is_live: found.detail.offer.is_live,
        expired_at: found.expired_at,
    }))
}
