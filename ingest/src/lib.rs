//! From what a portal sends to a listing: portals, dumps, timelines, liveness
