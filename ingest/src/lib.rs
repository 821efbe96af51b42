//! From what a portal sends to a listing: portals, dumps, timelines, liveness.

pub mod portals;
pub mod reading;
pub mod sense;
