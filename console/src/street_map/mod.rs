//! A street map from a PMTiles file that the operator brings.
//!
//! `archive` and `directory` find the tiles in the file (PMTiles version 3), `tile` decodes them (Mapbox Vector Tiles 2.1),
//! `paint` says what is drawn and how, and `drawn` draws a view as SVG. So the pages need no script and nothing from
//! elsewhere.

mod archive;
mod directory;
mod drawn;
mod paint;
mod protobuf;
mod tile;

pub use archive::{StreetMap, StreetMapError};
pub(crate) use drawn::drawn;
