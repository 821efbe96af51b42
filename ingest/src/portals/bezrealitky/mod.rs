//! bezrealitky.cz: owners advertise themselves, without an agency.
//!
//! # How it delivers
//!
//! A GraphQL interface, whose list carries every field of the detail; and pages that hold the same object in their
//! script `__NEXT_DATA__`. Read here: the answer `{data: {advert}}`, the bare advert object, the data of a page, and a
//! page itself as text.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | price 0 is "not given" | no price |
//! | a few prices are in euro | no price |
//! | `balcony`, `loggia`, `terrace`, `cellar` stay false beside an area above 0 | the area goes first |
//! | `etage` counts from 1 at the ground and is never 0 | n ≥ 1 becomes n − 1, 0 is "not given" |
//! | areas of 0 | not given |
//! | `UNDEFINED` in every enumeration | not given |
//! | `cityDistrict` is `Praha - Kobylisy` in Prague | the quarter alone |
//! | region and district stand in lines of address only, or in the tree of units | found by `… kraj` and `okres …` |
//! | coordinates 0, 0 | none |
//! | an advert with a RÚIAN code is pinned to that address | the pin is exact; without one the portal says nothing |
//! | `houseNumber` is `1290/16` | evidence, the street is without it |
//! | many adverts on one pin | legitimate: one building, many units |
//! | one field in several languages, its arguments in its name | the Czech one |
//! | similar adverts stand in the data of a page | the one that the page names is its own, else the fullest |
//! | a removed advert is `advert: null`, on its page `origAdvert: null`, a stored one `active: false` or `archived: true` | gone |
//!
//! There are no auctions and no category for shares: a share is known by its text alone. What `landType`, `houseType`,
//! `heating`, `sewage` and `position` can hold is not known, for no advert looked at filled them: a value there is
//! counted as reader.

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
/// [`PayloadError`] where the payload holds no advert, or where it says that the advert is gone.
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
