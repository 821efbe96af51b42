//! The simulated portals, one file each.

use super::portal::SimulatedPortal;

mod bazos;
mod bezrealitky;
mod ceskereality;
mod idnes;
mod mmreality;
mod realingo;
mod realitymix;
mod remax;
mod sreality;
mod ulovdomov;

/// Every simulated portal.
pub const SIMULATED: &[SimulatedPortal] = &[
    sreality::PORTAL,
    bezrealitky::PORTAL,
    idnes::PORTAL,
    bazos::PORTAL,
    ceskereality::PORTAL,
    realitymix::PORTAL,
    remax::PORTAL,
    mmreality::PORTAL,
    ulovdomov::PORTAL,
    realingo::PORTAL,
];
