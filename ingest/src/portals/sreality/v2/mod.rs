//! API v2, which the portal answered on until the first half of 2026: old dumps hold it.
//!
//! | trap | what is done |
//! |---|---|
//! | facts are lines of a table, `items[{name, value}]`, and names drift (`Užitná ploch`, `Dřevěná`) | read by name, both spellings |
//! | a hidden price is `price_czk = {}` in a detail, 1 in a list item | no price |
//! | the discounted price stands under `Zlevněno`, the old one under `Původní cena` | `price_czk` is the current one |
//! | `Podlaží` counts the ground floor as 1 | floor − 1 |
//! | its total is `floors` of v1, said to include those under ground | taken as published |
//! | features are true, an area or a number | present; the area where it is one |
//! | `codeItems.building_type_search` groups constructions for searching | not read; the line `Stavba` is |
//! | `locality.accuracy = not_address`: the pin is the middle of a unit whose box is given | precision from the size of the box |

mod facts;
mod normalise;
mod payload;
mod place;

pub(crate) use normalise::to_reading;
