//! The JSON bodies of answers, except for those of offers, which `schema` defines. [`crate::openapi`] derives its
//! schemas from these types.

use schema::Timestamp;
use serde::Serialize;

/// The Me object of the spec.
#[derive(Serialize)]
pub(crate) struct Me<'a> {
    pub token: MeToken<'a>,
    pub plan: MePlan,
    pub usage: MeUsage,
}

/// The token of a request.
#[derive(Serialize)]
pub(crate) struct MeToken<'a> {
    pub id: &'a str,
    pub prefix: &'a str,
}

/// The plan of an account.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MePlan {
    pub id: &'static str,
    pub name: &'static str,
    pub requests_per_month: u32,
    pub history_months: u32,
}

/// What an account has used of its quota this month.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MeUsage {
    pub month: String,
    pub requests_used: u32,
    pub requests_remaining: u32,
    pub resets_at: Timestamp,
}

/// The `pagination` of a search.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pagination<'a> {
    pub limit: u32,
    pub count: usize,
    pub has_more: bool,
    pub next_cursor: Option<&'a str>,
}

/// The answer of a healthy service.
#[derive(Serialize)]
pub(crate) struct Health {
    pub status: &'static str,
}

/// The body of every error (spec, Errors).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErrorBody<'a> {
    pub error: ErrorContent,
    pub request_id: &'a str,
}

/// What an error says.
#[derive(Serialize)]
pub(crate) struct ErrorContent {
    pub code: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<ErrorDetail>>,
}

/// What is wrong with one query parameter.
#[derive(Serialize)]
pub(crate) struct ErrorDetail {
    pub path: String,
    pub message: String,
}
