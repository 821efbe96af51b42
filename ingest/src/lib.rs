//! From what a portal sends to a listing: portals, dumps, timelines, liveness.
//!
//! # Layout
//!
//! In the order of the flow: portals are crawled ([`crawl`]), dumps hold what was observed ([`dumps`]), a portal's adapter
//! reads what the portal sent ([`portals`]) into a listing and what was not understood ([`reading`]), values outside
//! sense are left out ([`sense`]), a listing's observations are folded into its life so far ([`timeline`]), and all of
//! it is written to the store ([`intake`]). What agencies hand over themselves comes as XML-RPC ([`xml_rpc`]).

pub mod crawl;
pub mod dumps;
pub mod intake;
pub mod notation;
pub mod portals;
pub mod reading;
pub mod sense;
pub mod timeline;
pub mod xml_rpc;
