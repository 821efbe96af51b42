//! reality.bazos.cz: small ads, mostly by owners, in free text.
//!
//! # How it delivers
//!
//! Three forms are read: the mobile interface's detail (an object with `description` and `category`), an item of its
//! list (an object without them), and the detail page's HTML as a JSON string or as `{"url": …, "html": …}`.
//!
//! # What is structured, and what is not
//!
//! Kind of offer, category, price and postal code are fields. Everything else (layout, areas, floor, street, ownership,
//! …) stands in title and text only and is taken from there where it is said plainly of the property on offer; silence
//! is better than a guess.
//!
//! # Traps
//!
//! - **`locality` is no municipality.** It is the okres (or its town) that the postal code belongs to and disagrees with
//!   the municipality of the property in more than half of all adverts. So it is not taken as `city`, nor as
//!   `district`; it is kept in the address line, as published (`281 02 Kolín`). `city` is set only where the postal
//!   code can mean nothing else: 1xx xx is Praha, 60x xx to 65x xx is Brno, 70x xx to 72x xx is Ostrava. District
//!   and region come from the gazetteer, by postal code.
//! - **Coordinates are the middle of the postal code**: never the place, at best the municipality.
//! - **Abroad** has postal codes of its own (987 65 Slovensko, 987 66 Zahraničí) and the position 58.889, 9.04 in the
//!   North Sea. Others advertise a villa in Italy under the postal code of their home town: where the title speaks of
//!   another country or the sea, neither postal code nor position is believed.
//! - **`price_type`** says what the price text is; "V textu" sends to the text. A price of a few crowns is one for a
//!   square metre, or a placeholder.
//! - **Adverts that seek** ("Koupím byt") stand among those that offer: they have no kind of offer.
//! - **Similar adverts** below the page have streets and prices of their own.
//! - A removed advert is `{"status": "deleted"}`, or a page without a heading that says so.

use serde_json::Value;

use crate::reading::{PayloadError, Reading};

mod areas;
mod category;
mod crawl;
mod extras;
mod features;
mod normalise;
mod page;
mod payload;
mod place;

pub use crawl::CRAWL;

/// Reads a detail, a list item or a detail page.
///
/// # Errors
/// The payload is none of the three, or says that the advert is deleted.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    payload::Advert::from_payload(payload).map(|advert| normalise::to_reading(&advert))
}
