//! reality.bazos.cz: small ads in free text, mostly by owners.
//!
//! # How it delivers
//!
//! The adapter reads three forms: the mobile interface's detail (an object with `description` and `category`), an item of
//! its list (an object without them), and the detail page's HTML, as a JSON string or as `{"url": …, "html": …}`.
//!
//! # What is structured, and what is not
//!
//! Kind of offer, category, price and postal code are fields. Everything else (layout, areas, floor, street, ownership,
//! …) is only in title and text. It is read from there if the words plainly mean the property on offer; no value is
//! better than a guess.
//!
//! # Traps
//!
//! - **`locality` is not the municipality.** It is the okres (or its town) that the postal code belongs to, and differs
//!   from the property's municipality in more than half of all adverts. So it fills neither `city` nor `district`, but
//!   only the address line, as published (`281 02 Kolín`). `city` is filled only if the postal code leaves no doubt:
//!   1xx xx is Praha, 60x xx to 65x xx is Brno, 70x xx to 72x xx is Ostrava. The gazetteer finds district and region by
//!   the postal code.
//! - **Coordinates are the middle of the postal code's area.** They never mark the property, but at best its municipality.
//! - **Property abroad** has postal codes of its own (987 65 Slovensko, 987 66 Zahraničí) and the position 58.889, 9.04 in
//!   the North Sea. Some advertisers use the postal code of their home town for a villa in Italy. So if the title names
//!   another country or the sea, postal code and position are left out.
//! - **`price_type`** says what the price text is; "V textu" means that the price is in the advert's text. A price of a
//!   few crowns is a price per square metre, or a placeholder.
//! - **Adverts that seek property** ("Koupím byt") are listed among the others. They have no kind of offer.
//! - **Similar adverts** at the end of the page have streets and prices of their own.
//! - A removed advert is `{"status": "deleted"}`, or a page that says so and has no heading.

use serde_json::Value;

use crate::reading::{PayloadError, Reading};

mod areas;
mod category;
mod crawl;
mod features;
mod normalise;
mod page;
mod payload;
mod place;

pub use crawl::CRAWL;

/// Reads a detail, a list item or a detail page.
///
/// # Errors
/// Returns [`PayloadError`] if the payload has none of the three forms, or says that the advert is deleted.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    payload::Advert::from_payload(payload).map(|advert| normalise::to_reading(&advert))
}
