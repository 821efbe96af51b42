//! What only the whole set of listings shows: how many listings share a pin or a phone number, and
//! since when and how well each portal is watched.

mod portals;

use std::collections::HashMap;

use rayon::prelude::*;

use crate::blocking::{self, Blocks};
use crate::profile::{Frequency, Profile, ValueFrequencies};

pub(crate) use portals::{Portal, PortalCounts, WIDE_CRAWL};

/// Sets on every profile what depends on the whole set, whose blocks are given.
pub fn apply_to_all(profiles: &mut [Profile], blocks: &Blocks) {
    let mut counts: HashMap<String, PortalCounts> = HashMap::new();
    for profile in &*profiles {
        let site = &profile.key.site_id;
        if !counts.contains_key(site) {
            counts.insert(site.clone(), PortalCounts::default());
        }
        if let Some(counts) = counts.get_mut(site) {
            counts.add(profile.lifetime);
        }
    }
    let portals: HashMap<String, Portal> = counts
        .into_iter()
        .map(|(site, counts)| (site, counts.portal()))
        .collect();
    profiles.par_iter_mut().for_each(|profile| {
        let portal = portals.get(&profile.key.site_id);
        apply_counts(profile, portal.copied().unwrap_or_default(), |key| {
            blocks.members(key).len()
        });
    });
}

/// Sets [`Profile::frequencies`] and what the portal shows about the [`Lifetime`](crate::profile::Lifetime). `count` says
/// how many listings have a blocking key.
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
