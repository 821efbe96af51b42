//! GET /v1/me: the token, its plan, this month's quota.

use axum::Extension;
use axum::extract::RawQuery;
use axum::http::HeaderMap;
use axum::response::Response;
use schema::{Month, Timestamp};
use serde::Serialize;

use crate::access::Admitted;
use crate::conditional;
use crate::error::ApiError;
use crate::params::no_parameters_but_token;
use crate::quota::RateLimit;

/// The Me object of the spec.
#[derive(Serialize)]
struct Me<'a> {
    token: Token<'a>,
    plan: Plan,
    usage: Usage,
}

#[derive(Serialize)]
struct Token<'a> {
    id: &'a str,
    prefix: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Plan {
    id: &'static str,
    name: &'static str,
    requests_per_month: u32,
    history_months: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    month: String,
    requests_used: u32,
    requests_remaining: u32,
    resets_at: Timestamp,
}

/// Tells a caller who they are.
///
/// # Errors
/// 400 for any parameter beside the token.
pub async fn me(
    admitted: Admitted,
    Extension(limit): Extension<RateLimit>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    no_parameters_but_token(query.as_deref().unwrap_or_default())?;
    let (token, account) = (&admitted.caller.token, &admitted.caller.account);
    let me = Me {
        token: Token {
            id: &token.id,
            prefix: &token.prefix,
        },
        plan: Plan {
            id: account.plan.id(),
            name: account.plan.name(),
            requests_per_month: limit.limit,
            history_months: account.plan.history_months(),
        },
        usage: Usage {
            month: Month::of(admitted.at).to_string(),
            requests_used: limit.used,
            requests_remaining: limit.remaining,
            resets_at: limit.resets_at,
        },
    };
    Ok(conditional::json(
        &headers,
        serde_json::to_vec(&me).map_err(ApiError::internal)?,
    ))
}
