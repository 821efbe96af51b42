//! Reading portals' answers: what several portals answer in the same way, and the errors for what they never answer.

use czech::text::clean;
use serde_json::{Value, json};

use crate::crawl_definition::{Answer, Detail, IndexEntry, UnexpectedAnswer};
use crate::pages::listing_at;
use crate::reading::{PayloadError, ReadPayload};

mod index_layout;
pub mod index_page;

/// How many characters of an unexpected body an error shows.
const SHOWN_CHARS: usize = 120;

/// The error for an answer that the portal is not known to give.
pub fn unexpected(answer: &Answer, expected: &'static str) -> UnexpectedAnswer {
    let start: String = answer.body.chars().take(4 * SHOWN_CHARS).collect();
    let start: String = clean(&start).chars().take(SHOWN_CHARS).collect();
    let found = format!("HTTP {} {start}", answer.status);
    UnexpectedAnswer {
        url: answer.url.clone(),
        found: found.trim_end().to_owned(),
        expected,
    }
}

/// The error for an answer that lacks a part.
pub fn without(answer: &Answer, part: &str, expected: &'static str) -> UnexpectedAnswer {
    UnexpectedAnswer {
        url: answer.url.clone(),
        found: format!("an answer without {part}"),
        expected,
    }
}

/// The JSON of an answer.
///
/// # Errors
/// The status is not 200, or the body is not JSON.
pub fn json(answer: &Answer, expected: &'static str) -> Result<Value, UnexpectedAnswer> {
    let value = if answer.status == 200 {
        serde_json::from_str(&answer.body).ok()
    } else {
        None
    };
    value.ok_or_else(|| unexpected(answer, expected))
}

/// The HTML of an answer.
///
/// # Errors
/// The status is not 200.
pub fn html<'a>(answer: &'a Answer, expected: &'static str) -> Result<&'a str, UnexpectedAnswer> {
    if answer.status == 200 {
        Ok(&answer.body)
    } else {
        Err(unexpected(answer, expected))
    }
}

/// The end of an advert, if the status says so: 404 or 410.
pub fn gone_by_status(answer: &Answer) -> Option<Detail> {
    matches!(answer.status, 404 | 410).then(|| Detail::Gone {
        reason: format!("HTTP {}", answer.status),
    })
}

/// Reads the answer to a request for the page of one advert.
///
/// It gives the payload `{"url": …, "html": …}`, or the end of the advert: by the status, by a redirect to another page,
/// or because the adapter reads on the page that the advert has ended.
///
/// # Errors
/// The status is another one, or the adapter cannot read the page.
pub fn page_detail(
    site_id: &str,
    read: ReadPayload,
    asked: &[IndexEntry],
    answer: &Answer,
) -> Result<Vec<Detail>, UnexpectedAnswer> {
    const EXPECTED: &str = "the page of one advert";
    let [entry] = asked else {
        return Err(unexpected(answer, EXPECTED));
    };
    if let Some(gone) = gone_by_status(answer) {
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
    payload_detail(read, payload, answer)
}

/// The detail with this payload. It is an end if the adapter reads in the payload that the advert has ended.
///
/// # Errors
/// The adapter cannot read the payload.
pub fn payload_detail(
    read: ReadPayload,
    payload: Value,
    answer: &Answer,
) -> Result<Vec<Detail>, UnexpectedAnswer> {
    match read(&payload) {
        Ok(_) => Ok(vec![Detail::Payload(payload)]),
        Err(PayloadError::Gone { said }) => Ok(vec![Detail::Gone {
            reason: said.to_owned(),
        }]),
        Err(error) => Err(UnexpectedAnswer {
            url: answer.url.clone(),
            found: error.to_string(),
            expected: "a detail that the portal's adapter reads",
        }),
    }
}

/// The teaser of a record in JSON: the values at these JSON pointers that are present, as one text.
pub fn teaser(record: &Value, pointers: &[&str]) -> String {
    let values = pointers
        .iter()
        .filter_map(|pointer| record.pointer(pointer))
        .filter(|value| !value.is_null());
    values
        .map(|value| value.as_str().map_or_else(|| value.to_string(), clean))
        .collect::<Vec<_>>()
        .join(" | ")
}

/// The number of an advert in the member `name`, a JSON number or a text of digits.
pub fn advert_number(record: &Value, name: &str) -> Option<String> {
    let number = match record.get(name)? {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(number)
}
