//! A street map from a PMTiles file that the operator brings.
//!
//! `archive` and `directory` find the tiles in the file (PMTiles version 3), `tile` decodes them (Mapbox Vector Tiles 2.1), and `drawn`
//! draws roads, water, buildings and greenery of a view as SVG. So the pages need no script and nothing from elsewhere.

mod archive;
mod directory;
mod drawn;
mod protobuf;
mod tile;

pub use archive::{StreetMap, StreetMapError};
pub(crate) use drawn::drawn;
