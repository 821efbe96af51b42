//! What only the whole set of listings tells: how many share a pin or a phone, and of which portals anybody watches what
//! goes.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use crate::blocking::{self, Member, Tells};
use crate::profile::{Profile, Shared, Sharing};

/// The outcome of looking at the whole set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// How many listings have each of the counted blocking keys.
    pub counts: HashMap<i64, usize>,
    /// Portals of which some listing is known to have gone. Of the others, nobody knows what is still there.
    pub watched: BTreeSet<String>,
}

impl Survey {
    /// Surveys a set of listings, given with their blocking keys.
    pub fn of(profiles: &[Profile], entries: &[(i64, Member)]) -> Self {
        let mut survey = Self::default();
        for (key, _) in entries
            .iter()
            .filter(|(key, _)| Tells::of(*key) == Tells::LessByMany)
        {
            *survey.counts.entry(*key).or_default() += 1;
        }
        for profile in profiles
            .iter()
            .filter(|profile| profile.life.until.is_some())
        {
            if !survey.watched.contains(&profile.key.site_id) {
                survey.watched.insert(profile.key.site_id.clone());
            }
        }
        survey
    }

    /// Notes on each profile what concerns it.
    pub fn note(&self, profiles: &mut [Profile]) {
        profiles
            .par_iter_mut()
            .for_each(|profile| self.note_on(profile));
    }

    /// Notes on a profile what concerns it.
    pub fn note_on(&self, profile: &mut Profile) {
        let watched = self.watched.contains(&profile.key.site_id);
        note(profile, watched, |key| {
            self.counts.get(&key).copied().unwrap_or_default()
        });
    }
}

/// Notes on a profile whether its portal is watched, and how many listings share its pin and its phones; `count` tells
/// how many have a counted blocking key.
pub fn note(profile: &mut Profile, watched: bool, count: impl Fn(i64) -> usize) {
    let (point, phones) = blocking::counted(profile);
    let sharing = |key: i64| Sharing::of(count(key));
    profile.shared = Shared {
        pin: point.map_or(Sharing::Few, sharing),
        phones: phones.into_iter().map(sharing).collect(),
    };
    profile.life.watched = watched;
}
