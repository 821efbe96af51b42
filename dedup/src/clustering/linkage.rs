//! Whether two clusters may join, by all pairs between them.

use super::{CannotLink, Edge, LinkOutcome, MUST_LINK, Tie};
use crate::comparison::{self, COMPARISONS};
use crate::profile::Profile;
use crate::scoring::{self, Veto};
use crate::weight_table::WeightTable;
use crate::weights;

/// Of a larger cluster only this many members, those nearest in time, are compared: adverts of a
/// property that is advertised again for years drift in price and words.
const NEAREST: usize = 10;

/// How much the highest weight of a comparison counts; the mean counts the rest.
const HIGHEST_SHARE: f32 = 0.6;

/// How much the lowest weight of a comparison counts in addition, as far as it is below
/// [`NO_DIFFERENCE`].
const LOWEST_SHARE: f32 = 0.6;

/// A weight that is not below this is no difference, but an agreement that many share, such as that both
/// are in Praha.
const NO_DIFFERENCE: f32 = -1.5;

/// How much the prior falls each time the smaller of two clusters doubles. If two clusters of many
/// adverts each were one property, some pairs between them would agree better than those that are left to
/// decide.
const EACH_DOUBLING: f32 = 0.35;

/// Prices and times are compared only between adverts nearest in time: within this many milliseconds
/// of the least gap between the two clusters.
const NEAR_MILLIS: i64 = 3 * 24 * 3_600_000;

/// What all pairs between two clusters say. A pair is one member of the first cluster and one of the
/// second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Linkage {
    /// A cannot-link constraint separates this pair.
    CannotLink(u32, u32),
    /// A veto forbids this pair.
    Vetoed(u32, u32, Veto),
    /// No pair is forbidden, so the weights decide.
    Weighed {
        /// The match weight of the two clusters, compared field by field.
        weight: f32,
        /// The pair that weighs least.
        worst_pair: (u32, u32),
    },
}

/// The clusters of one component while they are joined.
pub struct Clusters<'a> {
    table: &'a WeightTable,
    members: &'a [&'a Profile],
    cannot_link: &'a CannotLink,
    cluster_of: Vec<u32>,
    lists: Vec<Vec<u32>>,
    ties: Vec<Tie>,
}

impl<'a> Clusters<'a> {
    /// One cluster for each member.
    pub fn singletons(
        table: &'a WeightTable,
        members: &'a [&'a Profile],
        cannot_link: &'a CannotLink,
    ) -> Self {
        let count = members.len() as u32;
        Self {
            table,
            members,
            cannot_link,
            cluster_of: (0..count).collect(),
            lists: (0..count).map(|member| vec![member]).collect(),
            ties: Vec::new(),
        }
    }

    /// Joins the clusters of two linked members if their linkage or a must-link constraint allows it.
    pub fn join(&mut self, edge: &Edge) -> LinkOutcome {
        let (left, right) = edge.link.ends();
        let (one, other) = (
            self.cluster_of[left as usize],
            self.cluster_of[right as usize],
        );
        if one == other {
            return LinkOutcome::Joined;
        }
        let weight = match self.tie_weight(edge) {
            Ok(weight) => weight,
            Err(linkage) => return LinkOutcome::Refused(linkage),
        };
        self.ties.push(Tie {
            left,
            right,
            weight,
        });
        let (into, from) = (one.min(other), one.max(other));
        let moved = std::mem::take(&mut self.lists[from as usize]);
        for member in &moved {
            self.cluster_of[*member as usize] = into;
        }
        self.lists[into as usize].extend(moved);
        LinkOutcome::Joined
    }

    /// The ties made so far: one for each time that two clusters were joined.
    pub fn ties(&self) -> &[Tie] {
        &self.ties
    }

    /// The clusters in the order of their first member, with members in ascending order.
    pub fn into_lists(self) -> Vec<Vec<u32>> {
        let mut lists: Vec<Vec<u32>> = self
            .lists
            .into_iter()
            .filter(|list| !list.is_empty())
            .collect();
        for list in &mut lists {
            list.sort_unstable();
        }
        lists.sort_unstable_by_key(|list| list[0]);
        lists
    }

    /// The weight of the tie that an edge makes between the clusters of its ends, or what forbids it.
    /// Only a cannot-link constraint can stop a must-link constraint.
    fn tie_weight(&self, edge: &Edge) -> Result<f32, Linkage> {
        let list = |member: u32| &*self.lists[self.cluster_of[member as usize] as usize];
        let (one, other) = (list(edge.link.left), list(edge.link.right));
        if edge.link.weight == MUST_LINK {
            return match self.cannot_link_between(one, other) {
                Some((left, right)) => Err(Linkage::CannotLink(left, right)),
                None => Ok(MUST_LINK),
            };
        }
        if one.len() == 1 && other.len() == 1 && self.cannot_link_between(one, other).is_none() {
            return Ok(edge.strength);
        }
        match self.linkage(one, other) {
            Linkage::Weighed { weight, .. } if weight >= weights::LINK => {
                Ok(weight.min(edge.strength))
            }
            refused => Err(refused),
        }
    }

    /// What all pairs between two lists of members say.
    pub fn linkage(&self, one: &[u32], other: &[u32]) -> Linkage {
        if let Some((left, right)) = self.cannot_link_between(one, other) {
            return Linkage::CannotLink(left, right);
        }
        let vetoed = between(one, other).find_map(|(left, right)| {
            let veto =
                scoring::veto_between(self.members[left as usize], self.members[right as usize])?;
            let is_explained =
                veto == Veto::HouseNumber && self.explains_numbers(one, other, (left, right));
            (!is_explained).then_some(Linkage::Vetoed(left, right, veto))
        });
        if let Some(vetoed) = vetoed {
            return vetoed;
        }
        let doublings = (one.len().min(other.len()) as f32).log2();
        let (one, other) = (self.nearest(one, other), self.nearest(other, one));
        let among: Vec<&Profile> = one
            .iter()
            .chain(&other)
            .map(|member| self.members[*member as usize])
            .collect();
        let pairs: Vec<Pair> = between(&one, &other)
            .map(|(left, right)| self.pair(left, right, &among))
            .collect();
        let worst = pairs.iter().min_by(|one, other| {
            let by_weight = one.weight().total_cmp(&other.weight());
            by_weight.then(one.members.cmp(&other.members))
        });
        Linkage::Weighed {
            weight: joint_weight(self.table, &pairs) - EACH_DOUBLING * doublings,
            worst_pair: worst.map_or((0, 0), |pair| pair.members),
        }
    }

    /// Whether another member of two lists states both house numbers of a pair: a house has two numbers,
    /// and an advert that states one of them may mean either.
    fn explains_numbers(&self, one: &[u32], other: &[u32], (left, right): (u32, u32)) -> bool {
        let place = |member: u32| &self.members[member as usize].place;
        one.iter().chain(other).any(|third| {
            let third = place(*third);
            [left, right].into_iter().all(|member| {
                third.same_street(place(member)) == Some(true) && third.same_house(place(member))
            })
        })
    }

    /// Compares a pair within the cluster that it would become part of. If a third advert of it
    /// explains why the prices differ, they do not count against the pair.
    fn pair(&self, left: u32, right: u32, among: &[&Profile]) -> Pair {
        let (low, high) = (left.min(right), left.max(right));
        let (a, b) = (self.members[low as usize], self.members[high as usize]);
        let explained = || {
            let explains = |third: &&Profile| comparison::explains_prices(third, a, b);
            among.iter().any(explains)
        };
        let weights = std::array::from_fn(|place| {
            let comparison = &COMPARISONS[place];
            let weight = comparison.weight(self.table, a, b)?;
            let is_excused = weight < 0.0 && comparison.name == PRICE && explained();
            Some(if is_excused { 0.0 } else { weight })
        });
        Pair {
            members: (left, right),
            weights,
            gap: -a.lifetime.overlap(b.lifetime).min(0),
        }
    }

    /// The first pair between two lists that a cannot-link constraint separates.
    fn cannot_link_between(&self, one: &[u32], other: &[u32]) -> Option<(u32, u32)> {
        let is_constrained = |pair: &(u32, u32)| {
            self.cannot_link
                .contains(&(pair.0.min(pair.1), pair.0.max(pair.1)))
        };
        if self.cannot_link.is_empty() {
            None
        } else {
            between(one, other).find(is_constrained)
        }
    }

    /// The members of `list` that were advertised nearest in time to those of `to`.
    fn nearest(&self, list: &[u32], to: &[u32]) -> Vec<u32> {
        if list.len() <= NEAREST {
            return list.to_vec();
        }
        let gap = |member: u32| {
            let life = self.members[member as usize].lifetime;
            to.iter()
                .map(|other| -life.overlap(self.members[*other as usize].lifetime).min(0))
                .min()
                .unwrap_or(0)
        };
        let mut ranked: Vec<(i64, u32)> =
            list.iter().map(|member| (gap(*member), *member)).collect();
        ranked.sort_unstable();
        ranked
            .into_iter()
            .take(NEAREST)
            .map(|(_, member)| member)
            .collect()
    }
}

/// A pair between two clusters.
struct Pair {
    members: (u32, u32),
    /// The weight of each comparison; `None` if it says nothing.
    weights: [Option<f32>; COMPARISONS.len()],
    /// The time between the two adverts in milliseconds; 0 if they were live together.
    gap: i64,
}

impl Pair {
    fn weight(&self) -> f32 {
        self.weights.iter().flatten().sum()
    }
}

/// The names of the comparisons that concern a time: an advert is not expected to agree in them with
/// one of another month.
const PRICE: &str = "price";
const TIME: &str = "time";

/// Compares two clusters field by field, as if each were one advert that says what its adverts say.
///
/// Missing values do not count: of each comparison only the pairs that reach a level are considered.
/// The prior counts once.
fn joint_weight(table: &WeightTable, pairs: &[Pair]) -> f32 {
    let least_gap = pairs.iter().map(|pair| pair.gap).min().unwrap_or_default();
    let near = least_gap + NEAR_MILLIS;
    let fields = COMPARISONS.iter().enumerate().map(|(place, comparison)| {
        let concerns_a_time = [PRICE, TIME].contains(&comparison.name);
        let considered = pairs
            .iter()
            .filter(|pair| !concerns_a_time || pair.gap <= near);
        field_weight(considered.filter_map(|pair| pair.weights[place]))
    });
    table.prior() + fields.sum::<f32>()
}

/// The weight of one comparison over all pairs that reach a level of it.
fn field_weight(weights: impl Iterator<Item = f32>) -> f32 {
    let (mut count, mut sum) = (0u16, 0.0);
    let (mut lowest, mut highest) = (f32::INFINITY, f32::NEG_INFINITY);
    for weight in weights {
        count += 1;
        sum += weight;
        lowest = lowest.min(weight);
        highest = highest.max(weight);
    }
    match count {
        0 => 0.0,
        1 => sum,
        _ => {
            let mean = sum / f32::from(count);
            let difference = (lowest - NO_DIFFERENCE).min(0.0);
            HIGHEST_SHARE * highest + (1.0 - HIGHEST_SHARE) * mean + LOWEST_SHARE * difference
        }
    }
}

/// Every pair of one member of each list.
fn between<'a>(one: &'a [u32], other: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + use<'a> {
    one.iter()
        .flat_map(move |left| other.iter().map(move |right| (*left, *right)))
}

#[cfg(test)]
mod tests {
    use schema::{Listing, ListingId, ListingKey, ListingState, StoredListing, Timestamp};

    use super::*;
    use crate::addresses::Addresses;

    /// An advert of one flat on this portal; all that it says is the same on every portal.
    fn profile(portal: &str) -> Profile {
        let state = ListingState {
            listing: Listing::default(),
            url: None,
            first_seen_at: Timestamp(0),
            last_seen_at: Timestamp(1),
            last_changed_at: Timestamp(0),
            gone_at: None,
            prices: Vec::new(),
        };
        let listing = StoredListing {
            id: ListingId(1),
            key: ListingKey::new(portal, "1"),
            state,
            version: 1,
            offer_id: None,
        };
        Profile::from_listing(&listing, &Addresses::default())
    }

    #[test]
    fn two_clusters_of_several_adverts_need_more_than_two_adverts() {
        let profiles = ["a", "b", "c", "d", "e", "f", "g", "h"].map(profile);
        let members: Vec<&Profile> = profiles.iter().collect();
        let (table, unconstrained) = (WeightTable::default(), CannotLink::new());
        let clusters = Clusters::singletons(&table, &members, &unconstrained);
        let weight = |one: &[u32], other: &[u32]| match clusters.linkage(one, other) {
            Linkage::Weighed { weight, .. } => weight,
            forbidden => panic!("{forbidden:?}"),
        };
        let single = weight(&[0], &[1]);
        let falls_by = |one: &[u32], other: &[u32]| single - weight(one, other);
        assert!(falls_by(&[0], &[1, 2, 3]).abs() < 1e-3);
        assert!((falls_by(&[0, 1], &[2, 3, 4]) - EACH_DOUBLING).abs() < 1e-3);
        assert!((falls_by(&[0, 1, 2, 3], &[4, 5, 6, 7]) - 2.0 * EACH_DOUBLING).abs() < 1e-3);
    }
}
