//! The portals' clients: against their simulations, which are pure functions as they are, and against real lists where
//! those are at hand.

mod bazos;
mod bezrealitky;
mod ceskereality;
mod idnes;
mod mmreality;
mod pages;
mod realingo;
mod realitymix;
mod remax;
mod simulated;
mod sreality;
mod stand;
mod ulovdomov;
