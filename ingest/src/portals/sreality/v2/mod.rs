//! API v2, which the portal had until the first half of 2026. Old dumps hold its answers.
//!
//! | trap | what is done |
//! |---|---|
//! | facts are rows of a table, `items[{name, value}]`, and names changed over time (`Užitná ploch`, `Dřevěná`) | read by name, in both spellings |
//! | a hidden price is `price_czk = {}` in a detail, 1 in a list item | no price |
//! | the reduced price is the row `Zlevněno`, the old price `Původní cena` | `price_czk` is the current price |
//! | `Podlaží` counts the ground floor as 1 | floor − 1 |
//! | its total is `floors` of v1, which is said to include storeys under ground | kept as published |
//! | features are true, an area or a number | present; the area where it is one |
//! | `codeItems.building_type_search` groups constructions for searching | not read; the row `Stavba` is read instead |
//! | `locality.accuracy = not_address`: the pin is the middle of a unit whose bounding box is given | the size of the box tells the precision |

mod facts;
mod normalise;
mod payload;
mod place;

pub(crate) use normalise::to_reading;
