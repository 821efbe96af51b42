//! Listings in memory with the result of matching, kept up to date one listing at a time. The
//! clusters are those of a full run, but a change costs only the work around the changed listing.
//!
//! ```
//! use dedup::index::Index;
//! use dedup::weight_table::WeightTable;
//!
//! let index = Index::build(WeightTable::default(), Vec::new(), &[]);
//! assert_eq!(index.clusters().count(), 0);
//! ```

mod clusters;
mod portals;
mod reviews;
mod update;

use std::collections::{BTreeSet, HashMap};

use schema::{ListingKey, Review};

use crate::blocking::{self, Blocks, CandidatePairs, CoarseFacts, Member};
use crate::clustering::{Constraints, Edge, MatchGraph};
use crate::engine::{self, Components};
use crate::profile::Profile;
use crate::statistics::Statistics;
use crate::weight_table::WeightTable;
use clusters::Clusters;
use portals::PortalCounts;
use reviews::Reviews;

/// A set of listings and its clusters. A listing keeps its member number, even after it is removed.
#[derive(Debug, Default)]
pub struct Index {
    table: WeightTable,
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
    portals: HashMap<String, PortalCounts>,
}

impl Index {
    /// Builds the index from a set of listings, each given once, and the decisions in force, which may
    /// also be about other listings.
    pub fn build(table: WeightTable, mut profiles: Vec<Profile>, reviews: &[Review]) -> Self {
        engine::sort_for_locality(&mut profiles);
        let entries = engine::blocking_entries(&profiles);
        Statistics::collect(&profiles, &entries).apply_to_all(&mut profiles);
        let mut index = Self {
            table,
            reviews: Reviews::from_reviews(reviews),
            ..Self::default()
        };
        index.coarse_facts = profiles.iter().map(CoarseFacts::from_profile).collect();
        index.blocks = Blocks::from_entries(entries);
        for (member, profile) in (0..).zip(&profiles) {
            index.member_of.insert(profile.key.clone(), member);
            index.reviews.add_listing(&profile.key, member);
            let portal = index.portals.entry(profile.key.site_id.clone());
            portal.or_default().add(profile.lifetime);
        }
        let pairs = engine::score_candidates(
            &index.table,
            &profiles,
            &CandidatePairs::from_blocks(&index.blocks, &index.coarse_facts),
        );
        let constraints =
            Constraints::from_reviews(reviews, profiles.iter().map(|profile| &profile.key));
        let components = Components::build(&index.table, &profiles, &pairs, &constraints);
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
        let changed_with_portal = self.update_portal(before.as_ref(), after.as_ref());
        if after.is_none() {
            self.clusters.dissolve(member);
        }
        self.profiles[member as usize] = after;
        let mut affected = changed_with_portal;
        affected.insert(member);
        self.rekey(member, &old, &new, &mut affected);
        let seeds = self.rematch(&affected);
        self.recluster(seeds)
    }

    /// Counts a changed listing for its portal. Returns the members for which this changes what the
    /// portal says about them.
    fn update_portal(
        &mut self,
        before: Option<&Profile>,
        after: Option<&Profile>,
    ) -> BTreeSet<Member> {
        let Some(site) = before.or(after).map(|profile| &profile.key.site_id) else {
            return BTreeSet::new();
        };
        let counts = self.portals.entry(site.clone()).or_default();
        let earlier = counts.portal();
        if let Some(profile) = before {
            counts.remove(profile.lifetime);
        }
        if let Some(profile) = after {
            counts.add(profile.lifetime);
        }
        let now = counts.portal();
        if earlier == now {
            return BTreeSet::new();
        }
        let is_changed = |profile: &Profile| {
            profile.key.site_id == *site
                && (earlier.is_watched != now.is_watched
                    || earlier.knows_start(profile.lifetime) != now.knows_start(profile.lifetime))
        };
        (0..)
            .zip(&self.profiles)
            .filter(|(_, profile)| profile.as_ref().is_some_and(is_changed))
            .map(|(member, _)| member)
            .collect()
    }
}
