//! How Czech adverts write things, whatever the portal: floors, prices, areas, room layouts, words of condition.
//!
//! Every reader is a pure function from text to a value, and says `None` to what it does not understand. Two kinds
//! of text are read: the *value of a field* (`1. patro (2. NP)`), where the field's name already says what it is,
//! and *running text*, where a thing counts only if the sentence says it of the property on offer. The readers of
//! running text prefer silence to a wrong value.
//!
//! All of them work on [`tokens`]: text cut into words and numbers, folded to lower case without diacritics, with
//! grouped thousands joined (`3 950 000` is one number) and room layouts left apart (`3+1 174 m²` holds 3, 1 and
//! 174).

pub mod abroad;
pub mod area;
pub mod arrangement;
pub mod city_district;
pub mod energy_class;
pub mod floor;
pub mod floor_in_text;
pub mod heating;
pub mod house_number;
pub mod kind;
pub mod markup;
pub mod meaning;
pub mod offer;
pub mod order_code;
pub mod price;
pub mod share;
pub mod street;
pub mod taken;
pub mod text;
pub mod tokens;
pub mod words;

pub use meaning::Meaning;
