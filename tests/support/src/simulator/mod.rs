//! Simulated portals: a server that answers in each portal's real index and detail formats.
//!
//! A [`Simulator`] serves the [`portals`] at one address, which a test passes as `--base-url`. Each portal has a [`Market`]
//! of adverts that appear, end, return and change ([`World::pass_a_day`]), occasional [`Faults`], and a [`Condition`] that
//! a test can set. [`Market::truth`] is what a crawler must know after the last day. The [`RecordedRequest`]s show how the
//! crawler behaved.

mod advert;
mod advert_page;
mod faults;
mod fixture;
mod market;
mod portal;
pub mod portals;
mod server;

pub use advert::{Advert, Kind, sentence};
pub use faults::{Condition, Fault, Faults, LATE};
pub use market::{Market, Truth};
pub use portal::{PortalRequest, Reply, SimulatedPortal};
pub use server::{PortalState, RecordedRequest, Simulator, World};
