//! ulovdomov.cz: mostly rents, by owners and from agencies' exports, and recently also sales.
//!
//! # How it delivers
//!
//! A search that answers in JSON. Its list has all fields of an advert that the interface has. The advert's page, made
//! with Next.js, holds the same object with further parameters, each with a Czech title. The adapter reads the advert
//! object, an answer that holds one, the data of a page, and the page itself, as text or as `{"url": …, "html": …}`.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | `rentalPrice` is also the price of a sale | read for both; if it is missing, `sellingPrice` is read |
//! | a price of 1, or no price, means "on request" | no price |
//! | `floorLevel` is said to count from 0, but 0 is ten times rarer than 1, so most exports count from 1 | the text decides if it names one of the two floors; otherwise n ≥ 1 becomes n − 1 |
//! | a `floorLevel` of 127 | outside the bounds, left out |
//! | 781 of 800 adverts have `garden` among their conveniences | not read |
//! | the text ends with a line of dashes and fields of the form, such as charges of 0 | the text is cut at the line |
//! | `village`, `villagePart` and `street` with the id 0 | not given |
//! | `houseType` is the only subtype; garages, offices and fields name theirs in the title | read from the title |
//! | rooms and places in shared flats (`room`, `coliving`) | a rented flat of another layout |
//! | the list lacks condition, construction, ownership and energy class | read from the parameters of a page |
//! | pins have five decimals and no declared precision | the precision is unknown |
//! | the heading of a page says that somebody is interested | reserved |
//! | a removed advert is missing from the list, and its page has no advert | gone |

mod codes;
mod crawl;
mod find;
mod normalise;
mod parameters;
#[expect(clippy::struct_field_names, reason = "the names are the portal's")]
mod payload;
mod place;

pub use crawl::CRAWL;

use serde_json::Value;

use crate::pages::detail_page::page_in;
use crate::pages::next_data::page_data;
use crate::reading::{PayloadError, Reading};

/// What a payload of this portal has to be.
const EXPECTED: &str = "an advert object with id and offerType or propertyType";

/// The heading of a page whose advert is practically taken.
const SOMEBODY_INTERESTED: &str = "Inzerát už má zájemce";

/// Reads an advert.
///
/// # Errors
/// Returns [`PayloadError`] if the payload holds no advert, or says that the advert is gone.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    match page_in(payload) {
        Some((html, _)) => read_data(
            &page_data(html, "ulovdomov page")?,
            html.contains(SOMEBODY_INTERESTED),
        ),
        None => read_data(payload, false),
    }
}

fn read_data(payload: &Value, reserved: bool) -> Result<Reading, PayloadError> {
    if let Some(said) = find::gone(payload) {
        return Err(PayloadError::Gone { said });
    }
    let advert = find::advert(payload).ok_or_else(|| PayloadError::shape(EXPECTED, payload))?;
    Ok(normalise::to_reading(advert, reserved))
}
