//! What only the whole set of listings shows: how many listings share a pin or a phone number, and
//! since when and how well each portal is watched.

use std::collections::HashMap;

use rayon::prelude::*;
use schema::Timestamp;

use crate::blocking::{self, Blocks};
use crate::profile::{Frequency, Lifetime, Profile, ValueFrequencies};

/// The first crawl of a portal finds adverts of any age, and takes at most this many milliseconds.
const FIRST_CRAWL_MILLIS: i64 = 36 * 3_600_000;

/// What the listings of a portal show about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Portal {
    /// Whether at least one listing is known to be gone. If not, it is unknown which listings are
    /// still live.
    pub is_watched: bool,
    /// When its first listing was first seen.
    pub first_crawled: Option<Timestamp>,
}

impl Portal {
    /// Adds what a listing of the portal shows.
    fn include(&mut self, lifetime: Lifetime) {
        let first_seen = lifetime.first_seen;
        self.is_watched |= lifetime.gone_at.is_some();
        self.first_crawled = Some(
            self.first_crawled
                .map_or(first_seen, |at| at.min(first_seen)),
        );
    }

    /// Sets what the portal shows about the lifetime of one of its listings.
    pub fn apply_to(self, lifetime: &mut Lifetime) {
        lifetime.start_is_known = self.knows_start(*lifetime);
        lifetime.portal_is_watched = self.is_watched;
    }

    /// Whether the listing appeared when it was first seen. If the first crawl of the portal found
    /// it, it may be older.
    pub fn knows_start(self, lifetime: Lifetime) -> bool {
        self.first_crawled.is_some_and(|first| {
            lifetime.first_seen.millis() > first.millis().saturating_add(FIRST_CRAWL_MILLIS)
        })
    }
}

/// Sets on every profile what depends on the whole set, whose blocks are given.
pub fn apply_to_all(profiles: &mut [Profile], blocks: &Blocks) {
    let mut portals: HashMap<String, Portal> = HashMap::new();
    for profile in &*profiles {
        let site = &profile.key.site_id;
        if let Some(portal) = portals.get_mut(site) {
            portal.include(profile.lifetime);
        } else {
            let mut portal = Portal::default();
            portal.include(profile.lifetime);
            portals.insert(site.clone(), portal);
        }
    }
    profiles.par_iter_mut().for_each(|profile| {
        let portal = portals.get(&profile.key.site_id);
        apply_counts(profile, portal.copied().unwrap_or_default(), |key| {
            blocks.members(key).len()
        });
    });
}

/// Sets [`Profile::frequencies`] and what the portal shows about the [`Lifetime`]. `count` says how many listings
/// have a blocking key.
pub(crate) fn apply_counts(profile: &mut Profile, portal: Portal, count: impl Fn(i64) -> usize) {
    let keys = blocking::shared_value_keys(profile);
    let frequency = |key: i64| Frequency::from_count(count(key));
    portal.apply_to(&mut profile.lifetime);
    let known_first_day = keys.first_day.filter(|_| profile.lifetime.start_is_known);
    profile.frequencies = ValueFrequencies {
        pin: keys.pin.map_or(Frequency::Rare, frequency),
        phones: keys.phones.iter().copied().map(frequency).collect(),
        first_day: known_first_day.map_or(Frequency::Common, frequency),
        last_day: keys.last_day.map_or(Frequency::Common, frequency),
    };
}
