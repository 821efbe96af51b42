//! realingo.cz: an aggregator of adverts from other portals and from agencies.
//!
//! # How it delivers
//!
//! A GraphQL interface. Its search has items with kind, price, areas and place. An offer requested by number also has a
//! `detail` with text, building and the URL of the page that the advert was copied from. Pages hold the same in their
//! script `__NEXT_DATA__`, with the detail next to the offer. The adapter reads an answer that holds one offer, the bare
//! offer (with or without its detail), the data of a page, and the page itself, as text or as
//! `{"url": …, "html": …}`.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | `externalUrl` is the page of the advert that was copied | evidence of the other listing, if its portal is known |
//! | `OTHERS_FLAT` is a flat of another layout, `HOUSE_APARTMENT` a tenement house, huts and ponds are "others" | the category decides the type, not `property` |
//! | `NEGOTIABLE` has no price, and 1 is a placeholder | no price |
//! | a few prices are in euro | no price |
//! | the address is one line: `Nupacká, Nupaky`, or `Volary, 384 51` | street, municipality and postal code are recognised by their position in it |
//! | without a street the pin is the middle of the municipality | its precision says so |
//! | an address abroad ends with the country | only the address line is kept |
//! | property abroad has a position abroad, or 58.889, 9.04, by which another portal means "abroad" | left out, like every position outside the country |
//! | the `main` area of land is its plot | read as the plot |
//! | storeys are counted as in agencies' exports, from 1 at the ground | n ≥ 1 becomes n − 1 |
//! | features are yes, no or missing, and most adverts have none | only a yes counts |
//! | energy classes carry words (`C_EFFICIENT`) | the letter is read |
//! | heating names type and source (`CENTRAL_NATURAL_GAS`) or only the source (`GAS`) | both parts are read |
//! | there is no title | no title |
//! | a removed offer is null, `deleted`, or has a `deletedAt` | gone |
//!
//! The values of `locationPrecision` and `gully` are not known. Any value there is rejected, and so counted.

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
/// Returns [`PayloadError`] if the payload holds no offer or several, or says that the offer is gone.
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
