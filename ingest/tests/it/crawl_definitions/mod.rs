//! The crawl definitions of the portals, tested against the simulated portals, and against real lists on machines that have
//! them.

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
mod simulated_site;
mod sreality;
mod ulovdomov;
