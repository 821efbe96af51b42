//! realitymix.cz: agencies' adverts, sent in by their software.
//!
//! # How it delivers
//!
//! HTML only; a listing is its detail page, given as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! is the last one in the page's address (`/detail/{town}/{words}-{number}.html`).
//!
//! | source | what is taken from it |
//! |---|---|
//! | `h1`, `.advert-detail-heading__…` | title, address line, price and what it is for |
//! | `BreadcrumbList` (JSON-LD) | section, kind of offer, layout, kraj, okres, municipality, quarter |
//! | `li.detail-information__data-item`, `.advert-description__short-props tr` | areas, floors, condition, order number and the rest |
//! | `.advert-description__text` | the advertiser's headline and text |
//! | `#print-map` | the pin |
//! | `data-form-address` | the municipality or its quarter |
//!
//! # Traps
//!
//! - **The address of the page has no section.** It is in the breadcrumb, whose paths tell what each name is:
//!   `/reality/{section}[/{layout}]/{offer}/{kraj}/{okres}/{municipality}/{quarter}`. Prague has its numbered parts in
//!   the place of okresy.
//! - **The first part of the address line may be a quarter**: `Stráň, Potůčky, okr. Karlovy Vary` names no street. It
//!   is one only if neither the breadcrumb nor the form names it as a place.
//! - **No pin** stands on more than a quarter of the pages: they show what a geocoder makes of the words, and
//!   nothing of it is in the page. A pin that is there is the agency's and may as well be the middle of the town; the
//!   sentence that it is only roughly right is on every page.
//! - **"Číslo podlaží v domě" counts from one at the ground**, and the number of storeys beside it is often wrong
//!   (fifth floor of one).
//! - **Every house is titled "domu/vily"**: whether it is a villa only the headline tells.
//! - **Prices on request** are "Cena na vyžádání", "info v RK" and "Rezervováno", which says more.
//! - **Shares** stand among whole flats and houses; only the text says so. "SPV" is no share: there a company is sold
//!   that owns the flat.
//! - **Similar adverts** below have prices and streets of their own, and so has the agency's office.
//! - Order numbers carry the portal's prefix (`REALITYMIX-N02161`); without it they are the agency's.
//! - **A removed listing** is a page that says so, or a redirect to a list.
//!
//! # Lists
//!
//! `/reality/{byty,domy,chaty,pozemky,komerce,ostatni}/{prodej,pronajem}?stranka=N`, twenty to a page, with the total
//! in "výsledky 1-20 z celkem 8928 nalezených"; a page past the last is answered 404. A card is `.advert-item` with
//! the page's address (`a[href*="/detail/"]`), title (`h2`), place (`p.text-body-light`) and price (`.text-xl`); no
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
/// The payload is no detail page of the portal, or a page that says that the listing has ended.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let (html, url) = page_payload(payload)?;
    payload::Page::parse(html, url).map(|page| normalise::to_reading(&page))
}
