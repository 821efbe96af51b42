//! sreality.cz, the largest portal: agencies' adverts of every kind.
//!
//! # How it delivers
//!
//! JSON. API v1: a search with pages of list items (no area, no floor, no text) and a detail per advert, the detail in an
//! envelope `{result, status_code, status_message}`. Its codes are those of the portal's import interface (`codes`).
//! Before 2026 API v2 (`v2`). All of them are read here: an envelope, a detail, a list item.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | storeys count from 1 at the ground, cellars from −1 | n ≥ 1 becomes n − 1, n ≤ 0 stays |
//! | price 0 or 1 is "on request" | no price |
//! | `price_czk` may be the price of a square metre | the summary with its own unit goes first; a price per m², day or hour is none |
//! | rents "for the property" | monthly, as their texts say; a yearly rent is divided by twelve |
//! | a price in euro carries a conversion that moves daily | no price |
//! | a pin may be moved to the middle of its quarter or municipality | served as given, `inaccuracy_type` kept as its precision |
//! | `premise.locality` is the agency's office, in the shape of the advert's place | not read |
//! | `zip` −1, `street_id` −1, codes of value 0 (`- vyber…`, `- nezadáno`) | not given |
//! | in Prague `district` is a postal district (Praha 8) | the district is Praha; the line of the address keeps Praha 8 |
//! | flags are false by default | "no" counts only for the categories whose advertisers must answer |
//! | reserved or sold overlays the names of condition and construction | both dropped, kept as evidence |
//! | category 4 is a share of a property | a sale; the share is evidence against the whole |
//! | the price of an auction is its opening bid | the price of an offer of its own kind |
//! | list items state areas in the title only | read from there, of list items only |
//! | adverts of property abroad | kept without position |
//! | a removed advert | `{"logged_in": false}`, or an envelope with status 404 or 410 |

mod codes;
mod crawl;
mod districts;
mod heating;
pub(super) mod import;
mod normalise;
#[expect(clippy::struct_field_names, reason = "the names are the portal's")]
mod payload;
mod place;
mod price;
mod title;
mod v2;

pub use crawl::CRAWL;

use serde_json::{Map, Value};

use crate::reading::{PayloadError, Reading};

/// Reads an advert: a detail or list item of API v1, with or without its envelope, or one of API v2.
///
/// # Errors
/// [`PayloadError`] where the payload is no advert, or where it says that the advert is gone.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let estate = payload
        .get("result")
        .filter(|result| result.is_object())
        .unwrap_or(payload);
    let Value::Object(fields) = estate else {
        return Err(PayloadError::shape("an object of API v1 or v2", payload));
    };
    let has = |names: &[&str]| names.iter().any(|name| fields.contains_key(*name));
    if let Some(said) = gone(fields) {
        Err(PayloadError::Gone { said })
    } else if has(&["category_main_cb", "category_type_cb", "advert_name"]) {
        if !has(&["hash_id"]) {
            return Err(PayloadError::Missing {
                part: "hash_id",
                kind: "advert of API v1",
            });
        }
        Ok(normalise::to_reading(estate))
    } else if has(&["items", "seo"]) {
        if !has(&["name"]) {
            return Err(PayloadError::Missing {
                part: "name",
                kind: "advert of API v2",
            });
        }
        Ok(v2::to_reading(estate))
    } else {
        Err(PayloadError::shape("an object of API v1 or v2", payload))
    }
}

/// How an answer says that its advert is gone.
fn gone(fields: &Map<String, Value>) -> Option<&'static str> {
    let status = fields.get("status_code").and_then(Value::as_i64);
    if matches!(status, Some(404 | 410)) {
        return Some("status 404 or 410");
    }
    let is_empty = fields.len() == 1 && fields.get("logged_in") == Some(&Value::Bool(false));
    is_empty.then_some("an answer of nothing but logged_in: false")
}
