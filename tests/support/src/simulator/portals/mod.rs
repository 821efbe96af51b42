//! The simulated portals, one file each.

use super::portal::SimulatedPortal;

mod sreality;

/// Every simulated portal.
pub const SIMULATED: &[SimulatedPortal] = &[sreality::PORTAL];
