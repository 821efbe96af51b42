//! bezrealitky.cz: adverts of owners, without an agency.
//!
//! # How it delivers
//!
//! A GraphQL interface, whose list carries every field of the detail, and pages that hold the same object in their script
//! `__NEXT_DATA__`. The adapter reads the answer `{data: {advert}}`, the bare advert object, the data of a page, and the
//! page itself as text.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | price 0 is "not given" | no price |
//! | a few prices are in euro | no price |
//! | `balcony`, `loggia`, `terrace`, `cellar` stay false next to an area above 0 | the area comes first |
//! | `etage` counts from 1 at the ground and is never 0 | n ≥ 1 becomes n − 1, 0 is "not given" |
//! | areas of 0 | not given |
//! | `UNDEFINED` in every enumeration | not given |
//! | `cityDistrict` is `Praha - Kobylisy` in Prague | the quarter alone |
//! | region and district are only in address lines or in the tree of units | recognised by `… kraj` and `okres …` |
//! | coordinates 0, 0 | no position |
//! | an advert with a RÚIAN code is pinned to that address | the pin is exact; without a code its precision is unknown |
//! | `houseNumber` is `1290/16` | kept as evidence; the street does not contain it |
//! | many adverts on one pin | correct: one building has many units |
//! | a field in several languages, with its arguments in its name | the Czech one is read |
//! | the data of a page holds similar adverts | the advert that the page names is read, or else the one with most fields |
//! | a removed advert is `advert: null`, on its page `origAdvert: null`, a stored one `active: false` or `archived: true` | gone |
//!
//! There are no auctions and no category for shares: only its text tells that a share is on offer. The values of
//! `landType`, `houseType`, `heating`, `sewage` and `position` are not known, because no advert that was looked at had
//! one. Any value there is rejected, and so counted.

mod codes;
mod crawl;
mod find;
mod normalise;
#[expect(clippy::struct_field_names, reason = "the names are the portal's")]
mod payload;
mod place;

pub use crawl::CRAWL;

use serde_json::Value;

use crate::pages::detail_page::page_in;
use crate::pages::next_data::page_data;
use crate::reading::{PayloadError, Reading};

/// What a payload of this portal has to be.
const EXPECTED: &str =
    "an advert object with id and at least two of offerType, estateType, surface, disposition, uri";

/// Reads an advert.
///
/// # Errors
/// Returns [`PayloadError`] if the payload holds no advert, or says that the advert is gone.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    match page_in(payload) {
        Some((html, _)) => read_data(&page_data(html, "bezrealitky page")?),
        None => read_data(payload),
    }
}

fn read_data(payload: &Value) -> Result<Reading, PayloadError> {
    if find::is_null_advert(payload) {
        return Err(PayloadError::Gone {
            said: "advert is null",
        });
    }
    let Some(advert) = find::advert(payload) else {
        return Err(PayloadError::shape(EXPECTED, payload));
    };
    if advert.get("active") == Some(&Value::Bool(false)) {
        return Err(PayloadError::Gone {
            said: "active is false",
        });
    }
    if advert.get("archived") == Some(&Value::Bool(true)) {
        return Err(PayloadError::Gone {
            said: "archived is true",
        });
    }
    Ok(normalise::to_reading(&advert))
}
