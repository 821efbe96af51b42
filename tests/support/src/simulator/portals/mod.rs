//! The simulated portals, one file each.

use super::portal::SimulatedPortal;

mod ceskereality;
mod idnes;
mod mmreality;
mod realitymix;
mod remax;
mod bazos;
mod bezrealitky;
mod realingo;
mod sreality;
mod ulovdomov;

/// Every simulated portal.
pub const SIMULATED: &[SimulatedPortal] = &[
    sreality::PORTAL,
    idnes::PORTAL,
    ceskereality::PORTAL,
    realitymix::PORTAL,
    remax::PORTAL,
    mmreality::PORTAL,
];
