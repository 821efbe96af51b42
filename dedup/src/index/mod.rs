//! Listings in memory with the result of matching, kept up to date one listing at a time. The
//! clusters are those of a full run, but a change costs only the work around the changed listing.
//!
//! ```
//! use dedup::index::Index;
//!
//! let index = Index::build(Vec::new(), &[]);
//! assert_eq!(index.clusters().count(), 0);
//! ```

mod clusters;
mod reviews;
mod update;

use std::collections::{BTreeSet, HashMap};

use schema::{ListingKey, Review};

use crate::blocking::{self, Blocks, CandidatePairs, CoarseFacts, Member};
use crate::clustering::{Constraints, Edge, MatchGraph};
use crate::engine::{self, Components};
use crate::profile::Profile;
use crate::statistics::Statistics;
use clusters::Clusters;
use reviews::Reviews;

/// A set of listings and its clusters. A listing keeps its member number, even after it is removed.
#[derive(Debug, Default)]
pub struct Index {
    profiles: Vec<Option<Profile>>,
    member_of: HashMap<ListingKey, Member>,
    coarse_facts: Vec<CoarseFacts>,
    blocks: Blocks,
    /// Links by evidence and by must-link constraints.
    graph: MatchGraph,
    /// The strength of each link, by its ends, the smaller first.
    strengths: HashMap<(Member, Member), f32>,
    reviews: Reviews,
    clusters: Clusters,
    /// How many listings of each portal are gone. A portal with at least one is watched.
    ended: HashMap<String, usize>,
}

impl Index {
    /// Builds the index from a set of listings, each given once, and the decisions in force, which may
    /// also be about other listings.
    pub fn build(mut profiles: Vec<Profile>, reviews: &[Review]) -> Self {
        engine::sort_for_locality(&mut profiles);
        let entries = engine::blocking_entries(&profiles);
        Statistics::collect(&profiles, &entries).apply_to_all(&mut profiles);
        let mut index = Self {
            reviews: Reviews::from_reviews(reviews),
            ..Self::default()
        };
        index.coarse_facts = profiles.iter().map(CoarseFacts::from_profile).collect();
        index.blocks = Blocks::from_entries(entries);
        for (member, profile) in (0..).zip(&profiles) {
            index.member_of.insert(profile.key.clone(), member);
            index.reviews.add_listing(&profile.key, member);
            if profile.lifetime.gone_at.is_some() {
                *index.ended.entry(profile.key.site_id.clone()).or_default() += 1;
            }
        }
        let pairs = engine::score_candidates(
            &profiles,
            &CandidatePairs::from_blocks(&index.blocks, &index.coarse_facts),
        );
        let constraints =
            Constraints::from_reviews(reviews, profiles.iter().map(|profile| &profile.key));
        let components = Components::build(&profiles, &pairs, &constraints);
        index.clusters = Clusters::from_lists(components.clusters(&profiles), profiles.len());
        index.graph =
            MatchGraph::from_links(profiles.len(), components.edges().map(|edge| edge.link));
        index.strengths = components
            .edges()
            .map(|edge: &Edge| (edge.link.ends(), edge.strength))
            .collect();
        index.profiles = profiles.into_iter().map(Some).collect();
        index
    }

    /// Adds a listing, or replaces an earlier version of it. Returns the clusters that are new.
    pub fn put(&mut self, profile: Profile) -> Vec<Vec<Member>> {
        let member = self.member_for(&profile.key);
        self.replace(member, Some(profile))
    }

    /// Removes a listing. Returns the clusters that are new.
    pub fn remove(&mut self, key: &ListingKey) -> Vec<Vec<Member>> {
        match self.member_of.get(key) {
            Some(member) => self.replace(*member, None),
            None => Vec::new(),
        }
    }

    /// The member number of a listing that is or was in the index.
    pub fn member(&self, key: &ListingKey) -> Option<Member> {
        self.member_of.get(key).copied()
    }

    /// The profile of a member; `None` if it was removed.
    pub fn profile(&self, member: Member) -> Option<&Profile> {
        self.profiles.get(member as usize)?.as_ref()
    }

    /// Every cluster, in no particular order.
    pub fn clusters(&self) -> impl Iterator<Item = &[Member]> {
        self.clusters.iter()
    }

    fn member_for(&mut self, key: &ListingKey) -> Member {
        if let Some(member) = self.member_of.get(key) {
            return *member;
        }
        let member = self.profiles.len() as Member;
        self.member_of.insert(key.clone(), member);
        self.reviews.add_listing(key, member);
        self.profiles.push(None);
        self.coarse_facts.push(CoarseFacts::default());
        self.graph.add_member();
        self.clusters.add_member();
        member
    }

    fn replace(&mut self, member: Member, after: Option<Profile>) -> Vec<Vec<Member>> {
        let before = self.profiles[member as usize].take();
        let keys =
            |profile: &Option<Profile>| profile.as_ref().map(blocking::keys).unwrap_or_default();
        let (old, new) = (keys(&before), keys(&after));
        self.coarse_facts[member as usize] = after
            .as_ref()
            .map(CoarseFacts::from_profile)
            .unwrap_or_default();
        let changed_portal = self.count_ends(before.as_ref(), after.as_ref());
        if after.is_none() {
            self.clusters.dissolve(member);
        }
        self.profiles[member as usize] = after;
        let mut affected = BTreeSet::from([member]);
        if let Some(site) = changed_portal {
            affected.extend(self.members_of_portal(&site));
        }
        self.rekey(member, &old, &new, &mut affected);
        let seeds = self.rematch(&affected);
        self.recluster(seeds)
    }

    /// Counts the listings that are gone. Returns the portal if this changes whether it is watched.
    fn count_ends(&mut self, before: Option<&Profile>, after: Option<&Profile>) -> Option<String> {
        let ended = |profile: Option<&Profile>| {
            profile.is_some_and(|profile| profile.lifetime.gone_at.is_some())
        };
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
        let of_portal = move |(member, profile): (Member, &Option<Profile>)| {
            profile
                .as_ref()
                .filter(|profile| profile.key.site_id == site)
                .map(|_| member)
        };
        (0..).zip(&self.profiles).filter_map(of_portal)
    }
}
