//! Constraints from people's decisions: which listings must, and which cannot, be one property.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use schema::{ListingKey, ListingPair, Review, Verdict};

/// Constraints on pairs of members, the smaller member first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constraints {
    must_link: BTreeSet<(u32, u32)>,
    cannot_link: HashSet<(u32, u32)>,
}

impl Constraints {
    /// The constraints from those reviews whose two listings are both among `listings`. A member is
    /// the index of its listing there.
    pub fn from_reviews<'a>(
        reviews: &[Review],
        listings: impl Iterator<Item = &'a ListingKey>,
    ) -> Self {
        let mut constraints = Self::default();
        if reviews.is_empty() {
            return constraints;
        }
        let named: HashSet<&ListingKey> = reviews
            .iter()
            .flat_map(|review| [&review.pair.left, &review.pair.right])
            .collect();
        let member_of: HashMap<&ListingKey, u32> = listings
            .zip(0..)
            .filter(|(key, _)| named.contains(key))
            .collect();
        for review in reviews {
            if let (Some(one), Some(other)) = (
                member_of.get(&review.pair.left),
                member_of.get(&review.pair.right),
            ) {
                constraints.add(*one, *other, review.verdict);
            }
        }
        constraints
    }

    /// Adds a decision about two members.
    pub fn add(&mut self, one: u32, other: u32, verdict: Verdict) {
        let pair = (one.min(other), one.max(other));
        match verdict {
            Verdict::Same => {
                self.must_link.insert(pair);
            }
            Verdict::Different => {
                self.cannot_link.insert(pair);
            }
            Verdict::Forgotten => {}
        }
    }

    /// What was decided about two members, the smaller first.
    pub(crate) fn verdict(&self, left: u32, right: u32) -> Option<Verdict> {
        if self.cannot_link.contains(&(left, right)) {
            Some(Verdict::Different)
        } else {
            self.must_link
                .contains(&(left, right))
                .then_some(Verdict::Same)
        }
    }

    /// The pairs that must be one property, in order.
    pub(crate) fn must_link(&self) -> impl Iterator<Item = (u32, u32)> {
        self.must_link.iter().copied()
    }

    /// The pairs that cannot be one property, in no particular order.
    pub(crate) fn cannot_link(&self) -> impl Iterator<Item = (u32, u32)> {
        self.cannot_link.iter().copied()
    }
}

/// A listing on a chain of decisions, and how many of the decisions before it say *different*.
type Reached<'a> = (&'a ListingKey, u8);

/// The chain of decisions in force that contradicts `verdict` about the pair, in order; `None` if no
/// chain does. If A and B are the same and B and C are the same, so are A and C; if B and C are
/// different, so are A and C. An earlier decision about the pair itself does not count, because the
/// new one replaces it.
pub fn contradiction(
    in_force: &[Review],
    pair: &ListingPair,
    verdict: Verdict,
) -> Option<Vec<Review>> {
    // How many decisions on a contradicting chain say *different*.
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
    fn a_decision_is_contradicted_by_a_chain_that_implies_the_opposite() {
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
    fn two_listings_that_differ_from_a_third_may_be_the_same_or_different() {
        use Verdict::{Different, Same};
        let known = [review("a", Different, "b"), review("b", Different, "c")];
        assert_eq!(contradiction(&known, &pair("a", "c"), Same), None);
        assert_eq!(contradiction(&known, &pair("a", "c"), Different), None);
    }

    #[test]
    fn an_earlier_decision_about_the_pair_does_not_contradict_a_new_one() {
        use Verdict::{Different, Same};
        let known = [review("a", Same, "b")];
        assert_eq!(contradiction(&known, &pair("a", "b"), Different), None);
    }
}
