//! What the listings of a portal show about it, kept up to date while listings change.

use std::collections::BTreeMap;

use schema::Timestamp;

use crate::profile::Lifetime;

/// The first crawl of a portal finds adverts of any age, and takes at most this many milliseconds.
const FIRST_CRAWL_MILLIS: i64 = 36 * 3_600_000;

/// A first crawl that found this many adverts has looked at the portal. One that found fewer may have been limited, or was a
/// sample.
pub(crate) const WIDE_CRAWL: usize = 30;

/// What the listings of a portal show about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Portal {
    /// Whether at least one listing is known to be gone. If not, it is unknown which listings are
    /// still live.
    pub is_watched: bool,
    /// When its first listing was first seen.
    pub first_crawled: Option<Timestamp>,
    /// Whether its first crawl found at least [`WIDE_CRAWL`] adverts.
    pub first_crawl_is_wide: bool,
}

impl Portal {
    /// A portal whose listings are known to be gone or not, whose first listing was first seen at `first`, and number
    /// [`WIDE_CRAWL`] in the order of their first sightings at `wide`.
    pub fn new(is_watched: bool, first: Option<Timestamp>, wide: Option<Timestamp>) -> Self {
        let portal = Self {
            is_watched,
            first_crawled: first,
            first_crawl_is_wide: false,
        };
        Self {
            first_crawl_is_wide: wide.is_some_and(|at| portal.is_in_first_crawl(at)),
            ..portal
        }
    }

    /// Sets what the portal shows about the lifetime of one of its listings.
    pub fn apply_to(self, lifetime: &mut Lifetime) {
        lifetime.start_is_known = self.knows_start(*lifetime);
        lifetime.portal_is_watched = self.is_watched;
        lifetime.first_crawl_was_wide = self.first_crawl_is_wide;
    }

    /// Whether the listing appeared when it was first seen. If the first crawl of the portal found
    /// it, it may be older.
    pub fn knows_start(self, lifetime: Lifetime) -> bool {
        self.first_crawled.is_some() && !self.is_in_first_crawl(lifetime.first_seen)
    }

    fn is_in_first_crawl(self, at: Timestamp) -> bool {
        self.first_crawled
            .is_some_and(|first| at.millis() <= first.millis().saturating_add(FIRST_CRAWL_MILLIS))
    }
}

/// Counts of the listings of one portal.
#[derive(Debug, Default)]
pub(crate) struct PortalCounts {
    gone: usize,
    /// How many listings were first seen at each time.
    first_seen: BTreeMap<Timestamp, usize>,
}

impl PortalCounts {
    /// Counts a listing.
    pub fn add(&mut self, lifetime: Lifetime) {
        self.gone += usize::from(lifetime.gone_at.is_some());
        *self.first_seen.entry(lifetime.first_seen).or_default() += 1;
    }

    /// Takes back a listing that was counted.
    pub fn remove(&mut self, lifetime: Lifetime) {
        self.gone -= usize::from(lifetime.gone_at.is_some());
        if let Some(count) = self.first_seen.get_mut(&lifetime.first_seen) {
            *count -= 1;
            if *count == 0 {
                self.first_seen.remove(&lifetime.first_seen);
            }
        }
    }

    /// What the counted listings show.
    pub fn portal(&self) -> Portal {
        let mut seen = 0;
        let wide = self.first_seen.iter().find(|(_, listings)| {
            seen += **listings;
            seen >= WIDE_CRAWL
        });
        let first = self.first_seen.keys().next().copied();
        Portal::new(self.gone > 0, first, wide.map(|(at, _)| *at))
    }
}
