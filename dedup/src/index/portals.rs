//! What the listings of a portal show about it, kept up to date while listings change.

use std::collections::BTreeMap;

use schema::Timestamp;

use crate::profile::Lifetime;
use crate::statistics::Portal;

/// Counts of the listings of one portal.
#[derive(Debug, Default)]
pub(super) struct PortalCounts {
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
        Portal {
            is_watched: self.gone > 0,
            first_crawled: self.first_seen.keys().next().copied(),
        }
    }
}
