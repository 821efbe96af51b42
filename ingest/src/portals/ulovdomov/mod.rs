//! ulovdomov.cz: rents first of all, by owners and by agencies' exports, and since lately sales.
//!
//! # How it delivers
//!
//! A search by JSON whose list carries all that the interface knows of an advert. The advert's page, made with Next.js,
//! holds the same object with further parameters, each with its Czech title. Read here: the advert object, an answer
//! that holds one, the data of a page, and a page itself, as text or as `{"url": …, "html": …}`.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | `rentalPrice` is the price of a sale as well | read for both; `sellingPrice` where it is missing |
//! | a price of 1, or none | on request: no price |
//! | `floorLevel` is said to count from 0, yet 0 is ten times rarer than 1: most exports count from 1 | the text decides where it names one of the two floors; else n ≥ 1 becomes n − 1 |
//! | a `floorLevel` of 127 | outside sense, left out |
//! | `garden` stands among the conveniences of 781 adverts of 800 | not read |
//! | the text ends with a line of dashes and the form's own fields, charges of 0 among them | cut off there |
//! | `village`, `villagePart` and `street` with the id 0 | not given |
//! | `houseType` is the only finer type: garages, offices and fields name theirs in the title | read from there |
//! | rooms and places in shared flats (`room`, `coliving`) | a flat of another layout, let |
//! | no word on condition, construction, ownership and energy in the list | read from the parameters of a page |
//! | pins have five decimals and no declared precision | the pin says nothing of itself |
//! | a page whose heading says that there is somebody interested | reserved |
//! | a removed advert is missing from the list, its page has no advert | gone |

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

/// The heading of a page whose advert is as good as taken.
const SOMEBODY_INTERESTED: &str = "Inzerát už má zájemce";

/// Reads an advert.
///
/// # Errors
/// [`PayloadError`] where the payload holds no advert, or where it says that the advert is gone.
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
