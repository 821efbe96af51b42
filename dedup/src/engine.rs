//! The whole of matching over listings in memory: profiles in, clusters out. A pure function of the set of profiles.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::blocking::{self, Member, Outline};
use crate::clustering::{self, Apart, DECIDED, Decisions, Link, Outcome};
use crate::profile::Profile;
use crate::scoring::{self, Veto, weights};
use crate::survey::Survey;

/// A pair that was compared and is worth keeping; places in the slice of profiles, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredPair {
    /// Place of one listing.
    pub left: Member,
    /// Place of the other.
    pub right: Member,
    /// Match weight.
    pub weight: f32,
    /// Whether a veto forbids it.
    pub vetoed: bool,
}

impl ScoredPair {
    /// Whether the pair by itself speaks for one property.
    pub fn links(&self) -> bool {
        !self.vetoed && self.weight >= weights::LINK
    }
}

/// The outcome of a run over a set of listings.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// Every kept pair, in order of places.
    pub pairs: Vec<ScoredPair>,
    /// Pairs that were compared.
    pub compared: usize,
    /// The clusters: places ascending, each listing in exactly one.
    pub clusters: Vec<Vec<Member>>,
}

/// Finds which of the listings are one property, by their evidence and what persons decided.
pub fn partition(profiles: &mut [Profile], decisions: &Decisions) -> Partition {
    let Compared { candidates, pairs } = compare(profiles);
    let clusters = clusters(profiles, &pairs, decisions);
    Partition { compared: candidates.len(), pairs, clusters }
}

/// The pairs of a set of listings.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Those that were compared, in order of places.
    pub candidates: Vec<(Member, Member)>,
    /// Those of them that are worth keeping.
    pub pairs: Vec<ScoredPair>,
}

/// Compares every pair that blocking finds worth it, after the survey that profiles need for it.
pub fn compare(profiles: &mut [Profile]) -> Compared {
    let entries = entries(profiles);
    Survey::of(profiles, &entries).note(profiles);
    let outlines: Vec<Outline> = profiles.iter().map(Outline::of).collect();
    let candidates = blocking::pairs(entries, &outlines);
    Compared { pairs: score(profiles, &candidates), candidates }
}

/// Every blocking key with the place of the listing that has it.
pub fn entries(profiles: &[Profile]) -> Vec<(i64, Member)> {
    let of = |(place, profile): (usize, &Profile)| {
        blocking::keys(profile).into_iter().map(move |key| (key, place as Member))
    };
    profiles.par_iter().enumerate().flat_map_iter(of).collect()
}

/// Scores candidate pairs and keeps those that could matter.
pub fn score(profiles: &[Profile], candidates: &[(Member, Member)]) -> Vec<ScoredPair> {
    let scored = candidates.par_iter().filter_map(|(left, right)| {
        let (one, other) = in_order(&profiles[*left as usize], &profiles[*right as usize]);
        let weight = scoring::weight(one, other);
        let pair = || ScoredPair {
            left: *left,
            right: *right,
            weight,
            vetoed: scoring::veto::of(one, other).is_some(),
        };
        (weight >= weights::KEPT).then(pair)
    });
    scored.collect()
}

/// Clusters all listings under the kept pairs and what persons decided.
pub fn clusters(profiles: &[Profile], pairs: &[ScoredPair], decisions: &Decisions) -> Vec<Vec<Member>> {
    Components::of(profiles, pairs, decisions).clusters(profiles)
}

/// Listings by what connects them: whatever decides about one listing lies within its component.
#[derive(Debug)]
pub struct Components {
    components: Vec<Component>,
    component_of: Vec<u32>,
}

/// Listings that are connected by links, with all that decides about them; places of profiles.
#[derive(Debug)]
struct Component {
    members: Vec<Member>,
    links: Vec<Link>,
    apart: Vec<(Member, Member)>,
}

impl Components {
    /// The components of all listings under the kept pairs and what persons decided.
    pub fn of(profiles: &[Profile], pairs: &[ScoredPair], decisions: &Decisions) -> Self {
        let links = links(profiles, pairs, decisions);
        let of = |members| Component { members, links: Vec::new(), apart: Vec::new() };
        let mut components: Vec<Component> =
            clustering::components(profiles.len(), &links).into_iter().map(of).collect();
        let mut component_of = vec![0u32; profiles.len()];
        for (number, component) in (0..).zip(&components) {
            for member in &component.members {
                component_of[*member as usize] = number;
            }
        }
        for link in links {
            components[component_of[link.left as usize] as usize].links.push(link);
        }
        for (left, right) in decisions.different() {
            let (one, other) = (component_of[left as usize], component_of[right as usize]);
            if one == other {
                components[one as usize].apart.push((left, right));
            }
        }
        Self { components, component_of }
    }

    /// The clusters: places ascending, each listing in exactly one.
    pub fn clusters(&self, profiles: &[Profile]) -> Vec<Vec<Member>> {
        let of = |component: &Component| component.clusters(profiles);
        let mut found: Vec<Vec<Member>> = self.components.par_iter().flat_map_iter(of).collect();
        found.par_sort_unstable_by_key(|cluster| cluster[0]);
        found
    }

    /// What became of the link between two listings; `None` where there is none. Pairs of a [`clustering::Fit`] are
    /// places, first one of the cluster of the listing with the smaller key.
    pub fn outcome(&self, profiles: &[Profile], one: Member, other: Member) -> Option<Outcome> {
        let number = self.component_of[one as usize];
        let component = &self.components[number as usize];
        (number == self.component_of[other as usize]).then(|| component.outcome(profiles, one, other))?
    }
}

/// What draws listings together: pairs that speak for one property, and pairs that a person says are one. Kinds of
/// offer never share a record, whoever says otherwise.
fn links(profiles: &[Profile], pairs: &[ScoredPair], decisions: &Decisions) -> Vec<Link> {
    let undecided = |pair: &&ScoredPair| pair.links() && decisions.of(pair.left, pair.right).is_none();
    let scored = pairs.iter().filter(undecided);
    let scored = scored.map(|pair| Link { left: pair.left, right: pair.right, weight: pair.weight });
    let possible = |(left, right): &(Member, Member)| {
        let veto = scoring::veto::of(&profiles[*left as usize], &profiles[*right as usize]);
        veto != Some(Veto::OfferType)
    };
    let decided = decisions.same().filter(possible);
    scored.chain(decided.map(|(left, right)| Link { left, right, weight: DECIDED })).collect()
}

/// A component in the order of portal and number, whatever the places of its members; all else is by rank in it.
struct Ranked<'a> {
    places: Vec<Member>,
    members: Vec<&'a Profile>,
    rank: HashMap<Member, u32>,
    links: Vec<Link>,
    apart: Apart,
}

impl Component {
    fn clusters(&self, profiles: &[Profile]) -> Vec<Vec<Member>> {
        if self.members.len() == 1 {
            return vec![self.members.clone()];
        }
        let ranked = self.ranked(profiles);
        let places = |cluster: Vec<u32>| {
            let mut places: Vec<Member> =
                cluster.into_iter().map(|rank| ranked.places[rank as usize]).collect();
            places.sort_unstable();
            places
        };
        clustering::cluster(&ranked.members, &ranked.links, &ranked.apart).into_iter().map(places).collect()
    }

    fn outcome(&self, profiles: &[Profile], one: Member, other: Member) -> Option<Outcome> {
        let ranked = self.ranked(profiles);
        let watched = in_rank(&ranked.rank, one, other);
        let found = clustering::outcome(&ranked.members, &ranked.links, &ranked.apart, watched)?;
        Some(found.renamed(|rank| ranked.places[rank as usize]))
    }

    fn ranked<'a>(&self, profiles: &'a [Profile]) -> Ranked<'a> {
        let mut places = self.members.clone();
        places.sort_unstable_by(|one, other| profiles[*one as usize].key.cmp(&profiles[*other as usize].key));
        let members = places.iter().map(|place| &profiles[*place as usize]).collect();
        let rank: HashMap<Member, u32> = places.iter().copied().zip(0..).collect();
        let links = self.links.iter().map(|link| {
            let (left, right) = in_rank(&rank, link.left, link.right);
            Link { left, right, weight: link.weight }
        });
        let links = links.collect();
        let apart = self.apart.iter().map(|(left, right)| in_rank(&rank, *left, *right)).collect();
        Ranked { places, members, rank, links, apart }
    }
}

fn in_rank(rank: &HashMap<Member, u32>, left: Member, right: Member) -> (u32, u32) {
    let (one, other) = (rank[&left], rank[&right]);
    (one.min(other), one.max(other))
}

/// The two in the order of portal and number: sums of fractions must not depend on who came first.
pub fn in_order<'a>(one: &'a Profile, other: &'a Profile) -> (&'a Profile, &'a Profile) {
    if one.key <= other.key { (one, other) } else { (other, one) }
}
