//! remax-czech.cz: the adverts of one chain of agencies.
//!
//! # How it delivers
//!
//! HTML only; a listing is its detail page, given as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! stands in the page's address (`/reality/detail/{number}/{words}`).
//!
//! | source | what is taken from it |
//! |---|---|
//! | `h1.pd-header__title`, `h2.pd-header__address` | title, place line |
//! | `.breadcrumbs` | kind of offer, kraj, okres |
//! | `.pd-detail-info__row` | section, areas, floors, condition, order number and the rest |
//! | `.pd-table__value--price`, else `.pd-header__price` | price and what it is for |
//! | `.pd-base-info__content` | labels, the advertiser's headline and text |
//! | `#listingMap` | the pin |
//!
//! # Traps
//!
//! - **Neighbours carry the same attributes.** The map's `data-address` and `data-gps` stand on the cards of a dozen
//!   other listings as well; the first address of a page is a neighbour's. Only the elements with an id of their own
//!   are the subject's.
//! - **The place line** names a street only behind the word "ulice". The town may have its part behind a dash
//!   (`Praha 3 - Žižkov`, `Brandýs nad Labem-Stará Boleslav – část obce Stará Boleslav`); a dash without spaces belongs
//!   to the name.
//! - **Positions** are degrees, minutes and seconds, one of which may be 60. How exact they are is not said.
//! - **Sections hold several kinds** ("Chaty a rekreační objekty", "Hotely, penziony a restaurace", titled
//!   "chaty / chalupy"): which of them it is, the headline and the page's address tell.
//! - **"Číslo podlaží" counts from one at the ground.** The storeys among the pictograms are 0 where they are not known,
//!   and are not read.
//! - **"Celková plocha" of land is its plot**, and it has no other.
//! - The price in the mortgage calculator is missing for rents and for prices on request: it is not read.
//! - Texts end with the chain's own sentence about the choice of the buyer.
//! - **A removed listing** is a page that says so, or a redirect to the search.
//!
//! # Lists
//!
//! `/reality/vyhledavani/?sale={1 for sale, 2 for rent}&stranka=N`, 21 to a page in one mixed index, with the total in
//! "z celkem N"; a page past the last has no cards. A card is `div.pl-items__item` with `data-url`, `data-title`,
//! `data-price`, `data-gps` and `data-display-address`: price and position are known before the page is asked for.

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
/// The payload is no detail page of the portal, or a page that says that the listing has ended.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let (html, url) = page_payload(payload)?;
    payload::Page::parse(html, url).map(|page| normalise::to_reading(&page))
}
