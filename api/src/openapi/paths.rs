//! The five endpoints.

use serde_json::{Value, json};

use crate::openapi::responses::{reference, success};
use crate::openapi::{headers, parameters, schemas};

/// Every path with its operation.
pub fn all() -> Value {
    json!({
        "/v1/offers": { "get": search() },
        "/v1/offers/{offerId}": { "get": detail() },
        "/v1/me": { "get": me() },
        "/health": { "get": health() },
        "/openapi.json": { "get": description() },
    })
}

fn security() -> Value {
    json!([{ "bearer": [] }, { "apiKey": [] }, { "queryToken": [] }])
}

fn v1_headers() -> Value {
    headers::of_account(&["ETag", "Cache-Control", "X-Token-Advice"])
}

fn search() -> Value {
    json!({
        "operationId": "searchOffers",
        "tags": ["offers"],
        "summary": "Search listings",
        "description": "Deduplicated listings that match all filters, newest `lastChangedAt` first. Only live ones, \
                        unless `includeInactive` is true. While `pagination.hasMore` is true, send \
                        `pagination.nextCursor` unchanged as `cursor` for the next page; each page is one request of the \
                        quota.",
        "security": security(),
        "parameters": parameters::search(),
        "responses": {
            "200": page(),
            "304": reference("NotModified"),
            "400": reference("InvalidRequest"),
            "401": reference("Unauthorized"),
            "403": reference("Forbidden"),
            "413": reference("PayloadTooLarge"),
            "414": reference("UriTooLong"),
            "429": reference("QuotaExceeded"),
            "431": reference("HeadTooLarge"),
            "500": reference("InternalError"),
            "504": reference("QueryTimeout"),
        },
    })
}

fn page() -> Value {
    let mut page = success(
        "One page.",
        "SearchResponse",
        &v1_headers(),
        &schemas::search_example(),
    );
    let links = json!({ "offer": {
        "operationId": "getOffer",
        "parameters": { "offerId": "$response.body#/data/0/id" },
        "description": "The first listing of the page in full; the others likewise.",
    } });
    if let Some(page) = page.as_object_mut() {
        page.insert("links".to_owned(), links);
    }
    page
}

fn detail() -> Value {
    json!({
        "operationId": "getOffer",
        "tags": ["offers"],
        "summary": "One listing in full",
        "description": "All fields of one listing, every portal that advertises it, and what each of them asked over \
                        time. Takes no query parameter but `token`.",
        "security": security(),
        "parameters": [parameters::offer_id(), parameters::if_none_match()],
        "responses": {
            "200": success("The listing.", "OfferDetail", &v1_headers(), &schemas::detail_example()),
            "304": reference("NotModified"),
            "400": reference("InvalidRequest"),
            "401": reference("Unauthorized"),
            "404": reference("NotFound"),
            "413": reference("PayloadTooLarge"),
            "414": reference("UriTooLong"),
            "429": reference("QuotaExceeded"),
            "431": reference("HeadTooLarge"),
            "500": reference("InternalError"),
        },
    })
}

fn me() -> Value {
    json!({
        "operationId": "getMe",
        "tags": ["account"],
        "summary": "The token, its plan, this month's quota",
        "description": "Free of charge, and never 429. Takes no query parameter but `token`.",
        "security": security(),
        "parameters": [parameters::if_none_match()],
        "responses": {
            "200": success("Who asks.", "Me", &v1_headers(), &schemas::me_example()),
            "304": reference("NotModified"),
            "400": reference("InvalidRequest"),
            "401": reference("Unauthorized"),
            "413": reference("PayloadTooLarge"),
            "414": reference("UriTooLong"),
            "431": reference("HeadTooLarge"),
            "500": reference("InternalError"),
        },
    })
}

fn health() -> Value {
    json!({
        "operationId": "getHealth",
        "tags": ["service"],
        "summary": "Liveness probe",
        "description": "Public, and not counted. Takes no query parameter.",
        "security": [],
        "responses": {
            "200": success(
                "The service can answer.",
                "Health",
                &headers::of_anyone(&["Cache-Control"]),
                &json!({ "status": "ok" }),
            ),
            "400": reference("InvalidPublicRequest"),
            "413": reference("PayloadTooLarge"),
            "414": reference("UriTooLong"),
            "431": reference("HeadTooLarge"),
            "500": reference("PublicInternalError"),
            "503": reference("Unavailable"),
        },
    })
}

fn description() -> Value {
    json!({
        "operationId": "getOpenApi",
        "tags": ["service"],
        "summary": "This description",
        "description": "OpenAPI 3.1. Public, and not counted. Takes no query parameter.",
        "security": [],
        "parameters": [parameters::if_none_match()],
        "responses": {
            "200": {
                "description": "The description.",
                "headers": headers::of_anyone(&["ETag", "Cache-Control"]),
                "content": { "application/json": { "schema": { "type": "object" } } },
            },
            "304": reference("DescriptionNotModified"),
            "400": reference("InvalidPublicRequest"),
            "413": reference("PayloadTooLarge"),
            "414": reference("UriTooLong"),
            "431": reference("HeadTooLarge"),
            "500": reference("PublicInternalError"),
        },
    })
}
