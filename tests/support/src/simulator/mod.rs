//! Simulated portals: a server that answers in each portal's real index and detail formats.
//!
//! A [`Simulator`] serves the [`portals`] at one address, which a test passes as `--base-url`. Each portal has a [`Market`]
//! of adverts that appear, end, return and change ([`World::pass_a_day`]), has occasional [`Faults`] like a real one, and
//! may get into a [`Mood`]. [`Market::truth`] is what a crawler must know in the end, and the [`Visit`]s record how it
//! behaved.

mod advert;
mod advert_page;
mod faults;
mod fixture;
mod market;
mod portal;
pub mod portals;
mod server;

pub use advert::{Advert, Kind, sentence};
pub use faults::{Fault, Faults, LATE, Mood};
pub use market::{Market, Truth};
pub use portal::{Ask, Reply, SimulatedPortal};
pub use server::{Simulator, Stand, Visit, World};
