//! GET /v1/me: the token, its plan and this month's quota.

use axum::Extension;
use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::response::Response;
use schema::Month;

use crate::admission::Admitted;
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
    let (token, account) = (&admitted.caller.token, &admitted.caller.account);
    let me = Me {
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
            month: Month::containing(admitted.at).to_string(),
            requests_used: limit.used,
            requests_remaining: limit.remaining,
            resets_at: limit.resets_at,
        },
    };
    let body = serde_json::to_vec(&me).map_err(ApiError::internal)?;
    Ok(etag::json_response(&headers, body))
}
