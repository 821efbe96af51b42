//! ceskereality.cz and moravskereality.cz: one portal of agencies' adverts on seven regional hosts.
//!
//! # How it delivers
//!
//! HTML only; a listing is its detail page, given as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! is the last one in the page's address
//! (`/{prodej|pronajem}/{section}/{finer}/{town}/{words}-{number}.html`, short `/n/{number}`), the same on every host.
//!
//! | source | what is taken from it |
//! |---|---|
//! | the page's own address | section, kind of offer |
//! | `h1`, the `span` in it | title with layout or noun and area, address line |
//! | `.g-info .i-info` | price, areas, floor, condition, order number and the rest |
//! | `.entry-content` | text |
//! | `#driving_calculator_from` | the pin, municipality and okres |
//! | `<title>` | street and okres again |
//! | `dataLayer` | whether the property is abroad |
//!
//! # Traps
//!
//! - **The order of the address line varies**: `Májová 843, Ostrov`, but `Praha Nusle, Boleslavova`. The part that
//!   begins with the municipality is the town, and what follows the municipality in it its quarter. What stands in the
//!   street's place may repeat either of the two.
//! - **"Patro" counts from none at the ground**: `2.` is the third storey.
//! - **"Plocha pozemku" of a flat** is its floor area once more.
//! - **A price a square metre** is one in the row only; beside it, the structured data has the bare number.
//! - **Dates are relative** (`před 22 dny`): they change with every visit and are not read. So does the token of the form
//!   for reports.
//! - **The agency has an address in the structured data** (`offers.offeredby`), next to that of the property.
//! - Kraj, elevator and furnishing are not published; the appliances of a rented flat are.
//! - How exact a pin is only the map of all listings tells (`exact`).
//! - **A removed listing** is a page that says so, or a redirect to a list.
//!
//! # Lists
//!
//! `https://www.ceskereality.cz/{prodej|pronajem}/{byty,rodinne-domy,chaty-chalupy,pozemky,komercni-prostory,ostatni}/[{place}/]?strana=N`,
//! twenty to a page; page 1 has no parameter. Without a place (kraj, okres, district of Prague) there are twelve pages
//! and no more, with one 99; further ones are answered 404. The hosts `stredo`, `jiho`, `severo`, `vychodo`, `zapado`
//! of one domain and `jiho`, `severo` of the other show the same adverts by older regions. A card is
//! `article.i-estate` with the page's address (`a.i-estate__image-link`), title (`.i-estate__header-title`) and price
//! (`.i-estate__footer-price-value`); no position. The total is in the description, "Máme tady N". The arrow to the
//! next page is `--disabled` on the last. A list without adverts has its heading and no total.

use serde_json::Value;

use crate::pages::detail_page::page_payload;
use crate::reading::{PayloadError, Reading};

mod crawl;
mod labels;
mod normalise;
mod payload;
mod place;
mod places;

pub use crawl::CRAWL;

/// Reads a detail page.
///
/// # Errors
/// The payload is no detail page of the portal, or a page that says that the listing has ended.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let (html, url) = page_payload(payload)?;
    payload::Page::parse(html, url).map(|page| normalise::to_reading(&page))
}
