//! What persons decided, by the places of the listings that are or were there.

use std::collections::{BTreeMap, HashMap};

use schema::{ListingKey, Review, Verdict};

use crate::blocking::Member;

/// Decisions about pairs of listings, some of which may never have been seen.
#[derive(Debug, Default)]
pub struct Reviews {
    by_listing: HashMap<ListingKey, Vec<(ListingKey, Verdict)>>,
    place_of: HashMap<ListingKey, Member>,
    by_member: BTreeMap<Member, Vec<(Member, Verdict)>>,
}

impl Reviews {
    /// Those in force.
    pub fn of(reviews: &[Review]) -> Self {
        let mut by_listing: HashMap<ListingKey, Vec<(ListingKey, Verdict)>> = HashMap::new();
        for review in reviews {
            let (left, right) = (&review.pair.left, &review.pair.right);
            by_listing
                .entry(left.clone())
                .or_default()
                .push((right.clone(), review.verdict));
            by_listing
                .entry(right.clone())
                .or_default()
                .push((left.clone(), review.verdict));
        }
        Self {
            by_listing,
            ..Self::default()
        }
    }

    /// Learns the place of a listing.
    pub fn meet(&mut self, key: &ListingKey, place: Member) {
        let Some(decided) = self.by_listing.get(key) else {
            return;
        };
        self.place_of.insert(key.clone(), place);
        for (other, verdict) in decided {
            if let Some(other) = self.place_of.get(other) {
                self.by_member
                    .entry(place)
                    .or_default()
                    .push((*other, *verdict));
                self.by_member
                    .entry(*other)
                    .or_default()
                    .push((place, *verdict));
            }
        }
    }

    /// Whether anything was decided about two members.
    pub fn is_decided(&self, one: Member, other: Member) -> bool {
        let verdict = self
            .about(one)
            .find(|(member, _)| *member == other)
            .map(|(_, verdict)| verdict);
        verdict.is_some_and(|verdict| verdict != Verdict::Forgotten)
    }

    /// The members that were decided to be the same as this one.
    pub fn same_as(&self, member: Member) -> impl Iterator<Item = Member> {
        self.about(member)
            .filter(|(_, verdict)| *verdict == Verdict::Same)
            .map(|(other, _)| other)
    }

    /// The pairs of these members that were decided to be different, under the names that `place` gives them.
    pub fn different(
        &self,
        members: impl Iterator<Item = Member>,
        place: impl Fn(Member) -> Option<Member>,
    ) -> Vec<(Member, Member)> {
        let mut found = Vec::new();
        if self.by_member.is_empty() {
            return found;
        }
        for member in members {
            let others = self
                .about(member)
                .filter(|(_, verdict)| *verdict == Verdict::Different);
            let later = others.filter(|(other, _)| *other > member);
            found.extend(later.filter_map(|(other, _)| Some((place(member)?, place(other)?))));
        }
        found
    }

    fn about(&self, member: Member) -> impl Iterator<Item = (Member, Verdict)> {
        self.by_member.get(&member).into_iter().flatten().copied()
    }
}
