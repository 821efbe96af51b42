//! What persons decided about two listings overrules evidence.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use schema::{ListingKey, ListingPair, Review, Verdict};

/// Decisions about pairs of listings; places in the slice of profiles, the smaller first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions {
    same: BTreeSet<(u32, u32)>,
    different: HashSet<(u32, u32)>,
}

impl Decisions {
    /// Those of the reviews that are about two of the listings; places in their order.
    pub fn among<'a>(reviews: &[Review], listings: impl Iterator<Item = &'a ListingKey>) -> Self {
        let mut decisions = Self::default();
        if reviews.is_empty() {
            return decisions;
        }
        let named: HashSet<&ListingKey> = reviews
            .iter()
            .flat_map(|review| [&review.pair.left, &review.pair.right])
            .collect();
        let place_of: HashMap<&ListingKey, u32> = listings
            .zip(0..)
            .filter(|(key, _)| named.contains(key))
            .collect();
        for review in reviews {
            if let (Some(one), Some(other)) = (
                place_of.get(&review.pair.left),
                place_of.get(&review.pair.right),
            ) {
                decisions.add(*one, *other, review.verdict);
            }
        }
        decisions
    }

    /// Adds what was decided about two places.
    pub fn add(&mut self, one: u32, other: u32, verdict: Verdict) {
        let pair = (one.min(other), one.max(other));
        match verdict {
            Verdict::Same => {
                self.same.insert(pair);
            }
            Verdict::Different => {
                self.different.insert(pair);
            }
            Verdict::Forgotten => {}
        }
    }

    /// What was decided about two places, the smaller first.
    pub fn of(&self, left: u32, right: u32) -> Option<Verdict> {
        if self.different.contains(&(left, right)) {
            Some(Verdict::Different)
        } else {
            self.same.contains(&(left, right)).then_some(Verdict::Same)
        }
    }

    /// The pairs that are one property.
    pub fn same(&self) -> impl Iterator<Item = (u32, u32)> {
        self.same.iter().copied()
    }

    /// The pairs that are different properties, in no order.
    pub fn different(&self) -> impl Iterator<Item = (u32, u32)> {
        self.different.iter().copied()
    }
}

/// A listing, and how many decisions for "different" led to it.
type Reached<'a> = (&'a ListingKey, u8);

/// The decisions in force from which the opposite of `verdict` about the pair follows, in the order of their chain:
/// *same* and *same* make *same*, *same* and *different* make *different*. `None` where nothing contradicts. What was
/// decided about the pair itself so far does not count: it is replaced.
pub fn contradiction(
    in_force: &[Review],
    pair: &ListingPair,
    verdict: Verdict,
) -> Option<Vec<Review>> {
    // How many decisions for "different" stand between the ends of a chain that says the opposite.
    let differences = match verdict {
        Verdict::Same => 1,
        Verdict::Different => 0,
        Verdict::Forgotten => return None,
    };
    let mut edges: HashMap<&ListingKey, Vec<(&ListingKey, &Review)>> = HashMap::new();
    for review in in_force.iter().filter(|review| review.pair != *pair) {
        edges
            .entry(&review.pair.left)
            .or_default()
            .push((&review.pair.right, review));
        edges
            .entry(&review.pair.right)
            .or_default()
            .push((&review.pair.left, review));
    }
    let start = (&pair.left, 0);
    let end = (&pair.right, differences);
    let mut came_by: HashMap<Reached, Option<(Reached, &Review)>> = HashMap::new();
    came_by.insert(start, None);
    let mut next = VecDeque::from([start]);
    while let Some(at) = next.pop_front() {
        for (key, review) in edges.get(at.0).into_iter().flatten() {
            let reached = (*key, at.1 + u8::from(review.verdict == Verdict::Different));
            if reached.1 <= differences && !came_by.contains_key(&reached) {
                came_by.insert(reached, Some((at, review)));
                next.push_back(reached);
            }
        }
    }
    let mut chain = Vec::new();
    let mut at = end;
    while let Some((before, review)) = came_by.get(&at)? {
        chain.push((*review).clone());
        at = *before;
    }
    chain.reverse();
    Some(chain)
}

#[cfg(test)]
mod tests {
    use schema::Timestamp;

    use super::*;

    fn pair(one: &str, other: &str) -> ListingPair {
        let key = |number| ListingKey::new("sreality", number);
        ListingPair::new(key(one), key(other)).unwrap()
    }

    fn review(one: &str, verdict: Verdict, other: &str) -> Review {
        Review {
            pair: pair(one, other),
            verdict,
            reason: None,
            decided_at: Timestamp(0),
        }
    }

    #[test]
    fn a_decision_that_follows_the_other_way_from_a_chain_is_contradicted_by_it() {
        use Verdict::{Different, Same};
        let known = [
            review("a", Same, "b"),
            review("b", Same, "c"),
            review("c", Different, "d"),
        ];
        assert_eq!(
            contradiction(&known, &pair("a", "c"), Different),
            Some(known[..2].to_vec())
        );
        assert_eq!(
            contradiction(&known, &pair("a", "d"), Same),
            Some(known.to_vec())
        );
        for (one, verdict, other) in [
            ("a", Same, "c"),
            ("a", Different, "d"),
            ("a", Same, "e"),
            ("a", Different, "e"),
        ] {
            assert_eq!(
                contradiction(&known, &pair(one, other), verdict),
                None,
                "{one} {verdict} {other}"
            );
        }
    }

    #[test]
    fn different_from_one_thing_is_not_the_same_as_each_other() {
        use Verdict::{Different, Same};
        let known = [review("a", Different, "b"), review("b", Different, "c")];
        assert_eq!(contradiction(&known, &pair("a", "c"), Same), None);
        assert_eq!(contradiction(&known, &pair("a", "c"), Different), None);
    }

    #[test]
    fn what_was_decided_about_the_pair_itself_is_replaced() {
        use Verdict::{Different, Same};
        let known = [review("a", Same, "b")];
        assert_eq!(contradiction(&known, &pair("a", "b"), Different), None);
    }
}
