//! Readers of HTML pages that several portals share.

pub(crate) mod amenities;
pub(crate) mod attribute_list;
pub(crate) mod detail_page;
pub(crate) mod html;
pub(crate) mod named_place;
pub(crate) mod next_data;
pub(crate) mod on_offer;
pub mod page_address;
pub(crate) mod shown;
