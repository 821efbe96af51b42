//! What to ask a person first: questions that the evidence leaves open and that concern many adverts.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::clustering::Constraints;
use crate::engine::ScoredPair;
use crate::weights;

/// The value of an advert that is gone; a live advert counts 1.
const GONE_VALUE: f64 = 0.25;

/// The most that one pair weighs for or against, so that no single pair decides a question alone.
const MAX_PAIR_WEIGHT: f32 = 10.0;

/// How much the worst pair counts in addition to the mean.
const WORST_SHARE: f32 = 0.6;

/// A listing and its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advert {
    /// The number of its record.
    pub record: u32,
    /// Whether the portal still shows it.
    pub is_live: bool,
}

/// The kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum QuestionKind {
    /// Are two records one property?
    Join,
    /// Is one record two properties?
    Split,
}

/// A question to a person, about the pair of adverts that is most significant.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The kind of a question.
    pub asked: QuestionKind,
    /// Index of one advert.
    pub left: u32,
    /// Index of the other advert.
    pub right: u32,
    /// The adverts on the side of the left one, including itself, and those on the side of the right
    /// one.
    pub sides: [Vec<u32>; 2],
    /// The mean weight of the pairs between the two sides and a share of the worst, log₂.
    pub agreement: f64,
    /// 1 if both answers are equally likely, 0 if one is certain.
    pub uncertainty: f64,
    /// How many adverts the answer concerns; an advert that is gone counts a quarter.
    pub value: f64,
}

/// The open questions, those with the highest value times uncertainty first. There is at most one
/// question about two records, and at most one about a single record: its weakest link.
pub fn open_questions(
    adverts: &[Advert],
    pairs: &[ScoredPair],
    constraints: &Constraints,
) -> Vec<Question> {
    let mut members: Vec<Vec<u32>> = Vec::new();
    for (place, advert) in (0..).zip(adverts) {
        let record = advert.record as usize;
        members.resize_with(members.len().max(record + 1), Vec::new);
        members[record].push(place);
    }
    let record = |place: u32| adverts[place as usize].record;
    let mut between: BTreeMap<(u32, u32), Vec<ScoredPair>> = BTreeMap::new();
    for pair in pairs {
        let (one, other) = (record(pair.left), record(pair.right));
        between
            .entry((one.min(other), one.max(other)))
            .or_default()
            .push(*pair);
    }
    let cannot_link: HashSet<(u32, u32)> = constraints
        .cannot_link()
        .map(|(one, other)| (record(one), record(other)))
        .map(|(one, other)| (one.min(other), one.max(other)))
        .collect();
    let mut questions: Vec<Question> = between
        .into_iter()
        .filter(|(records, _)| !cannot_link.contains(records))
        .filter_map(|((one, other), pairs)| {
            let (one, other) = (&members[one as usize], &members[other as usize]);
            if one == other {
                split_question(one, &pairs, constraints)
            } else {
                join_question(one, other, &pairs)
            }
        })
        .map(|question| question.with_value(adverts))
        .collect();
    questions.sort_by(|one, other| {
        let rank = |question: &Question| question.value * question.uncertainty;
        rank(other)
            .total_cmp(&rank(one))
            .then((one.left, one.right).cmp(&(other.left, other.right)))
    });
    questions
}

/// Asks whether two records are one, by the heaviest pair without a veto.
fn join_question(one: &[u32], other: &[u32], pairs: &[ScoredPair]) -> Option<Question> {
    let possible = pairs.iter().filter(|pair| !pair.vetoed);
    let best = possible.max_by(|one, other| {
        one.weight
            .total_cmp(&other.weight)
            .then((other.left, other.right).cmp(&(one.left, one.right)))
    })?;
    let sides = if one.contains(&best.left) {
        [one, other]
    } else {
        [other, one]
    };
    Some(Question::new(
        QuestionKind::Join,
        best,
        sides.map(<[u32]>::to_vec),
        pairs,
    ))
}

/// Asks whether a record is two, by its weakest link: the lightest of the pairs that hold it
/// together.
fn split_question(
    members: &[u32],
    pairs: &[ScoredPair],
    constraints: &Constraints,
) -> Option<Question> {
    let decided = |pair: &ScoredPair| {
        constraints
            .verdict(pair.left.min(pair.right), pair.left.max(pair.right))
            .is_some()
    };
    let mut strongest_first: Vec<&ScoredPair> = pairs
        .iter()
        .filter(|pair| !pair.vetoed && !decided(pair))
        .collect();
    strongest_first.sort_by(|one, other| {
        other
            .weight
            .total_cmp(&one.weight)
            .then((one.left, one.right).cmp(&(other.left, other.right)))
    });
    let mut part_of: HashMap<u32, u32> = members.iter().map(|member| (*member, *member)).collect();
    // Must-link pairs cannot be separated.
    for (left, right) in constraints
        .must_link()
        .filter(|(left, right)| members.contains(left) && members.contains(right))
    {
        unite(&mut part_of, left, right);
    }
    let mut weakest: Option<(&ScoredPair, HashMap<u32, u32>)> = None;
    for pair in strongest_first {
        if part_of[&pair.left] != part_of[&pair.right] {
            weakest = Some((pair, part_of.clone()));
            unite(&mut part_of, pair.left, pair.right);
        }
    }
    let (link, parts) = weakest?;
    let side = |member_of_side: u32| {
        members
            .iter()
            .copied()
            .filter(|member| parts[member] == parts[&member_of_side])
            .collect::<Vec<_>>()
    };
    let sides = [side(link.left), side(link.right)];
    Some(Question::new(QuestionKind::Split, link, sides, pairs))
}

fn unite(part_of: &mut HashMap<u32, u32>, left: u32, right: u32) {
    let (Some(into), Some(from)) = (part_of.get(&left).copied(), part_of.get(&right).copied())
    else {
        return;
    };
    for part in part_of.values_mut().filter(|part| **part == from) {
        *part = into;
    }
}

impl Question {
    fn new(
        asked: QuestionKind,
        pair: &ScoredPair,
        sides: [Vec<u32>; 2],
        pairs: &[ScoredPair],
    ) -> Self {
        let [one, other] = &sides;
        let between = |pair: &&ScoredPair| {
            (one.contains(&pair.left) && other.contains(&pair.right))
                || (one.contains(&pair.right) && other.contains(&pair.left))
        };
        let weigh = |pair: &ScoredPair| {
            if pair.vetoed {
                -MAX_PAIR_WEIGHT
            } else {
                pair.weight.clamp(-MAX_PAIR_WEIGHT, MAX_PAIR_WEIGHT)
            }
        };
        let known: Vec<f32> = pairs.iter().filter(between).map(weigh).collect();
        let all = (one.len() * other.len()) as f32;
        // A pair that is not stored weighs less than every stored pair.
        let not_stored = all - known.len() as f32;
        let least = if not_stored > 0.0 {
            weights::KEPT
        } else {
            f32::INFINITY
        };
        let mean = (known.iter().sum::<f32>() + not_stored * weights::KEPT) / all;
        let worst = known.into_iter().fold(least, f32::min);
        let agreement = f64::from(mean + WORST_SHARE * worst.min(0.0));
        let likely = 1.0 / (1.0 + (-agreement).exp2());
        let uncertainty = 4.0 * likely * (1.0 - likely);
        Self {
            asked,
            left: pair.left,
            right: pair.right,
            sides,
            agreement,
            uncertainty,
            value: 0.0,
        }
    }

    fn with_value(mut self, adverts: &[Advert]) -> Self {
        let worth = |place: &u32| {
            if adverts[*place as usize].is_live {
                1.0
            } else {
                GONE_VALUE
            }
        };
        self.value = self.sides.iter().flatten().map(worth).sum();
        self
    }
}

#[cfg(test)]
mod tests {
    use schema::Verdict;

    use super::*;

    fn adverts(records: &[u32]) -> Vec<Advert> {
        records
            .iter()
            .map(|record| Advert {
                record: *record,
                is_live: true,
            })
            .collect()
    }

    fn scored(pairs: &[(u32, u32, f32)]) -> Vec<ScoredPair> {
        let scored = |(left, right, weight): &(u32, u32, f32)| ScoredPair {
            left: *left,
            right: *right,
            weight: *weight,
            vetoed: false,
        };
        pairs.iter().map(scored).collect()
    }

    fn asked(questions: &[Question]) -> Vec<(QuestionKind, u32, u32)> {
        questions
            .iter()
            .map(|question| (question.asked, question.left, question.right))
            .collect()
    }

    #[test]
    fn uncertain_questions_about_many_adverts_come_first() {
        // Records: 0 of one, 1 of one, 2 of one, 3 of three.
        let adverts = adverts(&[0, 1, 2, 3, 3, 3]);
        let pairs = scored(&[
            (0, 1, -0.5),
            (1, 2, -5.0),
            (2, 3, 0.4),
            (2, 4, 0.2),
            (2, 5, -0.3),
            (3, 4, 9.0),
            (4, 5, 9.0),
            (3, 5, 9.0),
        ]);
        let questions = open_questions(&adverts, &pairs, &Constraints::default());
        let expected = [
            (QuestionKind::Join, 2, 3),
            (QuestionKind::Join, 0, 1),
            (QuestionKind::Join, 1, 2),
            (QuestionKind::Split, 4, 5),
        ];
        assert_eq!(asked(&questions)[..2], expected[..2], "{questions:#?}");
        assert!(questions[0].sides == [vec![2], vec![3, 4, 5]] && questions[0].uncertainty > 0.9);
        assert_eq!(
            questions.len(),
            4,
            "one question for two records, and one for a record"
        );
    }

    #[test]
    fn a_record_is_asked_about_by_its_weakest_link() {
        let adverts = adverts(&[0, 0, 0, 0]);
        let pairs = scored(&[
            (0, 1, 8.0),
            (2, 3, 7.0),
            (1, 2, 1.0),
            (0, 3, 0.5),
            (0, 2, -1.0),
            (1, 3, -2.0),
        ]);
        let questions = open_questions(&adverts, &pairs, &Constraints::default());
        assert_eq!(asked(&questions), [(QuestionKind::Split, 1, 2)]);
        assert_eq!(questions[0].sides, [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn adverts_that_are_gone_make_a_question_less_valuable() {
        let mut adverts = adverts(&[0, 1, 2, 3]);
        adverts[0].is_live = false;
        adverts[1].is_live = false;
        let questions = open_questions(
            &adverts,
            &scored(&[(0, 1, 0.0), (2, 3, 0.0)]),
            &Constraints::default(),
        );
        assert_eq!(
            asked(&questions),
            [(QuestionKind::Join, 2, 3), (QuestionKind::Join, 0, 1)]
        );
    }

    #[test]
    fn decided_pairs_are_not_asked_about() {
        let adverts = adverts(&[0, 0, 1, 1, 2]);
        let pairs = scored(&[(0, 1, 0.1), (2, 3, 0.1), (1, 2, 0.0), (0, 4, -0.1)]);
        let mut constraints = Constraints::default();
        constraints.add(0, 1, Verdict::Same);
        // A decision about any pair of two records answers the question about them.
        constraints.add(0, 3, Verdict::Different);
        let questions = open_questions(&adverts, &pairs, &constraints);
        assert_eq!(
            asked(&questions),
            [(QuestionKind::Split, 2, 3), (QuestionKind::Join, 0, 4)]
        );
    }
}
