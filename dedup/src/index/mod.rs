//! Listings in memory with everything that matching has derived from them, kept up to date one listing at a time: what a
//! run over everything would find, at the cost of the neighbourhood of what changed.
//!
//! ```
//! use dedup::index::Index;
//!
//! let index = Index::of(Vec::new(), &[]);
//! assert_eq!(index.clusters().count(), 0);
//! ```

mod clusters;
mod neighbourhood;
mod reviews;

use std::collections::{BTreeSet, HashMap};

use schema::{ListingKey, Review};

use crate::blocking::{self, Blocks, Candidates, Member, Outline};
use crate::clustering::{Decisions, Linked, Tie};
use crate::engine::{self, Components};
use crate::profile::Profile;
use crate::survey::Survey;
use clusters::Clusters;
use reviews::Reviews;

/// A set of listings and its clusters. Members are places: a listing keeps its own, also when it was taken out.
#[derive(Debug, Default)]
pub struct Index {
    profiles: Vec<Option<Profile>>,
    place_of: HashMap<ListingKey, Member>,
    outlines: Vec<Outline>,
    blocks: Blocks,
    /// Who is linked to whom, by evidence or by a person's decision.
    linked: Linked,
    /// What look-alikes leave of the weight of each link, by its ends, the smaller first.
    strengths: HashMap<(Member, Member), f32>,
    reviews: Reviews,
    clusters: Clusters,
    /// How many listings of each portal have ended: of the others, nobody knows what is still there.
    ended: HashMap<String, usize>,
}

impl Index {
    /// Of a set of listings, each given once, and what persons decided about these and others.
    pub fn of(mut profiles: Vec<Profile>, reviews: &[Review]) -> Self {
        engine::arrange(&mut profiles);
        let entries = engine::entries(&profiles);
        Survey::of(&profiles, &entries).note(&mut profiles);
        let mut index = Self {
            reviews: Reviews::of(reviews),
            ..Self::default()
        };
        index.outlines = profiles.iter().map(Outline::of).collect();
        index.blocks = Blocks::of(entries);
        for (place, profile) in (0..).zip(&profiles) {
            index.place_of.insert(profile.key.clone(), place);
            index.reviews.meet(&profile.key, place);
            if profile.life.until.is_some() {
                *index.ended.entry(profile.key.site_id.clone()).or_default() += 1;
            }
        }
        let pairs = engine::score(&profiles, &Candidates::of(&index.blocks, &index.outlines));
        let decisions = Decisions::among(reviews, profiles.iter().map(|profile| &profile.key));
        let components = Components::of(&profiles, &pairs, &decisions);
        index.clusters = Clusters::of(components.clusters(&profiles), profiles.len());
        index.linked = Linked::of(profiles.len(), components.ties().map(|tie| tie.link));
        let ends = |tie: &Tie| (tie.link.left, tie.link.right);
        index.strengths = components
            .ties()
            .map(|tie| (ends(tie), tie.strength))
            .collect();
        index.profiles = profiles.into_iter().map(Some).collect();
        index
    }

    /// Adds a listing, or puts it in the place of an earlier version of it. Answers with the clusters that were not there
    /// before.
    pub fn put(&mut self, profile: Profile) -> Vec<Vec<Member>> {
        let place = self.place(&profile.key);
        self.replace(place, Some(profile))
    }

    /// Takes a listing out. Answers with the clusters that were not there before.
    pub fn take_out(&mut self, key: &ListingKey) -> Vec<Vec<Member>> {
        match self.place_of.get(key) {
            Some(place) => self.replace(*place, None),
            None => Vec::new(),
        }
    }

    /// The place of a listing that is or was there.
    pub fn member(&self, key: &ListingKey) -> Option<Member> {
        self.place_of.get(key).copied()
    }

    /// The listing in a place; `None` where it was taken out.
    pub fn profile(&self, member: Member) -> Option<&Profile> {
        self.profiles.get(member as usize)?.as_ref()
    }

    /// Every cluster, in no order.
    pub fn clusters(&self) -> impl Iterator<Item = &[Member]> {
        self.clusters.iter()
    }

    fn place(&mut self, key: &ListingKey) -> Member {
        if let Some(place) = self.place_of.get(key) {
            return *place;
        }
        let place = self.profiles.len() as Member;
        self.place_of.insert(key.clone(), place);
        self.reviews.meet(key, place);
        self.profiles.push(None);
        self.outlines.push(Outline::default());
        self.linked.grow();
        self.clusters.grow();
        place
    }

    fn replace(&mut self, place: Member, after: Option<Profile>) -> Vec<Vec<Member>> {
        let before = self.profiles[place as usize].take();
        let keys =
            |profile: &Option<Profile>| profile.as_ref().map(blocking::keys).unwrap_or_default();
        let (old, new) = (keys(&before), keys(&after));
        self.outlines[place as usize] = after.as_ref().map(Outline::of).unwrap_or_default();
        let turned = self.count_ends(before.as_ref(), after.as_ref());
        if after.is_none() {
            self.clusters.dissolve(place);
        }
        self.profiles[place as usize] = after;
        let mut again = BTreeSet::from([place]);
        if let Some(site) = turned {
            again.extend(self.members_of_portal(&site));
        }
        self.rekey(place, &old, &new, &mut again);
        let seeds = self.rematch(&again);
        self.recluster(seeds)
    }

    /// Counts what has ended; answers with the portal where it thereby came to be watched, or is so no longer.
    fn count_ends(&mut self, before: Option<&Profile>, after: Option<&Profile>) -> Option<String> {
        let ended =
            |profile: Option<&Profile>| profile.is_some_and(|profile| profile.life.until.is_some());
        let site = &before.or(after)?.key.site_id;
        let (old, new) = (ended(before), ended(after));
        if old == new {
            return None;
        }
        let count = self.ended.entry(site.clone()).or_default();
        let was_watched = *count > 0;
        *count = if new { *count + 1 } else { *count - 1 };
        (was_watched != (*count > 0)).then(|| site.clone())
    }

    fn members_of_portal(&self, site: &str) -> impl Iterator<Item = Member> {
        let of_portal = move |(place, profile): (Member, &Option<Profile>)| {
            profile
                .as_ref()
                .filter(|profile| profile.key.site_id == site)
                .map(|_| place)
        };
        (0..).zip(&self.profiles).filter_map(of_portal)
    }
}
