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
mod reviews;
mod update;

use std::collections::{BTreeSet, HashMap};

use schema::{ListingId, ListingKey, Review, Timestamp};

use crate::blocking::{self, Blocks, CandidatePairs, CoarseFacts, Member};
use crate::clustering::{Constraints, Edge, MatchGraph};
use crate::engine::{self, Components, ScoredPair};
use crate::profile::Profile;
use crate::statistics::{self, PortalCounts};
use crate::weight_table::WeightTable;
use clusters::Clusters;
use reviews::Reviews;

/// What a change of some listings changed.
#[derive(Debug, Default)]
pub struct Update {
    /// The pairs that are heavy enough to keep and hold an affected listing, each once. They replace all
    /// earlier pairs of the affected listings.
    pub pairs: Vec<ScoredPair>,
    /// How many pairs were compared.
    pub compared: usize,
    /// The clusters that are new.
    pub clusters: Vec<Vec<Member>>,
}

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
        let blocks = Blocks::from_entries(engine::blocking_entries(&profiles));
        statistics::apply_to_all(&mut profiles, &blocks);
        let mut index = Self {
            table,
            blocks,
            reviews: Reviews::from_reviews(reviews),
            ..Self::default()
        };
        index.coarse_facts = profiles.iter().map(CoarseFacts::from_profile).collect();
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
        let affected = self.exchange(vec![profile]);
        self.rematch(&affected).clusters
    }

    /// Removes a listing. Returns the clusters that are new.
    pub fn remove(&mut self, key: &ListingKey) -> Vec<Vec<Member>> {
        let Some(member) = self.member(key) else {
            return Vec::new();
        };
        let mut affected = BTreeSet::new();
        self.replace(member, None, &mut affected);
        self.rematch(&affected).clusters
    }

    /// The first half of adding or replacing listings. Returns the affected members, whose pairs must be
    /// found again: those listings, and the members of blocks whose pairs depend on the changed size.
    /// [`rematch`](Self::rematch) is the other half.
    pub fn exchange(&mut self, profiles: Vec<Profile>) -> BTreeSet<Member> {
        let mut affected = BTreeSet::new();
        for profile in profiles {
            let member = self.member_for(&profile.key);
            self.replace(member, Some(profile), &mut affected);
        }
        affected
    }

    /// The other half: finds the pairs and clusters of the affected members again.
    pub fn rematch(&mut self, affected: &BTreeSet<Member>) -> Update {
        let found = self.find_pairs(affected);
        Update {
            pairs: found.pairs,
            compared: found.compared,
            clusters: self.recluster(found.seeds),
        }
    }

    /// The listings that the affected members are compared with, and these themselves, as far as nothing is
    /// known about the ends of listings on their portals. When they were last seen says whether they may be
    /// gone, and that changes without making a listing new.
    pub fn compared_unwatched(&self, affected: &BTreeSet<Member>) -> Vec<ListingId> {
        let unwatched = |site: &String| {
            let counts = self.portals.get(site);
            !counts.is_some_and(|counts| counts.portal().is_watched)
        };
        if !self.portals.keys().any(unwatched) {
            return Vec::new();
        }
        let near = affected.iter().filter_map(|member| {
            let own = self.profile(*member)?;
            unwatched(&own.key.site_id).then(|| self.candidates(*member, own))
        });
        let near: BTreeSet<Member> = near.flatten().collect();
        let of = near.into_iter().chain(affected.iter().copied());
        let profiles = of.filter_map(|member| self.profile(member));
        let mut ids: Vec<ListingId> = profiles
            .filter(|profile| unwatched(&profile.key.site_id))
            .map(|profile| profile.id)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Notes when a listing was last seen.
    pub fn set_last_seen(&mut self, key: &ListingKey, at: Timestamp) {
        let member = self.member(key);
        if let Some(Some(profile)) = member.map(|member| &mut self.profiles[member as usize]) {
            profile.lifetime.last_seen = at;
        }
    }

    /// Replaces the decisions by those in force now. The listings of a decision that is new or withdrawn
    /// must be put again.
    pub fn set_reviews(&mut self, reviews: &[Review]) {
        self.reviews = Reviews::from_reviews(reviews);
        let named: BTreeSet<&ListingKey> = reviews
            .iter()
            .flat_map(|review| [&review.pair.left, &review.pair.right])
            .collect();
        for key in named {
            if let Some(member) = self.member_of.get(key) {
                self.reviews.add_listing(key, *member);
            }
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

    /// The members of the cluster of a member; none if it was removed.
    pub fn cluster_of(&self, member: Member) -> &[Member] {
        self.clusters.cluster_of(member)
    }

    /// The weights that the listings are matched with.
    pub fn table(&self) -> &WeightTable {
        &self.table
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

    /// Replaces the listing of a member, `None` to remove it. Adds to `affected` every member whose pairs must be
    /// found again.
    fn replace(&mut self, member: Member, after: Option<Profile>, affected: &mut BTreeSet<Member>) {
        let before = self.profiles[member as usize].take();
        let keys =
            |profile: &Option<Profile>| profile.as_ref().map(blocking::keys).unwrap_or_default();
        let (old, new) = (keys(&before), keys(&after));
        self.coarse_facts[member as usize] = after
            .as_ref()
            .map(CoarseFacts::from_profile)
            .unwrap_or_default();
        affected.extend(self.update_portal(before.as_ref(), after.as_ref()));
        if after.is_none() {
            self.clusters.dissolve(member);
        }
        self.profiles[member as usize] = after;
        affected.insert(member);
        self.rekey(member, &old, &new, affected);
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
                    || earlier.first_crawl_is_wide != now.first_crawl_is_wide
                    || earlier.knows_start(profile.lifetime) != now.knows_start(profile.lifetime))
        };
        (0..)
            .zip(&self.profiles)
            .filter(|(_, profile)| profile.as_ref().is_some_and(is_changed))
            .map(|(member, _)| member)
            .collect()
    }
}
