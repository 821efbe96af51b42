//! reality.idnes.cz.
//!
//! # How it delivers
//!
//! HTML only; a listing is its detail page, given as a JSON string or as `{"url": …, "html": …}`. The listing's id is
//! the 24 hexadecimal digits at the end of the page's address. One page says the same things several times:
//!
//! | source | what is taken from it |
//! |---|---|
//! | `h1`, `.b-detail__info`, `.b-detail__price strong`, `.b-desc` | title, place line, price, text |
//! | `<dl>` rows | areas, floor, condition, equipment, order number and the rest |
//! | `dataLayer.push({"event": "viewDetail", "listing_…"})` | kind of offer, category, city, quarter, okres, kraj, state |
//! | `script[data-maptiler-json]` | the pin and how exact it is |
//!
//! # Traps
//!
//! - **The map shows about twenty neighbours.** The subject is the feature that is not marked as similar and carries
//!   the listing's id. A point is the exact place; a highlighted street or area is all there is where the advertiser
//!   hid the address, and the map's centre then only marks the street or area.
//! - **Neighbours' cards** ("Podobné nabídky") and the agency's own address stand on the page too: nothing is read from
//!   outside the subject's own elements.
//! - **Prices** are grouped with zero-width joiners, and the old price stands struck out before the new one.
//! - **Floors** come as `1. patro (2. NP)`: patro counts.
//! - **District.** For Prague the portal gives a postal district (`Praha 5`), which is no okres; all of Prague is the
//!   district `Praha`, as the portal itself writes it in some place lines.
//! - **About a third is abroad**, with the same markup: place and title are kept, a position and street are not.
//! - **Order numbers** carry the portal's prefix (`IDNES-N112536`); without it they are the agency's, as on other
//!   portals.
//! - **A removed listing** is a page that says so, or a redirect to a search.
//!
//! # Lists
//!
//! `/s/{prodej|pronajem}/{byty,domy,pozemky,komercni-nemovitosti,male-objekty-garaze}/`, property abroad among them,
//! twenty-six to a page: the bare address is the first page, `?page=N` the one after the Nth, the one past the last is
//! answered 404. A card is `.c-products__item` with the page's address (`a.c-products__link`), title
//! (`.c-products__title`), place (`.c-products__info`) and price (`.c-products__price`); no position. Advertisements are
//! cards of a class of their own. The total begins the page's description; the next page is in the pager.

use serde_json::Value;

use crate::pages::detail_page::page_payload;
use crate::reading::{PayloadError, Reading};

mod crawl;
mod labels;
mod map;
mod normalise;
mod payload;
mod place;
mod record;

pub use crawl::CRAWL;

/// Reads a detail page.
///
/// # Errors
/// The payload is no detail page of the portal, or a page that says that the listing has ended.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let (html, url) = page_payload(payload)?;
    payload::Page::parse(html, url).map(|page| normalise::to_reading(&page))
}
