//! reality.idnes.cz.
//!
//! # How it delivers
//!
//! HTML only. The payload is the detail page, as a JSON string or as `{"url": …, "html": …}`. The listing's id is
//! the 24 hexadecimal digits at the end of the page's URL. A page has the same information in several places:
//!
//! | source | what is read from it |
//! |---|---|
//! | `h1`, `.b-detail__info`, `.b-detail__price strong`, `.b-desc` | title, place line, price, text |
//! | `<dl>` rows | areas, floor, condition, equipment, order number and the rest |
//! | `dataLayer.push({"event": "viewDetail", "listing_…"})` | kind of offer, category, city, quarter, okres, kraj, state |
//! | `script[data-maptiler-json]` | the pin and how exact it is |
//!
//! # Traps
//!
//! - **The map shows about twenty neighbours.** The listing's own feature is not marked as similar and has the listing's
//!   id. A point is the exact place. If the advertiser hid the address, the map highlights a street or an area instead,
//!   and the map's centre marks only that.
//! - **Neighbours' cards** ("Podobné nabídky") and the agency's address are on the page too, so only the listing's own
//!   elements are read.
//! - **Prices** are grouped with zero-width joiners, and a struck-out old price precedes the new one.
//! - **Floors** are written as `1. patro (2. NP)`; "patro" is read.
//! - **District.** For Prague the portal names a postal district (`Praha 5`), which is not an okres. All of Prague is the
//!   district `Praha`, as the portal itself writes in some place lines.
//! - **About a third is abroad**, in the same markup. Place and title are kept; position and street are left out.
//! - **Order numbers** have the portal's prefix (`IDNES-N112536`). Without it they are the agency's, as on other portals.
//! - **A removed listing** is a page that says so, or a redirect to a search.
//!
//! # Lists
//!
//! `/s/{prodej|pronajem}/{byty,domy,pozemky,komercni-nemovitosti,male-objekty-garaze}/`, property abroad among them,
//! twenty-six to a page. The bare address is the first page, and `?page=N` is the page after the Nth. The page past the
//! last is answered 404. A card is `.c-products__item` with the page's URL (`a.c-products__link`), title
//! (`.c-products__title`), place (`.c-products__info`) and price (`.c-products__price`); no position. Advertisements are
//! cards with a different class. The page's description begins with the total, and the pager has the next page.

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
/// Returns [`PayloadError`] if the payload is not a detail page of the portal, or if the page says that the listing has
/// ended.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let (html, url) = page_payload(payload)?;
    payload::Page::parse(html, url).map(|page| normalise::to_reading(&page))
}
