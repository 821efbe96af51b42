//! What connects listings, and the clusters of what is connected.

use std::borrow::Borrow;
use std::collections::HashMap;

use rayon::prelude::*;

use super::ScoredPair;
use crate::blocking::Member;
use crate::clustering::{self, Apart, DECIDED, Decisions, Link, Linked, Outcome, Tie};
use crate::profile::Profile;
use crate::scoring::{self, Veto};

/// Fewer components than this are clustered sooner than other threads are woken.
const FEW: usize = 1_000;

/// Listings by what connects them: whatever decides about one listing lies within its component.
#[derive(Debug)]
pub struct Components {
    all: Vec<Component>,
    component_of: Vec<u32>,
    /// Links of which look-alikes leave too little to connect anything, in order of their ends.
    doubted: Vec<Tie>,
}

/// Listings that are connected by ties, with all that decides about them; places of profiles.
#[derive(Debug)]
struct Component {
    members: Vec<Member>,
    ties: Vec<Tie>,
    apart: Vec<(Member, Member)>,
}

impl Components {
    /// The components of all listings under the kept pairs and what persons decided.
    pub fn of<P: Borrow<Profile> + Sync>(
        profiles: &[P],
        pairs: &[ScoredPair],
        decisions: &Decisions,
    ) -> Self {
        let links = links(profiles, pairs, decisions);
        let linked = Linked::of(profiles.len(), links.iter().copied());
        let profile = |place: Member| profiles.get(place as usize).map(Borrow::borrow);
        let tie = |link: Link| Tie {
            strength: linked.strength(&link, profile),
            link,
        };
        let ties = links.into_par_iter().map(tie).collect();
        Self::tied(profiles.len(), ties, decisions.different())
    }

    /// The components of so many listings under these ties and the pairs that persons decided to be different.
    pub fn tied(
        listings: usize,
        ties: Vec<Tie>,
        different: impl Iterator<Item = (Member, Member)>,
    ) -> Self {
        let (ties, mut doubted): (Vec<Tie>, Vec<Tie>) = ties.into_iter().partition(Tie::holds);
        doubted.sort_unstable_by_key(|tie| (tie.link.left, tie.link.right));
        let of = |members| Component {
            members,
            ties: Vec::new(),
            apart: Vec::new(),
        };
        let found = clustering::components(listings, ties.iter().map(|tie| &tie.link));
        let mut components: Vec<Component> = found.into_iter().map(of).collect();
        let mut component_of = vec![0u32; listings];
        for (number, component) in (0..).zip(&components) {
            for member in &component.members {
                component_of[*member as usize] = number;
            }
        }
        for tie in ties {
            components[component_of[tie.link.left as usize] as usize]
                .ties
                .push(tie);
        }
        for (left, right) in different {
            let (one, other) = (component_of[left as usize], component_of[right as usize]);
            if one == other {
                components[one as usize].apart.push((left, right));
            }
        }
        Self {
            all: components,
            component_of,
            doubted,
        }
    }

    /// Every link, with what look-alikes leave of it.
    pub fn ties(&self) -> impl Iterator<Item = &Tie> {
        self.all
            .iter()
            .flat_map(|component| &component.ties)
            .chain(&self.doubted)
    }

    /// The clusters: places ascending, each listing in exactly one.
    pub fn clusters<P: Borrow<Profile> + Sync>(&self, profiles: &[P]) -> Vec<Vec<Member>> {
        let of = |component: &Component| component.clusters(profiles);
        let mut found: Vec<Vec<Member>> = if self.all.len() < FEW {
            self.all.iter().flat_map(of).collect()
        } else {
            self.all.par_iter().flat_map_iter(of).collect()
        };
        found.sort_unstable_by_key(|cluster| cluster[0]);
        found
    }

    /// What became of the link between two listings; `None` where there is none. Pairs of a [`clustering::Fit`] are
    /// places, first one of the cluster of the listing with the smaller key.
    pub fn outcome<P: Borrow<Profile>>(
        &self,
        profiles: &[P],
        one: Member,
        other: Member,
    ) -> Option<Outcome> {
        let ends = (one.min(other), one.max(other));
        if let Ok(place) = self
            .doubted
            .binary_search_by_key(&ends, |tie| (tie.link.left, tie.link.right))
        {
            return Some(Outcome::Doubted(self.doubted[place].strength));
        }
        let number = self.component_of[one as usize];
        let component = &self.all[number as usize];
        (number == self.component_of[other as usize])
            .then(|| component.outcome(profiles, one, other))?
    }
}

/// What draws listings together: pairs that speak for one property, and pairs that a person says are one. Kinds of
/// offer never share a record, whoever says otherwise.
fn links<P: Borrow<Profile>>(
    profiles: &[P],
    pairs: &[ScoredPair],
    decisions: &Decisions,
) -> Vec<Link> {
    let undecided =
        |pair: &&ScoredPair| pair.links() && decisions.of(pair.left, pair.right).is_none();
    let scored = pairs.iter().filter(undecided);
    let scored = scored.map(|pair| Link {
        left: pair.left,
        right: pair.right,
        weight: pair.weight,
    });
    let possible = |(left, right): &(Member, Member)| {
        let veto = scoring::veto::of(
            profiles[*left as usize].borrow(),
            profiles[*right as usize].borrow(),
        );
        veto != Some(Veto::OfferType)
    };
    let decided = decisions.same().filter(possible);
    scored
        .chain(decided.map(|(left, right)| Link {
            left,
            right,
            weight: DECIDED,
        }))
        .collect()
}

/// A component in the order of portal and number, whatever the places of its members; all else is by rank in it.
struct Ranked<'a> {
    places: Vec<Member>,
    members: Vec<&'a Profile>,
    rank: HashMap<Member, u32>,
    ties: Vec<Tie>,
    apart: Apart,
}

impl Component {
    fn clusters<P: Borrow<Profile>>(&self, profiles: &[P]) -> Vec<Vec<Member>> {
        if self.members.len() == 1 {
            return vec![self.members.clone()];
        }
        let ranked = self.ranked(profiles);
        let places = |cluster: Vec<u32>| {
            let mut places: Vec<Member> = cluster
                .into_iter()
                .map(|rank| ranked.places[rank as usize])
                .collect();
            places.sort_unstable();
            places
        };
        clustering::cluster(&ranked.members, &ranked.ties, &ranked.apart)
            .into_iter()
            .map(places)
            .collect()
    }

    fn outcome<P: Borrow<Profile>>(
        &self,
        profiles: &[P],
        one: Member,
        other: Member,
    ) -> Option<Outcome> {
        let ranked = self.ranked(profiles);
        let watched = in_rank(&ranked.rank, one, other);
        let found = clustering::outcome(&ranked.members, &ranked.ties, &ranked.apart, watched)?;
        Some(found.renamed(|rank| ranked.places[rank as usize]))
    }

    fn ranked<'a, P: Borrow<Profile>>(&self, profiles: &'a [P]) -> Ranked<'a> {
        let mut places = self.members.clone();
        let of = |place: &Member| profiles[*place as usize].borrow();
        places.sort_unstable_by(|one, other| of(one).key.cmp(&of(other).key));
        let members = places.iter().map(of).collect();
        let rank: HashMap<Member, u32> = places.iter().copied().zip(0..).collect();
        let ties = self.ties.iter().map(|tie| {
            let (left, right) = in_rank(&rank, tie.link.left, tie.link.right);
            Tie {
                link: Link {
                    left,
                    right,
                    ..tie.link
                },
                ..*tie
            }
        });
        let ties = ties.collect();
        let apart = self
            .apart
            .iter()
            .map(|(left, right)| in_rank(&rank, *left, *right))
            .collect();
        Ranked {
            places,
            members,
            rank,
            ties,
            apart,
        }
    }
}

fn in_rank(rank: &HashMap<Member, u32>, left: Member, right: Member) -> (u32, u32) {
    let (one, other) = (rank[&left], rank[&right]);
    (one.min(other), one.max(other))
}
