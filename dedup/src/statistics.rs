//! What only the whole set of listings shows: how many listings share a pin or a phone number, and
//! which portals are watched.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::blocking::{self, KeyStrength, Member};
use crate::profile::{Frequency, Profile, ValueFrequencies};

/// Counts over a set of listings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// How many listings have each blocking key of a pin or a phone number.
    pub(crate) counts: HashMap<i64, usize>,
    /// Portals with at least one listing that is known to be gone. For other portals it is unknown
    /// which listings are still live.
    pub(crate) watched: BTreeSet<String>,
}

impl Statistics {
    /// Counts a set of listings, given with their blocking keys.
    pub fn collect(profiles: &[Profile], entries: &[(i64, Member)]) -> Self {
        let mut statistics = Self::default();
        for (key, _) in entries
            .iter()
            .filter(|(key, _)| KeyStrength::of_key(*key) == KeyStrength::WeakerWhenShared)
        {
            *statistics.counts.entry(*key).or_default() += 1;
        }
        for profile in profiles
            .iter()
            .filter(|profile| profile.lifetime.gone_at.is_some())
        {
            if !statistics.watched.contains(&profile.key.site_id) {
                statistics.watched.insert(profile.key.site_id.clone());
            }
        }
        statistics
    }

    /// Sets [`Profile::frequencies`] and whether the portal is watched, on every profile.
    pub fn apply_to_all(&self, profiles: &mut [Profile]) {
        profiles
            .par_iter_mut()
            .for_each(|profile| self.apply_to(profile));
    }

    /// The same for one profile.
    pub(crate) fn apply_to(&self, profile: &mut Profile) {
        let watched = self.watched.contains(&profile.key.site_id);
        apply_counts(profile, watched, |key| {
            self.counts.get(&key).copied().unwrap_or_default()
        });
    }
}

/// Sets [`Profile::frequencies`] and whether the portal is watched. `count` says how many listings
/// have a blocking key.
pub(crate) fn apply_counts(profile: &mut Profile, watched: bool, count: impl Fn(i64) -> usize) {
    let (pin, phones) = blocking::shared_value_keys(profile);
    let frequency = |key: i64| Frequency::from_count(count(key));
    profile.frequencies = ValueFrequencies {
        pin: pin.map_or(Frequency::Rare, frequency),
        phones: phones.into_iter().map(frequency).collect(),
    };
    profile.lifetime.portal_is_watched = watched;
}
