//! Parsing a line of a dump into an observation.

use std::ops::Range;
use std::str::FromStr;

use schema::{
    Crawl, CrawlScope, ListingKey, Observation, RawForm, RawListing, SpecEnum, Timestamp,
    UnknownValue,
};

use super::error::LineError;
use super::object::{JsonText, Object, boolean, text};

const LINE: &str = "the line";
/// Accepted times, from 1990 to 2099. A time outside comes from a wrong clock or a typing error, and a listing that
/// changed in the far future would be the first result of every search.
const ACCEPTED_TIMES: Range<Timestamp> = Timestamp(631_152_000_000)..Timestamp(4_102_444_800_000);
const KINDS: [&str; 4] = ["payload", "listing", "gone", "crawl"];
const KEYS: [&str; 8] = [
    "siteId",
    "offerId",
    "observedAt",
    "url",
    "payload",
    "listing",
    "gone",
    "crawl",
];

/// Parses one line. `None` for an incomplete crawl, which says nothing about the listings that it did not show.
///
/// A `payload` or `listing` is kept as its exact text. The portal's adapter or [`parse_listing`](super::parse_listing)
/// parses it later.
///
/// # Errors
/// [`LineError`] names the key, its value and what is accepted.
pub fn parse_line(bytes: &[u8]) -> Result<Option<Observation>, LineError> {
    let text = std::str::from_utf8(bytes).map_err(|error| LineError::NotUtf8 {
        byte: error.valid_up_to() + 1,
    })?;
    let line = Object::parse(LINE, text)?;
    line.expect_keys(&KEYS)?;
    let site_id = identifier("siteId", line.require("siteId")?)?;
    let at = instant("observedAt", line.require("observedAt")?)?;
    match kind(&line)? {
        ("crawl", crawl) => crawled(&line, site_id, at, crawl),
        (kind, value) => {
            let offer_id = identifier("offerId", line.require("offerId")?)?;
            let key = ListingKey { site_id, offer_id };
            let url = url(&line)?;
            match kind {
                "gone" => gone(value).map(|()| Some(Observation::Gone { key, at })),
                "listing" => Ok(Some(seen(key, at, RawForm::Listing, url, value))),
                _ => Ok(Some(seen(key, at, RawForm::Payload, url, value))),
            }
        }
    }
}

/// The key that says what the line is, with its value.
fn kind<'a>(line: &Object<'a>) -> Result<(&'static str, &'a JsonText), LineError> {
    let mut found = KINDS
        .iter()
        .filter_map(|kind| line.get(kind).map(|value| (*kind, value)));
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(LineError::Kind {
            found: "none of them".to_owned(),
        }),
        (Some((first, _)), Some((second, _))) => Err(LineError::Kind {
            found: format!("{first} and {second}"),
        }),
    }
}

fn seen(
    key: ListingKey,
    at: Timestamp,
    form: RawForm,
    url: Option<String>,
    body: &JsonText,
) -> Observation {
    Observation::Seen {
        key,
        at,
        raw: RawListing {
            form,
            url,
            body: body.get().to_owned(),
        },
    }
}

fn gone(value: &JsonText) -> Result<(), LineError> {
    if boolean("gone", value)? {
        Ok(())
    } else {
        Err(LineError::not_accepted(
            "gone",
            value,
            "true (a listing that is not gone has a payload or a listing)",
        ))
    }
}

fn crawled(
    line: &Object<'_>,
    site_id: String,
    observed_at: Timestamp,
    crawl: &JsonText,
) -> Result<Option<Observation>, LineError> {
    for listing_only in ["offerId", "url"] {
        if let Some(value) = line.get_non_null(listing_only) {
            return Err(LineError::not_accepted(
                listing_only,
                value,
                "nothing beside crawl",
            ));
        }
    }
    let crawl = Object::parse("crawl", crawl.get())?;
    crawl.expect_keys(&["startedAt", "complete", "scope"])?;
    let started = crawl.require("startedAt")?;
    let started_at = instant("crawl.startedAt", started)?;
    if started_at > observed_at {
        let accepted = format!("an instant not after observedAt, which is {observed_at}");
        return Err(LineError::not_accepted(
            "crawl.startedAt",
            started,
            accepted,
        ));
    }
    let complete = boolean("crawl.complete", crawl.require("complete")?)?;
    let scope = crawl
        .get_non_null("scope")
        .map(scope)
        .transpose()?
        .unwrap_or_default();
    Ok(complete.then_some(Observation::Crawled(Crawl {
        site_id,
        started_at,
        observed_at,
        scope,
    })))
}

fn scope(value: &JsonText) -> Result<CrawlScope, LineError> {
    let scope = Object::parse("crawl.scope", value.get())?;
    scope.expect_keys(&["offerType", "type"])?;
    Ok(CrawlScope {
        offer_type: scope
            .get_non_null("offerType")
            .map(|value| one_of("crawl.scope.offerType", value))
            .transpose()?,
        property_type: scope
            .get_non_null("type")
            .map(|value| one_of("crawl.scope.type", value))
            .transpose()?,
    })
}

/// A value of one of the specification's enumerations.
fn one_of<T>(name: &str, value: &JsonText) -> Result<T, LineError>
where
    T: SpecEnum + FromStr<Err = UnknownValue>,
{
    let accepted = || format!("one of {}", T::TEXTS.join(", "));
    text(name, value)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| LineError::not_accepted(name, value, accepted()))
}

/// The id of a portal, or a portal's number of a listing: a text that databases, URLs and logs can hold.
fn identifier(key: &str, value: &JsonText) -> Result<String, LineError> {
    const MAX_CHARS: usize = 200;
    let name = text(key, value)?;
    if name.is_empty() || name.chars().count() > MAX_CHARS || name.chars().any(char::is_control) {
        let accepted = format!("a text of 1 to {MAX_CHARS} characters without control characters");
        return Err(LineError::not_accepted(key, value, accepted));
    }
    Ok(name.into_owned())
}

fn instant(name: &str, value: &JsonText) -> Result<Timestamp, LineError> {
    let refused = |reason: &str| {
        let accepted = format!("a date-time such as 2026-05-01T06:00:00Z ({reason})");
        LineError::not_accepted(name, value, accepted)
    };
    let at: Timestamp = text(name, value)?
        .parse()
        .map_err(|error: schema::timestamp::InvalidTimestamp| refused(&error.reason))?;
    if ACCEPTED_TIMES.contains(&at) {
        Ok(at)
    } else {
        Err(refused("its year is from 1990 to 2099"))
    }
}

fn url(line: &Object<'_>) -> Result<Option<String>, LineError> {
    let Some(value) = line.get_non_null("url") else {
        return Ok(None);
    };
    let url = text("url", value)?;
    if url.chars().any(char::is_control) {
        return Err(LineError::not_accepted(
            "url",
            value,
            "an address without control characters, or null",
        ));
    }
    Ok((!url.is_empty()).then(|| url.into_owned()))
}
