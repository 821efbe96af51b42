//! Portals as they are simulated: servers that answer in each portal's true list and detail formats.
//!
//! A [`Simulator`] serves the [`portals`] under one address, to be given as `--base-url`. Each has a [`Market`] of
//! adverts that come, go, return and change ([`World::pass_a_day`]), answers with [`Faults`] as real ones do, and may
//! get into a [`Mood`]. What a reader must know in the end is [`Market::truth`]; how it behaved is in the
//! [`Visit`]s.

mod advert;
mod advert_page;
mod faults;
mod fixture;
mod market;
mod portal;
pub mod portals;
mod server;

pub use advert::{Advert, Kind, sentence};
pub use faults::{Faults, LATE, Mood};
pub use market::{Market, Truth};
pub use portal::{Ask, Reply, SimulatedPortal};
pub use server::{Simulator, Stand, Visit, World};
