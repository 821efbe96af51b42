//! What a portal's client makes of answers: the details that portals give alike, and what they never answer.

use czech::text::clean;
use serde_json::{Value, json};

use crate::crawl::{Answer, Detail, IndexEntry, Unexpected};
use crate::reading::PayloadError;

use super::Read;
use super::page_address::listing_at;

/// How much of a body tells what came instead.
const BEGINNING_CHARS: usize = 120;

/// The answer is none of those that the portal is known to give.
pub fn unexpected(answer: &Answer, expected: &'static str) -> Unexpected {
    let beginning: String = answer.body.chars().take(4 * BEGINNING_CHARS).collect();
    let beginning: String = clean(&beginning).chars().take(BEGINNING_CHARS).collect();
    let found = format!("HTTP {} {beginning}", answer.status);
    Unexpected {
        url: answer.url.clone(),
        found: found.trim_end().to_owned(),
        expected,
    }
}

/// The answer has everything but one part.
pub fn without(answer: &Answer, part: &str, expected: &'static str) -> Unexpected {
    Unexpected {
        url: answer.url.clone(),
        found: format!("an answer without {part}"),
        expected,
    }
}

/// The JSON of an answer of 200.
///
/// # Errors
/// Another status, or no JSON.
pub fn json(answer: &Answer, expected: &'static str) -> Result<Value, Unexpected> {
    let value = if answer.status == 200 {
        serde_json::from_str(&answer.body).ok()
    } else {
        None
    };
    value.ok_or_else(|| unexpected(answer, expected))
}

/// The HTML of an answer of 200.
///
/// # Errors
/// Another status.
pub fn html<'a>(answer: &'a Answer, expected: &'static str) -> Result<&'a str, Unexpected> {
    if answer.status == 200 {
        Ok(&answer.body)
    } else {
        Err(unexpected(answer, expected))
    }
}

/// The advert is gone where its address says that there is nothing (404), or nothing any more (410).
pub fn gone(answer: &Answer) -> Option<Detail> {
    matches!(answer.status, 404 | 410).then(|| Detail::Gone {
        reason: format!("HTTP {}", answer.status),
    })
}

/// Of a portal of pages, what it answered for the page of one advert: the payload `{"url": …, "html": …}`, or that the
/// advert is gone, by status, by a redirect to anywhere else, or by what the page says to the adapter.
///
/// # Errors
/// Another status, or a page that is no detail page of the portal.
pub fn page_detail(
    site_id: &str,
    read: Read,
    asked: &[IndexEntry],
    answer: &Answer,
) -> Result<Vec<Detail>, Unexpected> {
    const EXPECTED: &str = "the page of one advert";
    let [entry] = asked else {
        return Err(unexpected(answer, EXPECTED));
    };
    if let Some(gone) = gone(answer) {
        return Ok(vec![gone]);
    }
    let html = html(answer, EXPECTED)?;
    let is_its_page = listing_at(&answer.url)
        .is_some_and(|listing| listing.site_id == site_id && listing.offer_id == entry.offer_id);
    if !is_its_page {
        return Ok(vec![Detail::Gone {
            reason: format!("redirected to {}", answer.url),
        }]);
    }
    let payload = json!({"url": answer.url, "html": html});
    one_detail(read, payload, answer)
}

/// A payload for one advert, unless it says to the adapter that the advert is gone.
///
/// # Errors
/// The adapter cannot read it.
pub fn one_detail(read: Read, payload: Value, answer: &Answer) -> Result<Vec<Detail>, Unexpected> {
    match read(&payload) {
        Ok(_) => Ok(vec![Detail::Payload(payload)]),
        Err(PayloadError::Gone { said }) => Ok(vec![Detail::Gone {
            reason: said.to_owned(),
        }]),
        Err(error) => Err(Unexpected {
            url: answer.url.clone(),
            found: error.to_string(),
            expected: "a detail that the portal's adapter reads",
        }),
    }
}

/// What a record of a list tells of its advert: the values at these places, those that are given, in one text.
pub fn told(record: &Value, places: &[&str]) -> String {
    let values = places
        .iter()
        .filter_map(|place| record.pointer(place))
        .filter(|value| !value.is_null());
    values
        .map(|value| value.as_str().map_or_else(|| value.to_string(), clean))
        .collect::<Vec<_>>()
        .join(" | ")
}

/// A number or text that names an advert.
pub fn number(record: &Value, name: &str) -> Option<String> {
    let number = match record.get(name)? {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(number)
}
