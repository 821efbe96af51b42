//! realitymix.cz: adverts that agencies' software sends.
//!
//! # How it delivers
//!
//! HTML only. The payload is the detail page, as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! is the last one in the page's URL (`/detail/{town}/{words}-{number}.html`).
//!
//! | source | what is read from it |
//! |---|---|
//! | `h1`, `.advert-detail-heading__…` | title, address line, price and its unit |
//! | `BreadcrumbList` (JSON-LD) | section, kind of offer, layout, kraj, okres, municipality, quarter |
//! | `li.detail-information__data-item`, `.advert-description__short-props tr` | areas, floors, condition, order number and the rest |
//! | `.advert-description__text` | the advertiser's headline and text |
//! | `#print-map` | the pin |
//! | `data-form-address` | the municipality or its quarter |
//!
//! # Traps
//!
//! - **The URL of the page has no section.** The section is in the breadcrumb, whose paths tell what each name is:
//!   `/reality/{section}[/{layout}]/{offer}/{kraj}/{okres}/{municipality}/{quarter}`. Prague has numbered parts instead of
//!   okresy.
//! - **The first part of the address line may be a quarter**: `Stráň, Potůčky, okr. Karlovy Vary` names no street. The
//!   first part is a street only if neither the breadcrumb nor the form names it as a place.
//! - **More than a quarter of the pages have no pin.** They show what a geocoder finds for the address, which is not in
//!   the page. A pin in the page is the agency's, and may be just the middle of the town; every page says that its pin is
//!   only approximate.
//! - **"Číslo podlaží v domě" counts from 1 at the ground.** The number of storeys next to it is often wrong (fifth floor
//!   of one).
//! - **The title of every house says "domu/vily".** Only the headline tells whether it is a villa.
//! - **Prices on request** are "Cena na vyžádání", "info v RK" and "Rezervováno", which also means reserved.
//! - **Shares** are listed among whole flats and houses; only the text tells. "SPV" is not a share but the sale of a
//!   company that owns the flat.
//! - **Similar adverts** below, and the agency's office, have prices and streets of their own.
//! - Order numbers have the portal's prefix (`REALITYMIX-N02161`). Without it they are the agency's.
//! - **A removed listing** is a page that says so, or a redirect to a list.
//!
//! # Lists
//!
//! `/reality/{byty,domy,chaty,pozemky,komerce,ostatni}/{prodej,pronajem}?stranka=N`, twenty to a page, with the total
//! in "výsledky 1-20 z celkem 8928 nalezených"; a page past the last is answered 404. A card is `.advert-item` with
//! the page's URL (`a[href*="/detail/"]`), title (`h2`), place (`p.text-body-light`) and price (`.text-xl`); no
//! position.

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
