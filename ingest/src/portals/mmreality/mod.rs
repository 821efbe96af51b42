//! mmreality.cz: the adverts of the agency chain M&M reality.
//!
//! # How it delivers
//!
//! HTML only. The payload is the detail page, as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! is in the page's URL (`/nemovitosti/{number}/`). Several elements carry, encoded in their attribute `:property`,
//! the JSON record that the page is made from. Nearly everything is read from that record.
//!
//! | field of the record | what it is |
//! |---|---|
//! | `originalTitle`, `description` | title, text |
//! | `category`, `group`, `type` | kind of offer, section, layout or kind |
//! | `price`, `pricePerMeter`, `pricePeriod`, `priceNote` | price and its unit |
//! | `location`, `municipality`, `municipalityPart`, `district`, `street`, `countryCode` | place |
//! | `point`, `accurate` | the pin, and whether it marks the property or the municipality |
//! | `usableArea`, `parcelArea`, `…Area` | areas in m² |
//! | `condition`, `construction`, `ownership`, `situation`, `energyClassification` | a number and a name each |
//! | `floor`, `overgroundFloors`, `lift`, … | storeys and features |
//! | `accessoryGroups` | the rest of the attribute list: labels, each with the words ticked under it |
//!
//! # Traps
//!
//! - **Neighbours have records too**, even larger ones. The listing's own record is the one with the page's number.
//! - **The same house may have two numbers**, once as a cottage and once as a weekend house.
//! - **`totalArea` of a house is floor and plot together.** It is read for flats only.
//! - **`floor` counts from 1 at the ground.**
//! - **`wheelchairAccess`, `swimmingPool`, cellar and garage are false by default**, so only a yes counts. The page's badge
//!   "Parkování" is also shown for parking in the street.
//! - **`equipment` is a number that no page explains**, so it is not read. Furnishing comes from the text only.
//! - **A missing price** is a price on request ("informace u makléřky" in `priceNote`).
//! - "Číslo nabídky" is both the listing's number and the agency's order number.
//! - E-mail addresses are scrambled differently on every visit.
//! - **A removed listing** is a page that says so, a record that is not `active`, or a redirect to the list.
//!
//! # Lists
//!
//! `/nemovitosti/[{prodej|pronajem}/]?page=N`, twelve to a page, with the next page in `link[rel=next]`. There is no
//! total: only the last page tells that the whole list was read. A card is `a[data-card-id]` with `data-realty-price` and
//! `data-realty-name` (`Pronájem, Byt 2+kk, 52 m², Praha, Žižkov`); no position.

use serde_json::Value;

use crate::pages::detail_page::page_payload;
use crate::reading::{PayloadError, Reading};

mod crawl;
mod labels;
mod normalise;
mod payload;
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
