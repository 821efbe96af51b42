//! People's decisions about the members of an index.

use std::collections::{BTreeMap, HashMap};

use schema::{ListingKey, Review, Verdict};

use crate::blocking::Member;

/// Decisions about pairs of listings. Some of the listings may appear later.
#[derive(Debug, Default)]
pub struct Reviews {
    by_listing: HashMap<ListingKey, Vec<(ListingKey, Verdict)>>,
    member_of: HashMap<ListingKey, Member>,
    by_member: BTreeMap<Member, Vec<(Member, Verdict)>>,
}

impl Reviews {
    /// Collects the decisions in force.
    pub fn from_reviews(reviews: &[Review]) -> Self {
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

    /// Adds a listing with its member number.
    pub fn add_listing(&mut self, key: &ListingKey, member: Member) {
        let Some(decided) = self.by_listing.get(key) else {
            return;
        };
        self.member_of.insert(key.clone(), member);
        for (other, verdict) in decided {
            if let Some(other) = self.member_of.get(other) {
                self.by_member
                    .entry(member)
                    .or_default()
                    .push((*other, *verdict));
                self.by_member
                    .entry(*other)
                    .or_default()
                    .push((member, *verdict));
            }
        }
    }

    /// Whether a decision about two members is in force.
    pub fn is_decided(&self, one: Member, other: Member) -> bool {
        let verdict = self
            .about(one)
            .find(|(member, _)| *member == other)
            .map(|(_, verdict)| verdict);
        verdict.is_some_and(|verdict| verdict != Verdict::Forgotten)
    }

    /// The members that must be one property with this member.
    pub fn same_as(&self, member: Member) -> impl Iterator<Item = Member> {
        self.about(member)
            .filter(|(_, verdict)| *verdict == Verdict::Same)
            .map(|(other, _)| other)
    }

    /// The pairs of these members that cannot be one property, numbered by `number`.
    pub fn cannot_link(
        &self,
        members: impl Iterator<Item = Member>,
        number: impl Fn(Member) -> Option<Member>,
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
            found.extend(later.filter_map(|(other, _)| Some((number(member)?, number(other)?))));
        }
        found
    }

    fn about(&self, member: Member) -> impl Iterator<Item = (Member, Verdict)> {
        self.by_member.get(&member).into_iter().flatten().copied()
    }
}
