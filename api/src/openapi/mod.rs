//! GET /openapi.json: the machine-readable description, written from the same tables that the service reads by.

mod headers;
mod parameters;
mod paths;
mod responses;
mod schemas;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use gazetteer::registry::ATTRIBUTION;
use serde_json::{Value, json};

use crate::conditional;
use crate::error::ApiError;
use crate::params::no_parameters;
use crate::state::ApiState;

/// The version that the description declares (spec, Versioning).
const VERSION: &str = "1.0.0";

const DESCRIPTION: &str = "\
Czech property listings, merged across portals: one property, one record.

**Reading.** Every endpoint answers GET and HEAD (as GET, without a body); other methods get 405 `invalid-request` with \
`Allow: GET, HEAD`, and unknown paths 404 `not-found`. Query parameters that an endpoint does not know are refused with \
400, never ignored; every `/v1` endpoint knows `token` beside its own.

**Tokens.** A token is sent as `Authorization: Bearer`, as `X-Api-Key`, or as the query parameter `token`. Where several \
are sent, `X-Api-Key` counts, else `token`, else `Authorization`; there is no falling back from a wrong one, and an empty \
header counts as not sent. A query string reaches logs and proxies: answers to it are `Cache-Control: no-store` and carry \
`X-Token-Advice`, and the token should be rotated.

**Quota.** Every request with a valid token counts, with whatever it ends (200, 304, 400, 403, 404), except `/v1/me`, \
401, 405, 413, 414, 429, 431, and what the service itself failed at (500, 504). The quota is per account and renews at \
midnight UTC on the first of the month. Order of checks: 401, 429, 400, 403, 404.

**Values.** Numbers in queries are finite decimals as JSON writes them (`12`, `-1`, `12.5`, `1e6`), booleans `true` or \
`false`. Each parameter is sent once, in UTF-8, not empty. All faults are reported in one answer, one entry per \
parameter. A filter on a field that a listing lacks does not match the listing.

**Walking.** Pages follow each other by `pagination.nextCursor`. While records change, a walk shows none twice and misses \
none that stays as it was; what changes after the walk began may be left out of it. Cursors do not expire; how far \
`includeInactive` reaches back stays as it was on the first page for a day.

**Caching.** Answers 200 carry a strong `ETag`; `If-None-Match` gets 304, which counts. Answers of a kilobyte and more \
are compressed by `Accept-Encoding` (zstd, gzip, br).";

/// The description of the service at `base_url`.
pub fn document(base_url: &str) -> Value {
    let description = format!(
        "{DESCRIPTION}\n\n**Sources.** Addresses, districts and regions are found with data of the state's registry \
         of addresses ({ATTRIBUTION}, adapted) where the operator has imported it."
    );
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "jeden",
            "summary": "Czech property listings, merged across portals",
            "version": VERSION,
            "description": description,
        },
        "servers": [{ "url": base_url }],
        "tags": [
            { "name": "offers", "description": "Listings, one per property." },
            { "name": "account", "description": "The token, its plan, its quota." },
            { "name": "service", "description": "The service itself; public, and not counted." },
        ],
        "paths": paths::all(),
        "components": {
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The default: `Authorization: Bearer <API_TOKEN>`.",
                },
                "apiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-Api-Key",
                    "description": "For clients that use `Authorization` for their own sign-in.",
                },
                "queryToken": {
                    "type": "apiKey",
                    "in": "query",
                    "name": "token",
                    "description": "Last resort for clients that cannot send any header; the token should be rotated.",
                },
            },
            "parameters": parameters::shared(),
            "headers": headers::all(),
            "responses": responses::all(),
            "schemas": schemas::all(),
        },
    })
}

/// The description as it is served, and kept beside the source for readers and generators.
pub fn rendered(base_url: &str) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(&document(base_url)).unwrap_or_default();
    text.push(b'\n');
    text
}

/// Serves the description.
///
/// # Errors
/// 400 for any parameter.
pub async fn serve(
    State(api): State<ApiState>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    no_parameters(query.as_deref().unwrap_or_default())?;
    let mut response = conditional::json(&headers, api.openapi());
    response.headers_mut().insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=300"),
    );
    Ok(response)
}
