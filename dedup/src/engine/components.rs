//! The connected components of the match graph, and their clusters.

use std::borrow::Borrow;
use std::collections::HashMap;

use rayon::prelude::*;

use super::ScoredPair;
use crate::blocking::Member;
use crate::clustering::{
    self, CannotLink, Constraints, Edge, Link, LinkOutcome, LinkedMembers, MUST_LINK, MatchGraph,
    Tie,
};
use crate::profile::Profile;
use crate::scoring::{self, Veto};
use crate::weight_table::WeightTable;

/// Fewer components than this are clustered on one thread, which is faster than waking others.
const PARALLEL_FROM: usize = 1_000;

/// The connected components of a set of listings. The cluster of a listing depends only on its
/// component.
#[derive(Debug)]
pub struct Components {
    table: WeightTable,
    all: Vec<Component>,
    component_of: Vec<u32>,
    /// Edges that look-alikes made too weak to connect anything, ordered by their ends.
    weak_edges: Vec<Edge>,
}

/// Listings that are connected by strong edges, and everything that decides about their clusters.
#[derive(Debug)]
struct Component {
    members: Vec<Member>,
    edges: Vec<Edge>,
    cannot_link: Vec<(Member, Member)>,
}

impl Components {
    /// The components of all listings by the kept pairs and the constraints.
    pub fn build<P: Borrow<Profile> + Sync>(
        table: &WeightTable,
        profiles: &[P],
        pairs: &[ScoredPair],
        constraints: &Constraints,
    ) -> Self {
        let links = links(profiles, pairs, constraints);
        let graph = MatchGraph::from_links(profiles.len(), links.iter().copied());
        let advertised = |place: Member| Some(profiles.get(place as usize)?.borrow().advertised());
        let edge = |link: Link| Edge {
            strength: graph.strength(&link, advertised),
            link,
        };
        let edges = links.into_par_iter().map(edge).collect();
        Self::from_edges(table, profiles.len(), edges, constraints.cannot_link())
    }

    /// The components of `listings` listings by these edges and cannot-link pairs.
    pub(crate) fn from_edges(
        table: &WeightTable,
        listings: usize,
        edges: Vec<Edge>,
        cannot_link: impl Iterator<Item = (Member, Member)>,
    ) -> Self {
        let (edges, mut weak_edges): (Vec<Edge>, Vec<Edge>) =
            edges.into_iter().partition(Edge::is_strong);
        weak_edges.sort_unstable_by_key(|edge| edge.link.ends());
        let component = |members| Component {
            members,
            edges: Vec::new(),
            cannot_link: Vec::new(),
        };
        let found = clustering::components(listings, edges.iter().map(|edge| &edge.link));
        let mut components: Vec<Component> = found.into_iter().map(component).collect();
        let mut component_of = vec![0u32; listings];
        for (number, component) in (0..).zip(&components) {
            for member in &component.members {
                component_of[*member as usize] = number;
            }
        }
        for edge in edges {
            components[component_of[edge.link.left as usize] as usize]
                .edges
                .push(edge);
        }
        for (left, right) in cannot_link {
            let (one, other) = (component_of[left as usize], component_of[right as usize]);
            if one == other {
                components[one as usize].cannot_link.push((left, right));
            }
        }
        Self {
            table: table.clone(),
            all: components,
            component_of,
            weak_edges,
        }
    }

    /// The weights that the components were found with.
    pub(crate) fn table(&self) -> &WeightTable {
        &self.table
    }

    /// Every edge, strong or weak.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.all
            .iter()
            .flat_map(|component| &component.edges)
            .chain(&self.weak_edges)
    }

    /// The clusters, with members in ascending order. Each listing is in exactly one cluster.
    pub fn clusters<P: Borrow<Profile> + Sync>(&self, profiles: &[P]) -> Vec<Vec<Member>> {
        let clusters = |component: &Component| component.clusters(&self.table, profiles).0;
        let mut found: Vec<Vec<Member>> = if self.all.len() < PARALLEL_FROM {
            self.all.iter().flat_map(clusters).collect()
        } else {
            self.all.par_iter().flat_map_iter(clusters).collect()
        };
        found.sort_unstable_by_key(|cluster| cluster[0]);
        found
    }

    /// What holds the clusters together, in no particular order.
    pub fn ties<P: Borrow<Profile> + Sync>(&self, profiles: &[P]) -> Vec<Tie> {
        let ties = |component: &Component| component.clusters(&self.table, profiles).1;
        self.all.par_iter().flat_map_iter(ties).collect()
    }

    /// What clustering did with the link between two listings; `None` if they are not linked. In a pair
    /// of a [`clustering::Linkage`], the first member belongs to the cluster of the listing with the
    /// smaller key.
    pub fn link_outcome<P: Borrow<Profile>>(
        &self,
        profiles: &[P],
        one: Member,
        other: Member,
    ) -> Option<LinkOutcome> {
        let ends = (one.min(other), one.max(other));
        if let Ok(found) = self
            .weak_edges
            .binary_search_by_key(&ends, |edge| edge.link.ends())
        {
            return Some(LinkOutcome::TooWeak(self.weak_edges[found].strength));
        }
        let number = self.component_of[one as usize];
        let component = &self.all[number as usize];
        (number == self.component_of[other as usize])
            .then(|| component.link_outcome(&self.table, profiles, one, other))?
    }
}

/// Whether a person may join two listings. Different kinds of offer never share a record.
pub(crate) fn may_share_record(one: &Profile, other: &Profile) -> bool {
    scoring::veto_between(one, other) != Some(Veto::OfferType)
}

/// The links: pairs with enough evidence, and must-link constraints between listings that may share a record.
fn links<P: Borrow<Profile>>(
    profiles: &[P],
    pairs: &[ScoredPair],
    constraints: &Constraints,
) -> Vec<Link> {
    let undecided =
        |pair: &&ScoredPair| pair.is_link() && constraints.verdict(pair.left, pair.right).is_none();
    let scored = pairs.iter().filter(undecided);
    let scored = scored.map(|pair| Link {
        left: pair.left,
        right: pair.right,
        weight: pair.weight,
    });
    let possible = |(left, right): &(Member, Member)| {
        may_share_record(
            profiles[*left as usize].borrow(),
            profiles[*right as usize].borrow(),
        )
    };
    let decided = constraints.must_link().filter(possible);
    scored
        .chain(decided.map(|(left, right)| Link {
            left,
            right,
            weight: MUST_LINK,
        }))
        .collect()
}

/// A component with its members in the order of portal and number. Edges and constraints refer to
/// members by their rank in that order.
struct RankedComponent<'a> {
    order: Vec<Member>,
    members: Vec<&'a Profile>,
    rank: HashMap<Member, u32>,
    edges: Vec<Edge>,
    cannot_link: CannotLink,
}

impl Component {
    /// The clusters and their ties.
    fn clusters<P: Borrow<Profile>>(
        &self,
        table: &WeightTable,
        profiles: &[P],
    ) -> (Vec<Vec<Member>>, Vec<Tie>) {
        if self.members.len() == 1 {
            return (vec![self.members.clone()], Vec::new());
        }
        let ranked = self.ranked(profiles);
        let member = |rank: u32| ranked.order[rank as usize];
        let by_member = |cluster: Vec<u32>| {
            let mut members: Vec<Member> = cluster.into_iter().map(member).collect();
            members.sort_unstable();
            members
        };
        let tie = |tie: Tie| Tie {
            left: member(tie.left),
            right: member(tie.right),
            ..tie
        };
        let (clusters, ties) = clustering::cluster(ranked.linked(table));
        (
            clusters.into_iter().map(by_member).collect(),
            ties.into_iter().map(tie).collect(),
        )
    }

    fn link_outcome<P: Borrow<Profile>>(
        &self,
        table: &WeightTable,
        profiles: &[P],
        one: Member,
        other: Member,
    ) -> Option<LinkOutcome> {
        let ranked = self.ranked(profiles);
        let ends = ranks(&ranked.rank, one, other);
        let found = clustering::link_outcome(ranked.linked(table), ends)?;
        Some(found.renumbered(|rank| ranked.order[rank as usize]))
    }

    fn ranked<'a, P: Borrow<Profile>>(&self, profiles: &'a [P]) -> RankedComponent<'a> {
        let mut order = self.members.clone();
        let profile = |member: &Member| profiles[*member as usize].borrow();
        order.sort_unstable_by(|one, other| profile(one).key.cmp(&profile(other).key));
        let members = order.iter().map(profile).collect();
        let rank: HashMap<Member, u32> = order.iter().copied().zip(0..).collect();
        let edges = self.edges.iter().map(|edge| {
            let (left, right) = ranks(&rank, edge.link.left, edge.link.right);
            Edge {
                link: Link {
                    left,
                    right,
                    ..edge.link
                },
                ..*edge
            }
        });
        let edges = edges.collect();
        let cannot_link = self
            .cannot_link
            .iter()
            .map(|(left, right)| ranks(&rank, *left, *right))
            .collect();
        RankedComponent {
            order,
            members,
            rank,
            edges,
            cannot_link,
        }
    }
}

impl RankedComponent<'_> {
    fn linked<'a>(&'a self, table: &'a WeightTable) -> LinkedMembers<'a> {
        LinkedMembers {
            table,
            members: &self.members,
            edges: &self.edges,
            cannot_link: &self.cannot_link,
        }
    }
}

/// The ranks of two members, the smaller first.
fn ranks(rank: &HashMap<Member, u32>, left: Member, right: Member) -> (u32, u32) {
    let (one, other) = (rank[&left], rank[&right]);
    (one.min(other), one.max(other))
}
