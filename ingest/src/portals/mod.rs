//! The portals whose payloads can be read, one folder each.
//!
//! A portal's own field names and codes are only in its folder. An adapter is a pure function from one payload to a
//! [`Reading`]: it does no I/O and reads no clock.

use serde_json::Value;

use crate::crawl_definition::CrawlDefinition;
use crate::reading::{PayloadError, ReadPayload, Reading};

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

pub use sreality::import::{Delivery, FeedContent, is_feed_advert, read_feed};

/// A portal whose payloads can be read.
#[derive(Debug, Clone, Copy)]
pub struct Portal {
    /// The portal's id, as in dumps and in `portalLinks`.
    pub site_id: &'static str,
    /// How the portal is crawled.
    pub crawl: &'static CrawlDefinition,
    /// The portal's adapter, which does not check values. Call [`Portal::read_payload`] instead, which does.
    pub adapter: ReadPayload,
}

impl Portal {
    /// Reads one payload of the portal and leaves out values outside their bounds.
    ///
    /// # Errors
    /// Returns [`PayloadError`] if the payload holds no listing, or says that the listing has ended.
    pub fn read_payload(&self, payload: &Value) -> Result<Reading, PayloadError> {
        (self.adapter)(payload).map(Reading::within_bounds)
    }
}

/// Every portal that has an adapter.
pub const PORTALS: &[Portal] = &[
    Portal {
        site_id: "sreality",
        crawl: &sreality::CRAWL,
        adapter: sreality::read_payload,
    },
    Portal {
        site_id: "bezrealitky",
        crawl: &bezrealitky::CRAWL,
        adapter: bezrealitky::read_payload,
    },
    Portal {
        site_id: "idnes",
        crawl: &idnes::CRAWL,
        adapter: idnes::read_payload,
    },
    Portal {
        site_id: "bazos",
        crawl: &bazos::CRAWL,
        adapter: bazos::read_payload,
    },
    Portal {
        site_id: "realitymix",
        crawl: &realitymix::CRAWL,
        adapter: realitymix::read_payload,
    },
    Portal {
        site_id: "ceskereality",
        crawl: &ceskereality::CRAWL,
        adapter: ceskereality::read_payload,
    },
    Portal {
        site_id: "remax",
        crawl: &remax::CRAWL,
        adapter: remax::read_payload,
    },
    Portal {
        site_id: "mmreality",
        crawl: &mmreality::CRAWL,
        adapter: mmreality::read_payload,
    },
    Portal {
        site_id: "ulovdomov",
        crawl: &ulovdomov::CRAWL,
        adapter: ulovdomov::read_payload,
    },
    Portal {
        site_id: "realingo",
        crawl: &realingo::CRAWL,
        adapter: realingo::read_payload,
    },
];

/// Returns the portal with this id, or `None` if it has no adapter.
pub fn portal(site_id: &str) -> Option<&'static Portal> {
    PORTALS.iter().find(|portal| portal.site_id == site_id)
}

/// The name of the format in which agencies deliver their own adverts. The operator gives each agency's feed a portal id
/// of its own, because every agency numbers its adverts itself. So an advert of a feed is recognised by its form.
pub const FEED_FORMAT: &str = "Sreality import";

/// Reads a payload of `site_id` and leaves out values outside their bounds. Returns `None` if the portal has no adapter
/// and the payload is not an advert of a feed.
pub fn read_payload(site_id: &str, payload: &Value) -> Option<Result<Reading, PayloadError>> {
    match portal(site_id) {
        Some(portal) => Some(portal.read_payload(payload)),
        None => is_feed_advert(payload).then(|| read_feed_advert(payload)),
    }
}

/// Reads an advert of an agency's feed and leaves out values outside their bounds.
///
/// # Errors
/// Returns [`PayloadError`] if the payload holds no advert, or says that the advert is inactive.
pub fn read_feed_advert(payload: &Value) -> Result<Reading, PayloadError> {
    sreality::import::read_payload(payload).map(Reading::within_bounds)
}
