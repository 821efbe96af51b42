//! mmreality.cz: the adverts of one chain of agencies, M&M reality.
//!
//! # How it delivers
//!
//! HTML only; a listing is its detail page, given as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! stands in the page's address (`/nemovitosti/{number}/`). The page is drawn from a record in JSON that stands,
//! encoded, in the attribute `:property` of several elements; nearly everything is read from it.
//!
//! | field of the record | what it is |
//! |---|---|
//! | `originalTitle`, `description` | title, text |
//! | `category`, `group`, `type` | kind of offer, section, layout or kind |
//! | `price`, `pricePerMeter`, `pricePeriod`, `priceNote` | price and what it is for |
//! | `location`, `municipality`, `municipalityPart`, `district`, `street`, `countryCode` | place |
//! | `point`, `accurate` | the pin, and whether it is the property's own or the municipality's |
//! | `usableArea`, `parcelArea`, `…Area` | areas in m² |
//! | `condition`, `construction`, `ownership`, `situation`, `energyClassification` | a number and a name each |
//! | `floor`, `overgroundFloors`, `equipment`, `lift`, … | storeys, furnishing and features |
//! | `accessoryGroups` | the rest of the attribute list: a label and the words ticked under it |
//!
//! # Traps
//!
//! - **Neighbours have records as well**, and larger ones: only that with the number of the page is the subject's.
//! - **The same house is offered under two numbers**, once as a cottage, once as a weekend house.
//! - **`totalArea` of a house is floor and plot together.** It is taken over for flats only.
//! - **`floor` counts from one at the ground.**
//! - **`wheelchairAccess` and `swimmingPool` are false on every advert** that does not say otherwise, cellar and garage as
//!   well: only a yes says something. The page's label "Parkování" is there for parking in the street, too.
//! - **No price** is one on request ("informace u makléřky" in `priceNote`).
//! - "Číslo nabídky" is the listing's number and the agency's order number at once.
//! - E-mail addresses are scrambled anew on every visit.
//! - **A removed listing** is a page that says so, a record that is not `active`, or a redirect to the list.
//!
//! # Lists
//!
//! `/nemovitosti/[{prodej|pronajem}/]?page=N`, twelve to a page, the next page in `link[rel=next]`, no total: that it
//! was walked whole shows only in its last page. A card is `a[data-card-id]` with `data-realty-price` and
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
/// The payload is no detail page of the portal, or a page that says that the listing has ended.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let (html, url) = page_payload(payload)?;
    payload::Page::parse(html, url).map(|page| normalise::to_reading(&page))
}
