//! The judged pairs that weights are fitted to.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use super::JudgedSet;
use crate::blocking::Member;
use crate::comparison::{COMPARISONS, Levels};
use crate::engine;
use crate::evaluation::labelled_pairs::{Label, LabelledPairs};
use crate::evaluation::{MatchedListings, Truth};
use crate::hash;
use crate::scoring;

/// How many parts cross-validation deals the properties into.
pub(super) const PARTS: u64 = 5;

/// What is known about the pairs of a set.
#[derive(Debug, Clone, Default)]
pub struct Judgements {
    /// The property of each listing.
    property_of: HashMap<Member, usize>,
    /// The judged pairs, the smaller member first; `None` if every pair of listings with a property is
    /// judged.
    pairs: Option<BTreeMap<(Member, Member), bool>>,
    /// The part of each property.
    part_of: Vec<u64>,
}

/// A judged pair that was compared.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// The levels that it reaches.
    pub levels: Vec<u16>,
    /// Whether it is one property.
    pub same: bool,
    /// How much it counts.
    pub count: f64,
    /// The part that it belongs to.
    pub part: u64,
}

impl Judgements {
    /// What a truth says.
    pub fn from_truth(matched: &MatchedListings, truth: &Truth) -> Self {
        let property_of = truth
            .listings
            .iter()
            .filter_map(|(key, property)| Some((matched.member(key)?, *property)));
        let part = |place: usize| {
            let property = &truth.properties[place];
            hash::hash(&[&property.name]) % PARTS
        };
        Self {
            property_of: property_of.collect(),
            pairs: None,
            part_of: (0..truth.properties.len()).map(part).collect(),
        }
    }

    /// What labelled pairs say, or a person's decisions. Listings that a chain of pairs says to be the
    /// same are one property.
    pub fn from_pairs(matched: &MatchedListings, labels: &LabelledPairs) -> Self {
        let mut judgements = Self::default();
        let mut pairs = BTreeMap::new();
        for (pair, (label, _)) in &labels.pairs {
            let members = matched.member(&pair.left).zip(matched.member(&pair.right));
            let (Some((one, other)), false) = (members, *label == Label::Ambiguous) else {
                continue;
            };
            let properties = [one, other].map(|member| judgements.property(matched, member));
            if *label == Label::Same {
                for property in judgements.property_of.values_mut() {
                    if *property == properties[1] {
                        *property = properties[0];
                    }
                }
            }
            pairs.insert((one.min(other), one.max(other)), *label == Label::Same);
        }
        judgements.pairs = Some(pairs);
        judgements
    }

    /// The property of a listing, which is its own until a pair says otherwise.
    fn property(&mut self, matched: &MatchedListings, member: Member) -> usize {
        let next = self.part_of.len();
        let property = *self.property_of.entry(member).or_insert(next);
        if property == next {
            let key = matched.profile(member).key.to_string();
            self.part_of.push(hash::hash(&[&key]) % PARTS);
        }
        property
    }

    /// Whether two listings are one property, and the part of the pair; `None` if that is not known.
    pub(super) fn judge(&self, one: Member, other: Member) -> Option<(bool, u64)> {
        let properties = self
            .property_of
            .get(&one)
            .zip(self.property_of.get(&other))?;
        let same = match &self.pairs {
            Some(pairs) => *pairs.get(&(one.min(other), one.max(other)))?,
            None => properties.0 == properties.1,
        };
        Some((same, self.part_of[*properties.0.min(properties.1)]))
    }

    /// The pairs to look at: the judged ones, or all that were compared.
    fn candidates(&self, matched: &MatchedListings) -> Vec<(Member, Member)> {
        match &self.pairs {
            Some(pairs) => pairs.keys().copied().collect(),
            None => matched.candidates.pairs().collect(),
        }
    }

    /// All pairs that are known to be one property, each with its part.
    pub(super) fn true_pairs(&self) -> Vec<((Member, Member), u64)> {
        if let Some(pairs) = &self.pairs {
            let same = pairs.iter().filter(|(_, same)| **same);
            return same
                .filter_map(|(pair, _)| Some((*pair, self.judge(pair.0, pair.1)?.1)))
                .collect();
        }
        let mut members: BTreeMap<usize, Vec<Member>> = BTreeMap::new();
        for (member, property) in &self.property_of {
            members.entry(*property).or_default().push(*member);
        }
        let mut pairs = Vec::new();
        for (property, members) in members {
            for (place, one) in members.iter().enumerate() {
                let later = members[place + 1..].iter();
                let pair = |other: &Member| (*one.min(other), *one.max(other));
                pairs.extend(later.map(|other| (pair(other), self.part_of[property])));
            }
        }
        pairs
    }

    /// How much a judged pair counts: a property counts as its number of adverts less one, and two
    /// properties as one pair.
    fn counts(&self, judged: &[(Member, Member)]) -> Vec<f64> {
        let properties = |(one, other): &(Member, Member)| {
            let (one, other) = (self.property_of[one], self.property_of[other]);
            (one.min(other), one.max(other))
        };
        let (mut between, mut adverts) = (HashMap::new(), HashMap::new());
        for pair in judged {
            *between.entry(properties(pair)).or_insert(0.0) += 1.0;
        }
        for property in self.property_of.values() {
            *adverts.entry(*property).or_insert(0.0) += 1.0;
        }
        let count = |pair| {
            let (one, other) = properties(pair);
            let worth = if one == other {
                adverts[&one] - 1.0
            } else {
                1.0
            };
            worth / between[&(one, other)]
        };
        judged.iter().map(count).collect()
    }
}

/// The judged pairs of a set that were compared and that no veto forbids.
pub(super) fn of_set(set: &JudgedSet<'_>) -> Vec<Example> {
    let (matched, judgements) = (set.matched, set.judgements);
    let mut judged: Vec<(Member, Member)> = judgements.candidates(matched);
    judged.retain(|(one, other)| judgements.judge(*one, *other).is_some());
    let counts = judgements.counts(&judged);
    let example = |((one, other), count): (&(Member, Member), &f64)| {
        let (same, part) = judgements.judge(*one, *other)?;
        let (first, second) =
            engine::ordered_by_key(matched.profile(*one), matched.profile(*other));
        if scoring::veto_between(first, second).is_some() {
            return None;
        }
        let mut levels = Levels::kept(&matched.table);
        for comparison in COMPARISONS {
            (comparison.compare)(first, second, &mut levels);
        }
        let levels = levels.take().into_iter().map(|level| level.number as u16);
        Some(Example {
            levels: levels.collect(),
            same,
            count: *count,
            part,
        })
    };
    judged.par_iter().zip(&counts).filter_map(example).collect()
}

/// The examples of all sets. A large set counts more than a small one, but for less than in proportion
/// to its size: for the geometric mean of its own size and that of the smallest.
pub(super) fn balanced(sets: &[Vec<Example>]) -> Vec<Vec<Example>> {
    let total = |set: &Vec<Example>| set.iter().map(|example| example.count).sum::<f64>();
    let smallest = sets.iter().map(total).fold(f64::INFINITY, f64::min);
    let scaled = |set: &Vec<Example>| {
        let scale = (smallest / total(set)).sqrt();
        let scaled = |example: &Example| Example {
            count: example.count * scale,
            ..example.clone()
        };
        set.iter().map(scaled).collect()
    };
    sets.iter().map(scaled).collect()
}
