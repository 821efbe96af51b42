//! Writing observations as lines of a dump.

use schema::{CrawlScope, ListingKey, Observation, RawForm, RawListing, Timestamp};
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    site_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offer_id: Option<&'a str>,
    observed_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Payload(Box<RawValue>),
    Listing(Box<RawValue>),
    Gone(bool),
    #[serde(rename_all = "camelCase")]
    Crawl {
        started_at: Timestamp,
        complete: bool,
        scope: CrawlScope,
    },
}

/// The line of a dump that [`parse_line`](super::parse_line) parses as `observation`, without a line end.
pub fn write_line(observation: &Observation) -> String {
    let line = match observation {
        Observation::Seen { key, at, raw } => {
            let body = body(raw);
            let kind = match raw.form {
                RawForm::Payload => Kind::Payload(body),
                RawForm::Listing => Kind::Listing(body),
            };
            listing_line(key, *at, raw.url.as_deref(), kind)
        }
        Observation::Gone { key, at } => listing_line(key, *at, None, Kind::Gone(true)),
        Observation::Crawled(crawl) => Line {
            site_id: &crawl.site_id,
            offer_id: None,
            observed_at: crawl.observed_at,
            url: None,
            kind: Kind::Crawl {
                started_at: crawl.started_at,
                complete: true,
                scope: crawl.scope,
            },
        },
    };
    serde_json::to_string(&line).unwrap_or_default()
}

fn listing_line<'a>(
    key: &'a ListingKey,
    at: Timestamp,
    url: Option<&'a str>,
    kind: Kind,
) -> Line<'a> {
    Line {
        site_id: &key.site_id,
        offer_id: Some(&key.offer_id),
        observed_at: at,
        url,
        kind,
    }
}

/// The body as JSON on one line. Line ends in JSON occur only between tokens. A body that is not JSON becomes a JSON text.
fn body(raw: &RawListing) -> Box<RawValue> {
    RawValue::from_string(raw.body.replace(['\r', '\n'], " "))
        .or_else(|_not_json| serde_json::value::to_raw_value(&raw.body))
        .unwrap_or_else(|_never| RawValue::NULL.to_owned())
}
