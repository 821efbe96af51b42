//! realingo.cz: an aggregator of other portals' and agencies' adverts.
//!
//! # How it delivers
//!
//! A GraphQL interface: a search whose items carry kind, price, areas and place, and an offer by number, whose `detail`
//! adds text, building and the address of the page that the advert was copied from. Pages hold the same in their script
//! `__NEXT_DATA__`, the detail beside the offer. Read here: an answer that holds one offer, the bare offer (with or
//! without its detail), the data of a page, and a page itself, as text or as `{"url": …, "html": …}`.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | `externalUrl` is the page of the advert that was copied | evidence of that listing, where its portal is known |
//! | `OTHERS_FLAT` is a flat of another layout, `HOUSE_APARTMENT` a tenement house, huts and ponds are "others" | typed by their category, not by `property` |
//! | no price is `NEGOTIABLE`, and 1 a placeholder | no price |
//! | a few prices are in euro | no price |
//! | the address is one line: `Nupacká, Nupaky`, or `Volary, 384 51` | street, municipality and postal code by their places in it |
//! | without a street the pin is the middle of the municipality | its precision says so |
//! | an address abroad ends with the country | only the line is kept |
//! | positions of property abroad, and 58.889, 9.04, which another portal means by "abroad" | outside the country, left out |
//! | of a piece of land `main` is the plot | the plot |
//! | storeys are handed on as the agencies' exports count them | from 1 at the ground: n ≥ 1 becomes n − 1 |
//! | features are sent as yes, as no and not at all, and most adverts have none | only a yes counts |
//! | classes of energy carry words (`C_EFFICIENT`) | their letter |
//! | ways of heating name where and what (`CENTRAL_NATURAL_GAS`) or only what (`GAS`) | read in these two parts |
//! | there is no title | none |
//! | a removed offer is null, `deleted`, or has a `deletedAt` | gone |
//!
//! What `locationPrecision` and `gully` can hold is not known: a value there is counted as reader.

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
    "one offer, an object with id and at least two of purpose, property, category, price, area";

/// Reads an offer.
///
/// # Errors
/// [`PayloadError`] where the payload holds no offer or several, or where it says that the offer is gone.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    match page_in(payload) {
        Some((html, _)) => read_data(&page_data(html, "realingo page")?),
        None => read_data(payload),
    }
}

fn read_data(payload: &Value) -> Result<Reading, PayloadError> {
    if let Some(said) = find::gone(payload) {
        return Err(PayloadError::Gone { said });
    }
    let found = find::offer(payload).ok_or_else(|| PayloadError::shape(EXPECTED, payload))?;
    if let Some(said) = found.deleted() {
        return Err(PayloadError::Gone { said });
    }
    Ok(normalise::to_reading(&found))
}
