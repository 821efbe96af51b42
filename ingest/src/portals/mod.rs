//! The portals whose payloads can be read, one folder each.
//!
//! A portal's own field names and codes live in its folder only. An adapter is a pure function from one payload to a
//! [`Reading`]: no I/O, no clock.

use serde_json::Value;

use crate::crawl::Client;
use crate::reading::{PayloadError, Reading};

mod amenities;
mod answered;
mod attribute_list;
pub mod bazos;
pub mod bezrealitky;
pub mod ceskereality;
mod document;
pub mod idnes;
mod lenient;
mod list_page;
pub mod mmreality;
mod named_place;
mod next_data;
mod on_offer;
mod page;
pub mod page_address;
pub mod realingo;
pub mod realitymix;
pub mod remax;
mod shown;
pub mod sreality;
pub mod ulovdomov;

/// How one payload is read.
pub type Read = fn(&Value) -> Result<Reading, PayloadError>;

/// A portal whose payloads can be read.
#[derive(Debug, Clone, Copy)]
pub struct Portal {
    /// The portal's id, as in dumps and in `portalLinks`.
    pub site_id: &'static str,
    /// Reads one payload of the portal.
    pub read: Read,
    /// How it is crawled.
    pub client: &'static Client,
}

/// Every portal that has an adapter.
pub const PORTALS: &[Portal] = &[
    Portal {
        site_id: "sreality",
        read: sreality::read,
        client: &sreality::CLIENT,
    },
    Portal {
        site_id: "bezrealitky",
        read: bezrealitky::read,
        client: &bezrealitky::CLIENT,
    },
    Portal {
        site_id: "idnes",
        read: idnes::read,
        client: &idnes::CLIENT,
    },
    Portal {
        site_id: "bazos",
        read: bazos::read,
        client: &bazos::CLIENT,
    },
    Portal {
        site_id: "realitymix",
        read: realitymix::read,
        client: &realitymix::CLIENT,
    },
    Portal {
        site_id: "ceskereality",
        read: ceskereality::read,
        client: &ceskereality::CLIENT,
    },
    Portal {
        site_id: "remax",
        read: remax::read,
        client: &remax::CLIENT,
    },
    Portal {
        site_id: "mmreality",
        read: mmreality::read,
        client: &mmreality::CLIENT,
    },
    Portal {
        site_id: "ulovdomov",
        read: ulovdomov::read,
        client: &ulovdomov::CLIENT,
    },
    Portal {
        site_id: "realingo",
        read: realingo::read,
        client: &realingo::CLIENT,
    },
];

/// The portal with this id, `None` where no adapter reads it.
pub fn portal(site_id: &str) -> Option<&'static Portal> {
    PORTALS.iter().find(|portal| portal.site_id == site_id)
}

/// A format in which agencies hand over adverts of their own. Their numbers are their own as well, so that every feed
/// has a portal id that the operator gives it; an advert is known by its form.
#[derive(Debug, Clone, Copy)]
pub struct Feed {
    /// What the format is called.
    pub name: &'static str,
    /// Whether a payload is an advert in this format.
    pub is_advert: fn(&Value) -> bool,
    /// Reads one advert.
    pub read: Read,
}

/// Every format of feeds that is read.
pub const FEEDS: &[Feed] = &[Feed {
    name: "Sreality import",
    is_advert: sreality::import::is_advert,
    read: sreality::import::read,
}];

/// Who reads a payload of portal `site_id`: its adapter, else that of the feed that it is in the form of.
pub fn reader(site_id: &str, payload: &Value) -> Option<Read> {
    let feed = || {
        FEEDS
            .iter()
            .find(|feed| (feed.is_advert)(payload))
            .map(|feed| feed.read)
    };
    portal(site_id).map(|portal| portal.read).or_else(feed)
}
