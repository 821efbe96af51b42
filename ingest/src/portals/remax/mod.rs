//! remax-czech.cz: the adverts of the agency chain RE/MAX.
//!
//! # How it delivers
//!
//! HTML only. The payload is the detail page, as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! is in the page's URL (`/reality/detail/{number}/{words}`).
//!
//! | source | what is read from it |
//! |---|---|
//! | `h1.pd-header__title`, `h2.pd-header__address` | title, place line |
//! | `.breadcrumbs` | kind of offer, kraj, okres |
//! | `.pd-detail-info__row` | section, areas, floors, condition, order number and the rest |
//! | `.pd-table__value--price`, else `.pd-header__price` | price and its unit |
//! | `.pd-base-info__content` | labels, the advertiser's headline and text |
//! | `#listingMap` | the pin |
//!
//! # Traps
//!
//! - **Neighbours have the same attributes.** The cards of a dozen other listings also have the map's `data-address` and
//!   `data-gps`, and the first address on a page is a neighbour's. Only elements with an id of their own belong to the
//!   listing.
//! - **The place line** names a street only behind the word "ulice". A part of the town may follow behind a dash
//!   (`Praha 3 - Žižkov`, `Brandýs nad Labem-Stará Boleslav – část obce Stará Boleslav`). A dash without spaces belongs to
//!   the name.
//! - **Positions** are degrees, minutes and seconds; a second of 60 occurs. The portal does not tell how exact they are.
//! - **Sections hold several kinds** ("Chaty a rekreační objekty", "Hotely, penziony a restaurace", titled
//!   "chaty / chalupy"). The headline and the page's URL tell the kind.
//! - **"Číslo podlaží" counts from 1 at the ground.** The storeys among the pictograms are 0 if they are not known, and
//!   are not read.
//! - **"Celková plocha" of land is its plot.** Land has no other area.
//! - The price in the mortgage calculator is missing for rents and for prices on request, so it is not read.
//! - Texts end with the chain's standard sentence about the choice of the buyer.
//! - **A removed listing** is a page that says so, or a redirect to the search.
//!
//! # Lists
//!
//! `/reality/vyhledavani/?sale={1 for sale, 2 for rent}&stranka=N`, 21 to a page in one mixed list, with the total in
//! "z celkem N". A page past the last has no cards. A card is `div.pl-items__item` with `data-url`, `data-title`,
//! `data-price`, `data-gps` and `data-display-address`: price and position are known before the page is requested.

use serde_json::Value;

use crate::pages::detail_page::page_payload;
use crate::reading::{PayloadError, Reading};

mod crawl;
mod labels;
mod normalise;
mod payload;
mod pin;
mod place;

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
