//! The schemas of all answers (spec, Resources and their fields).

use schema::{Location, Plan, PortalLink, PricePoint, PriceSeries};
use serde_json::{Map, Value, json};

use crate::bodies::{
    ErrorBody, ErrorContent, ErrorDetail, Health, Me, MePlan, MeToken, MeUsage, Pagination,
};
use crate::error_code;
use crate::openapi::json_type::{JsonType, describe, object_schema, reference};
use crate::openapi::{enumerations, offer_fields};

/// Every schema, by name.
pub(crate) fn all() -> Value {
    let offers = [
        ("OfferSummary", offer(&[])),
        ("OfferDetail", offer(&detail_fields())),
        ("Location", location()),
        ("PortalLink", portal_link()),
        ("PriceSeries", price_series()),
        ("PricePoint", price_point()),
    ];
    let bodies = [
        ("SearchResponse", search_response()),
        ("Pagination", pagination()),
        ("Me", me()),
        (
            "Health",
            object_schema!(Health { status: "" => { "const": "ok" }, }),
        ),
        ("Error", error()),
    ];
    offers
        .into_iter()
        .chain(enumerations::all())
        .chain(bodies)
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect::<Map<_, _>>()
        .into()
}

/// A listing: the fields that are always there, the optional ones, and further required ones.
fn offer(more: &[(&'static str, Value)]) -> Value {
    let required = [always_present().as_slice(), more].concat();
    let names: Vec<&str> = required.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = always_present()
        .into_iter()
        .chain(offer_fields::optional())
        .chain(more.iter().cloned())
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    json!({
        "type": "object",
        "required": names,
        "properties": properties,
        "additionalProperties": false,
    })
}

fn always_present() -> Vec<(&'static str, Value)> {
    let mut fields = vec![
        (
            "id",
            json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" }),
            "Stable id of the listing, used in the path of the detail.",
        ),
        (
            "firstSeenAt",
            schema::Timestamp::schema(),
            "When the property was first seen on any portal.",
        ),
        (
            "lastChangedAt",
            schema::Timestamp::schema(),
            "When any portal listing last changed; searches are sorted by it.",
        ),
        (
            "isLive",
            bool::schema(),
            "True while at least one portal advertises it.",
        ),
    ];
    for (_, schema, description) in &mut fields {
        describe(schema, description);
    }
    fields
        .into_iter()
        .map(|(name, schema, _)| (name, schema))
        .chain(offer_fields::required())
        .collect()
}

fn detail_fields() -> [(&'static str, Value); 2] {
    let mut links = Vec::<PortalLink>::schema();
    describe(
        &mut links,
        "One entry for each portal listing of the property.",
    );
    let mut prices = Vec::<PriceSeries>::schema();
    describe(
        &mut prices,
        "One series for each portal listing. Portals often disagree, so the series are not merged.",
    );
    [("portalLinks", links), ("priceHistory", prices)]
}

impl JsonType for PortalLink {
    fn schema() -> Value {
        reference("PortalLink")
    }
}

impl JsonType for PriceSeries {
    fn schema() -> Value {
        reference("PriceSeries")
    }
}

impl JsonType for PricePoint {
    fn schema() -> Value {
        reference("PricePoint")
    }
}

fn location() -> Value {
    object_schema!(Location {
        lat: "Latitude, WGS 84." => { "minimum": -90, "maximum": 90 },
        lng: "Longitude, WGS 84." => { "minimum": -180, "maximum": 180 },
    })
}

fn portal_link() -> Value {
    object_schema!(PortalLink {
        offer_id: "Id of the portal listing.",
        site_id: "Id of the portal.",
        url: "Page of the listing on the portal, an http or https URL; null if none is known.",
        is_live: "True while that portal advertises it.",
        first_seen_at: "When it was first seen on that portal.",
    })
}

fn price_series() -> Value {
    object_schema!(PriceSeries {
        offer_id: "Id of the portal listing.",
        site_id: "Id of the portal.",
        points: "Oldest first. Each price differs from the one before.",
    })
}

fn price_point() -> Value {
    object_schema!(PricePoint {
        at: "When that price was first seen.",
        price_total: "CZK.",
    })
}

/// A page is written as bytes, because the summaries are stored as JSON.
fn search_response() -> Value {
    json!({
        "type": "object",
        "required": ["data", "pagination"],
        "properties": {
            "data": { "type": "array", "maxItems": 50, "items": reference("OfferSummary") },
            "pagination": reference("Pagination"),
        },
        "additionalProperties": false,
    })
}

fn pagination() -> Value {
    object_schema!(Pagination {
        limit: "Page size in effect." => { "minimum": 1, "maximum": 50 },
        count: "Number of items on this page." => { "maximum": 50 },
        has_more: "False on the last page.",
        next_cursor: "Opaque cursor of the next page; null on the last page.",
    })
}

fn me() -> Value {
    object_schema!(Me {
        token: "",
        plan: "",
        usage: "",
    })
}

impl JsonType for MeToken<'_> {
    fn schema() -> Value {
        object_schema!(MeToken {
            id: "Public id of the token.",
            prefix: "Leading characters of the token: `jdn_` and six more.",
        })
    }
}

impl JsonType for MePlan {
    fn schema() -> Value {
        let plans = || Plan::ALL.into_iter();
        object_schema!(MePlan {
            id: "Plan id." => { "enum": plans().map(Plan::id).collect::<Vec<_>>() },
            name: "Display name of the plan." => { "enum": plans().map(Plan::name).collect::<Vec<_>>() },
            requests_per_month: "Requests per month.",
            history_months: "Calendar months of history; 0 if only live listings are included.",
        })
    }
}

impl JsonType for MeUsage {
    fn schema() -> Value {
        object_schema!(MeUsage {
            month: "The calendar month in UTC." => { "pattern": "^\\d{4}-\\d{2}$" },
            requests_used: "Requests counted this month, over all tokens of the account.",
            requests_remaining: "Requests left this month.",
            resets_at: "When the quota renews.",
        })
    }
}

fn error() -> Value {
    object_schema!(ErrorBody {
        error: "",
        ; optional:
        request_id: "Id of the request, as in `X-Request-Id`.",
    })
}

impl JsonType for ErrorContent {
    fn schema() -> Value {
        object_schema!(ErrorContent {
            code: "What clients branch on." => { "enum": error_code::ALL },
            message: "What went wrong and how to fix it, in English.",
            ; optional:
            details: "Only on 400: one entry for each invalid query parameter.",
        })
    }
}

impl JsonType for ErrorDetail {
    fn schema() -> Value {
        object_schema!(ErrorDetail {
            path: "The invalid query parameter.",
            message: "Which values it accepts, or that it is unknown and which names are accepted.",
        })
    }
}
