//! sreality.cz, the largest portal: agencies' adverts of every kind.
//!
//! # How it delivers
//!
//! JSON. API v1 has a search, whose list items carry no area, floor or text, and a detail for each advert, in an envelope
//! `{result, status_code, status_message}`. Its codes are those of the portal's import interface (`codes`). Until 2026
//! the portal also had API v2 (`v2`). The adapter reads envelopes, details and list items of both.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | storeys count from 1 at the ground, cellars from −1 | n ≥ 1 becomes n − 1, n ≤ 0 stays |
//! | price 0 or 1 is "on request" | no price |
//! | `price_czk` may be the price of a square metre | the summary, which has its own unit, comes first; a price per m², day or hour is left out |
//! | rents "for the property" | read as monthly, as the texts of such adverts say; a yearly rent is divided by twelve |
//! | a price in euro comes with a conversion that changes daily | no price |
//! | a pin may be moved to the middle of its quarter or municipality | served as given, with `inaccuracy_type` as its precision |
//! | `premise.locality` is the agency's office, and looks like the advert's place | not read |
//! | `zip` −1, `street_id` −1, codes of value 0 (`- vyber…`, `- nezadáno`) | not given |
//! | in Prague `district` is a postal district (Praha 8) | the district is Praha; the address line keeps Praha 8 |
//! | flags are false by default | "no" counts only in categories whose advertisers must answer |
//! | the word for reserved or sold replaces the names of condition and construction | both are left out, the state is kept as evidence |
//! | category 4 is a share of a property | a sale; the share is evidence that the whole is not on offer |
//! | the price of an auction is its opening bid | kept: auctions are an offer type of their own |
//! | list items state areas in the title only | read from the title, for list items only |
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

/// Reads an advert: a detail or list item of API v1 or v2, with or without its envelope.
///
/// # Errors
/// Returns [`PayloadError`] if the payload is not an advert, or says that the advert is gone.
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

/// Tells how an answer says that its advert is gone, if it does.
fn gone(fields: &Map<String, Value>) -> Option<&'static str> {
    let status = fields.get("status_code").and_then(Value::as_i64);
    if matches!(status, Some(404 | 410)) {
        return Some("status 404 or 410");
    }
    let is_empty = fields.len() == 1 && fields.get("logged_in") == Some(&Value::Bool(false));
    is_empty.then_some("an answer of nothing but logged_in: false")
}
