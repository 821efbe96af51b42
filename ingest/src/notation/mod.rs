//! How Czech adverts write values, on every portal: prices, areas, room layouts, shares, conditions.
//!
//! Every reader is a pure function from text to a value. It returns `None` for a text that it does not understand. There
//! are two kinds of text. In the *value of a field* (`3 950 000 Kč`) the name of the field already says what the value
//! is. In *running text* a value counts only if the sentence says it of the property on offer; there, no value is
//! better than a wrong one.
//!
//! The readers work on [`czech::tokens::Tokens`]. What does not depend on the listing (floors, order numbers, house
//! numbers, streets, countries) is read by the crate [`czech`].
//!
//! # Layout
//!
//! | value | module |
//! |---|---|
//! | kind of offer, property type | [`offer`], [`kind`] |
//! | price, also in running text | [`price`] |
//! | areas, room layouts, shares | [`area`], [`arrangement`], [`share`] |
//! | words of attribute lists | [`words`], [`heating`], [`energy_class`] |
//! | lift, balcony, cellar and furnishing in running text | [`extras`], [`furnishing`] |
//! | postal code and year of building in running text | [`postal_code`], [`year_built`] |
//! | labels such as `Rezervováno` | [`taken`] |
//! | the visible text of an HTML element | [`markup`] |

pub mod area;
pub mod arrangement;
pub mod energy_class;
pub mod extras;
pub mod furnishing;
pub mod heating;
pub mod kind;
pub mod markup;
pub mod meaning;
pub mod offer;
pub mod postal_code;
pub mod price;
pub mod share;
pub mod taken;
pub mod words;
pub mod year_built;

pub use meaning::Meaning;
