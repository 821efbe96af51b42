//! Portals as they are simulated: servers that answer in each portal's true list and detail formats.

mod advert;
mod portal;
pub mod portals;

pub use advert::{Advert, Kind, sentence};
pub use portal::{Ask, Reply, SimulatedPortal};
