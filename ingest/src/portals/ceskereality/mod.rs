//! ceskereality.cz and moravskereality.cz: one portal with agencies' adverts, on seven regional hosts.
//!
//! # How it delivers
//!
//! HTML only. The payload is the detail page, as a JSON string or as `{"url": …, "html": …}`. The listing's number
//! is the last one in the page's URL
//! (`/{prodej|pronajem}/{section}/{finer}/{town}/{words}-{number}.html`, short `/n/{number}`), the same on every host.
//!
//! | source | what is read from it |
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
//!   begins with the municipality is the town, and the rest of that part is the quarter. The other part is the street,
//!   unless it repeats municipality or quarter.
//! - **"Patro" counts from 0 at the ground**: `2.` is the third storey.
//! - **"Plocha pozemku" of a flat** repeats its floor area.
//! - **Only the row says that a price is for a square metre.** The structured data has the bare number.
//! - **Dates are relative** (`před 22 dny`). They change with every visit and are not read. The token of the form for
//!   reports changes too.
//! - **The agency's address** is in the structured data too (`offers.offeredby`), next to the property's.
//! - Kraj, elevator and furnishing are not published, but the appliances of a rented flat are.
//! - Only the map of all listings tells how exact a pin is (`exact`).
//! - **A removed listing** is a page that says so, or a redirect to a list.
//!
//! # Lists
//!
//! `https://www.ceskereality.cz/{prodej|pronajem}/{byty,rodinne-domy,chaty-chalupy,pozemky,komercni-prostory,ostatni}/[{place}/]?strana=N`,
//! twenty to a page; page 1 has no parameter. A list without a place (kraj, okres, district of Prague) ends after twelve
//! pages, and one with a place after 99; further pages are answered 404. The hosts `stredo`, `jiho`, `severo`, `vychodo`, `zapado`
//! of one domain and `jiho`, `severo` of the other show the same adverts by older regions. A card is
//! `article.i-estate` with the page's URL (`a.i-estate__image-link`), title (`.i-estate__header-title`) and price
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
/// Returns [`PayloadError`] if the payload is not a detail page of the portal, or if the page says that the listing has
/// ended.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let (html, url) = page_payload(payload)?;
    payload::Page::parse(html, url).map(|page| normalise::to_reading(&page))
}
