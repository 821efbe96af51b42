//! Readers of HTML pages that the portals share.
//!
//! - `html` parses a page, and `detail_page` finds out whether it is the page of one advert.
//! - `next_data` finds the JSON that a page made with Next.js carries.
//! - `page_content` holds the parts that every detail page has. `attribute_list` (with `amenities`), `offer_text` and
//!   `place_names` fill a listing from them, and `unstated` fills what they leave open from headline and text.
//! - [`listing_at`] tells which listing a URL leads to.

pub(crate) mod amenities;
pub(crate) mod attribute_list;
pub(crate) mod detail_page;
pub(crate) mod html;
pub(crate) mod next_data;
pub(crate) mod offer_text;
pub(crate) mod page_content;
pub(crate) mod page_url;
pub(crate) mod place_names;
pub(crate) mod unstated;

pub use page_url::listing_at;
