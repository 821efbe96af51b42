//! GET /v1/me: the token, its plan and this month's quota.

use axum::Extension;
use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::response::Response;
use schema::{Month, Timestamp};

use crate::admission::Admitted;
use crate::auth::Caller;
use crate::bodies::{Me, MePlan, MeToken, MeUsage};
use crate::error::ApiError;
use crate::etag;
use crate::params::only_token;
use crate::quota::RateLimit;

/// Answers with the token and the account of the request.
///
/// # Errors
/// 400 for any parameter except the token.
pub(crate) async fn me(
    admitted: Admitted,
    Extension(limit): Extension<RateLimit>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    only_token(query.as_deref().unwrap_or_default())?;
    let me = described(&admitted.caller, limit, admitted.at);
    let body = serde_json::to_vec(&me).map_err(ApiError::internal)?;
    Ok(etag::json_response(&headers, body))
}

/// The token and the account of a request at `now`.
pub(crate) fn described(caller: &Caller, limit: RateLimit, now: Timestamp) -> Me<'_> {
    let (token, account) = (&caller.token, &caller.account);
    Me {
        token: MeToken {
            id: &token.id,
            prefix: &token.prefix,
        },
        plan: MePlan {
            id: account.plan.id(),
            name: account.plan.name(),
            requests_per_month: limit.limit,
            history_months: account.plan.history_months(),
        },
        usage: MeUsage {
            month: Month::containing(now).to_string(),
            requests_used: limit.used,
            requests_remaining: limit.remaining,
            resets_at: limit.resets_at,
        },
    }
}
