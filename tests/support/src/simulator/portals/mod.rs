//! The simulated portals, one file each.

use super::portal::SimulatedPortal;

/// Every simulated portal.
pub const SIMULATED: &[SimulatedPortal] = &[];
