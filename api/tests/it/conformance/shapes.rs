//! The JSON of answers.

use reqwest::Method;
use schema::Plan;
use serde_json::Value;

use crate::support::{
    Account, TestApi, TestOffer, fully_known, on_each, resolved, save, save_all, save_listing,
};

/// The fields of an offer and their types, in the specification's order.
const OFFER: [(&str, &[&str]); 5] = [
    ("date-time", &["firstSeenAt", "lastChangedAt"]),
    (
        "boolean",
        &[
            "isLive",
            "garden",
            "storage",
            "balcony",
            "loggia",
            "terrace",
            "garage",
            "elevator",
            "parking",
            "barrierFree",
            "swimmingPool",
        ],
    ),
    ("object", &["location"]),
    (
        "string",
        &[
            "id",
            "title",
            "description",
            "city",
            "street",
            "region",
            "neighborhood",
            "district",
            "postalCode",
            "address",
            "unitNumber",
            "type",
            "subtype",
            "offerType",
            "arrangement",
            "propertyState",
            "ownership",
            "buildingType",
            "equipment",
            "energyClass",
            "heatingSource",
            "heatingType",
            "sewerage",
            "housePosition",
        ],
    ),
    (
        "number",
        &[
            "priceTotal",
            "livingArea",
            "landArea",
            "floor",
            "floorCount",
            "gardenArea",
            "storageArea",
            "balconyArea",
            "loggiaArea",
            "terraceArea",
            "garageArea",
        ],
    ),
];

/// Fails unless `object` has exactly these fields with these types.
fn has_exactly<'a>(object: &Value, fields: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let mut count = 0;
    for (name, kind) in fields {
        count += 1;
        let value = &object[name];
        let fits = match kind {
            "string" => value.is_string(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "string or null" => value.is_string() || value.is_null(),
            "date-time" => is_utc(value),
            _ => value.is_object(),
        };
        assert!(fits, "{name} is not a {kind}: {value}");
    }
    assert_eq!(
        object.as_object().map(serde_json::Map::len),
        Some(count),
        "{object}"
    );
}

/// Whether a value has the form `2026-05-01T06:00:00Z`, with or without a fraction of a second.
fn is_utc(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let Some((date, time)) = text.strip_suffix('Z').and_then(|text| text.split_once('T')) else {
        return false;
    };
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let (date, time): (Vec<&str>, Vec<&str>) =
        (date.split('-').collect(), time.split(':').collect());
    date.iter().chain(&time).all(|part| digits(part))
        && digits(fraction)
        && date.iter().map(|part| part.len()).eq([4, 2, 2])
        && time.iter().map(|part| part.len()).eq([2, 2, 2])
}

async fn with_everything_known(api: &TestApi) -> Account {
    let known = fully_known().offer.attributes;
    save(
        &api.db,
        TestOffer::new("known").with(|facts| *facts = known),
    )
    .await;
    let prices = [
        ("2026-05-01T06:00:00Z", 5.0),
        ("2026-06-01T06:00:00.250Z", 4.5),
    ];
    save_listing(
        &api.db,
        "known",
        ("sreality", "1"),
        ("2026-05-01T06:00:00Z", None),
        &prices,
    )
    .await;
    save_listing(
        &api.db,
        "known",
        ("unlinked", "2"),
        ("2026-05-02T06:00:00Z", None),
        &[],
    )
    .await;
    api.account(Plan::Pro).await
}

/// Spec, Offer 4: no unknown fields appear.
/// Spec, Offer 5: each field has the name, type and presence of the table.
/// Spec, Offer 7: times are ISO 8601 in UTC with the suffix Z.
/// Spec, Offer 13: features are true or false, never text.
#[tokio::test]
async fn a_fully_known_offer_is_served_with_every_field_of_its_type() {
    on_each(async |api| {
        let account = with_everything_known(&api).await;
        let fields = OFFER
            .iter()
            .flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind)))
            .collect::<Vec<_>>();
        let search = api.get_as(&account, "/v1/offers").await;
        has_exactly(&search.body["data"][0], fields.clone());
        let detail = api.get_as(&account, "/v1/offers/known").await;
        let more = [("portalLinks", "array"), ("priceHistory", "array")];
        has_exactly(&detail.body, fields.into_iter().chain(more));
        has_exactly(
            &detail.body["location"],
            [("lat", "number"), ("lng", "number")],
        );
    })
    .await;
}

/// Spec, portalLinks 1: all five fields are always there, with the types of the table.
/// Spec, portalLinks 2: url may be null.
/// Spec, priceHistory 1: all three fields are always there, with the types of the table.
/// Spec, priceHistory 2: each point has a time and a price, oldest first.
#[tokio::test]
async fn links_series_and_points_have_all_their_fields() {
    on_each(async |api| {
        let account = with_everything_known(&api).await;
        let detail = api.get_as(&account, "/v1/offers/known").await.body;
        let (links, series) = (
            detail["portalLinks"].as_array().unwrap(),
            &detail["priceHistory"],
        );
        assert_eq!((links.len(), series.as_array().map(Vec::len)), (2, Some(2)));
        for link in links {
            let fields = [
                ("offerId", "string"),
                ("siteId", "string"),
                ("url", "string or null"),
            ];
            has_exactly(
                link,
                fields
                    .into_iter()
                    .chain([("isLive", "boolean"), ("firstSeenAt", "date-time")]),
            );
        }
        assert!(links[0]["url"].is_string() && links[1]["url"].is_null());
        for one in series.as_array().unwrap() {
            has_exactly(
                one,
                [
                    ("offerId", "string"),
                    ("siteId", "string"),
                    ("points", "array"),
                ],
            );
        }
        let points = series[0]["points"].as_array().unwrap();
        for point in points {
            has_exactly(point, [("at", "date-time"), ("priceTotal", "number")]);
        }
        assert!(points[0]["at"].as_str() < points[1]["at"].as_str());
    })
    .await;
}

/// Spec, search 14: the answer is data and pagination, and nothing else.
/// Spec, Pagination 4: nextCursor is opaque, and null on the last page.
#[tokio::test]
async fn a_page_is_data_and_pagination_and_nothing_else() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &["a", "b"].map(TestOffer::new)).await;
        for (query, cursor) in [("?limit=1", "string"), ("", "null")] {
            let page = api
                .get_as(&account, &format!("/v1/offers{query}"))
                .await
                .body;
            has_exactly(&page, [("data", "array"), ("pagination", "object")]);
            let pagination = &page["pagination"];
            let fields = [
                ("limit", "number"),
                ("count", "number"),
                ("hasMore", "boolean"),
            ];
            has_exactly(
                pagination,
                fields.into_iter().chain([("nextCursor", "string or null")]),
            );
            assert_eq!(pagination["nextCursor"].is_null(), cursor == "null");
            assert_eq!(
                pagination["nextCursor"].is_null(),
                pagination["hasMore"] == false
            );
        }
    })
    .await;
}

/// Spec, Me 1: token, plan and usage have all the fields of the table.
#[tokio::test]
async fn me_has_every_field_of_its_type() {
    on_each(async |api| {
        let account = api.account(Plan::Free).await;
        let me = api.get_as(&account, "/v1/me").await.body;
        has_exactly(
            &me,
            [("token", "object"), ("plan", "object"), ("usage", "object")],
        );
        has_exactly(&me["token"], [("id", "string"), ("prefix", "string")]);
        let plan = [
            ("id", "string"),
            ("name", "string"),
            ("requestsPerMonth", "number"),
        ];
        has_exactly(
            &me["plan"],
            plan.into_iter().chain([("historyMonths", "number")]),
        );
        let usage = [
            ("month", "string"),
            ("requestsUsed", "number"),
            ("requestsRemaining", "number"),
        ];
        has_exactly(
            &me["usage"],
            usage.into_iter().chain([("resetsAt", "date-time")]),
        );
    })
    .await;
}

/// Spec, Offer 12: enumerated fields take exactly the listed values.
/// Spec, Offer 14: energyClass, heatingSource, heatingType, sewerage, housePosition are no enumerations.
#[test]
fn eight_fields_are_enumerations_and_no_others() {
    let document = api::openapi::document("");
    let properties = document["components"]["schemas"]["OfferSummary"]["properties"]
        .as_object()
        .unwrap();
    let listed: Vec<(&str, usize)> = properties
        .iter()
        .filter_map(|(name, schema)| {
            Some((
                name.as_str(),
                resolved(&document, schema)["enum"].as_array()?.len(),
            ))
        })
        .collect();
    let expected = [
        ("type", 5),
        ("subtype", 28),
        ("offerType", 4),
        ("arrangement", 23),
        ("propertyState", 10),
        ("ownership", 5),
        ("buildingType", 8),
        ("equipment", 3),
    ];
    assert_eq!(listed, expected);
    for name in [
        "energyClass",
        "heatingSource",
        "heatingType",
        "sewerage",
        "housePosition",
    ] {
        assert_eq!(properties[name]["type"], "string", "{name}");
    }
}

/// Spec, Error 1: it is the object of the section Errors.
/// Spec, Errors 1: every error body is JSON: error with code and message, and requestId.
/// Spec, Errors 2: requestId is in the header X-Request-Id too.
/// Spec, Errors 4: details is on 400 alone.
#[tokio::test]
async fn errors_of_every_status_have_one_shape() {
    on_each(async |api| {
        let (free, spent) = (api.account(Plan::Free).await, api.account(Plan::Free).await);
        for _ in 0..10 {
            api.get_as(&spent, "/v1/offers").await;
        }
        let long = format!("/v1/offers?district={}", "x".repeat(9000));
        let mut answers = vec![
            (401, api.get("/v1/offers").await),
            (429, api.get_as(&spent, "/v1/offers").await),
            (414, api.get(&long).await),
        ];
        for (status, path) in [
            (400, "/v1/offers?limit=0"),
            (403, "/v1/offers?includeInactive=true"),
            (404, "/v1/offers/nowhere"),
            (404, "/nowhere"),
        ] {
            answers.push((status, api.get_as(&free, path).await));
        }
        let large = api
            .request(Method::GET, "/v1/me")
            .bearer_auth(&free.token)
            .body(vec![b'x'; 20_000]);
        answers.push((413, api.send("/v1/me", large).await));
        for (status, answer) in answers {
            assert_eq!(answer.status, status, "{}", answer.body);
            has_exactly(&answer.body, [("error", "object"), ("requestId", "string")]);
            let details = (status == 400).then_some(("details", "array"));
            has_exactly(
                &answer.body["error"],
                [("code", "string"), ("message", "string")]
                    .into_iter()
                    .chain(details),
            );
            assert_eq!(answer.body["requestId"], answer.header("x-request-id"));
            assert_eq!(answer.header("content-type"), "application/json");
        }
    })
    .await;
}
