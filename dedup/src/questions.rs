//! What to ask a person first: decisions about which the evidence says little, and on which many adverts hang.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::clustering::{CLAMP, Decisions, agreement};
use crate::scoring::weights;

/// What an advert that is gone counts for beside one that is live.
const GONE: f64 = 0.25;

/// A listing by its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advert {
    /// The number of its record.
    pub record: u32,
    /// Whether the portal still shows it.
    pub is_live: bool,
}

/// A compared pair; places of adverts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compared {
    /// Place of one advert.
    pub left: u32,
    /// Place of the other.
    pub right: u32,
    /// Match weight.
    pub weight: f32,
    /// Whether a veto forbids it.
    pub vetoed: bool,
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Asked {
    /// Whether two records are one.
    Join,
    /// Whether one record is two.
    Split,
}

/// A question to a person, by the pair of adverts that tells most.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked.
    pub asked: Asked,
    /// Place of one advert.
    pub left: u32,
    /// Place of the other.
    pub right: u32,
    /// The adverts that go with the left one, itself included, and those that go with the right one.
    pub sides: [Vec<u32>; 2],
    /// What all pairs between the two sides say together, log₂: from 0 on they are joined.
    pub agreement: f64,
    /// How little that says: 1 where both answers are as likely, 0 where one is certain.
    pub uncertainty: f64,
    /// How many adverts hang on the answer; one that is gone counts a quarter.
    pub value: f64,
}

/// The questions nobody has answered yet, the most valuable first: value times uncertainty. Two records are asked about
/// once, and a record once, by its weakest tie.
pub fn questions(
    adverts: &[Advert],
    compared: &[Compared],
    decisions: &Decisions,
) -> Vec<Question> {
    let mut members: Vec<Vec<u32>> = Vec::new();
    for (place, advert) in (0..).zip(adverts) {
        let record = advert.record as usize;
        members.resize_with(members.len().max(record + 1), Vec::new);
        members[record].push(place);
    }
    let record = |place: u32| adverts[place as usize].record;
    let mut between: BTreeMap<(u32, u32), Vec<Compared>> = BTreeMap::new();
    for pair in compared {
        let (one, other) = (record(pair.left), record(pair.right));
        between
            .entry((one.min(other), one.max(other)))
            .or_default()
            .push(*pair);
    }
    let told_apart: HashSet<(u32, u32)> = decisions
        .different()
        .map(|(one, other)| (record(one), record(other)))
        .map(|(one, other)| (one.min(other), one.max(other)))
        .collect();
    let mut questions: Vec<Question> = between
        .into_iter()
        .filter(|(records, _)| !told_apart.contains(records))
        .filter_map(|((one, other), pairs)| {
            let (one, other) = (&members[one as usize], &members[other as usize]);
            if one == other {
                split(one, &pairs, decisions)
            } else {
                join(one, other, &pairs)
            }
        })
        .map(|question| question.valued(adverts))
        .collect();
    questions.sort_by(|one, other| {
        let rank = |question: &Question| question.value * question.uncertainty;
        rank(other)
            .total_cmp(&rank(one))
            .then((one.left, one.right).cmp(&(other.left, other.right)))
    });
    questions
}

/// Whether two records are one, asked by the heaviest pair that no veto forbids.
fn join(one: &[u32], other: &[u32], pairs: &[Compared]) -> Option<Question> {
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
    Some(Question::of(
        Asked::Join,
        best,
        sides.map(<[u32]>::to_vec),
        pairs,
    ))
}

/// Whether a record is two, asked by its weakest tie: the least of the pairs that hold it together.
fn split(members: &[u32], pairs: &[Compared], decisions: &Decisions) -> Option<Question> {
    let decided = |pair: &Compared| {
        decisions
            .of(pair.left.min(pair.right), pair.left.max(pair.right))
            .is_some()
    };
    let mut strongest_first: Vec<&Compared> = pairs
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
    // What a person said is one cannot come apart.
    for (left, right) in decisions
        .same()
        .filter(|(left, right)| members.contains(left) && members.contains(right))
    {
        unite(&mut part_of, left, right);
    }
    let mut weakest: Option<(&Compared, HashMap<u32, u32>)> = None;
    for pair in strongest_first {
        if part_of[&pair.left] != part_of[&pair.right] {
            weakest = Some((pair, part_of.clone()));
            unite(&mut part_of, pair.left, pair.right);
        }
    }
    let (tie, parts) = weakest?;
    let side = |of: u32| {
        members
            .iter()
            .copied()
            .filter(|member| parts[member] == parts[&of])
            .collect::<Vec<_>>()
    };
    let sides = [side(tie.left), side(tie.right)];
    Some(Question::of(Asked::Split, tie, sides, pairs))
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
    fn of(asked: Asked, tie: &Compared, sides: [Vec<u32>; 2], pairs: &[Compared]) -> Self {
        let [one, other] = &sides;
        let between = |pair: &&Compared| {
            (one.contains(&pair.left) && other.contains(&pair.right))
                || (one.contains(&pair.right) && other.contains(&pair.left))
        };
        let weigh = |pair: &Compared| {
            if pair.vetoed {
                -CLAMP
            } else {
                pair.weight.clamp(-CLAMP, CLAMP)
            }
        };
        let known: Vec<f32> = pairs.iter().filter(between).map(weigh).collect();
        let all = (one.len() * other.len()) as f32;
        // A pair that is not kept weighs less than what is kept.
        let unknown = all - known.len() as f32;
        let least = if unknown > 0.0 {
            weights::KEPT
        } else {
            f32::INFINITY
        };
        let mean = (known.iter().sum::<f32>() + unknown * weights::KEPT) / all;
        let agreement = f64::from(agreement(mean, known.into_iter().fold(least, f32::min)));
        let likely = 1.0 / (1.0 + (-agreement).exp2());
        let uncertainty = 4.0 * likely * (1.0 - likely);
        Self {
            asked,
            left: tie.left,
            right: tie.right,
            sides,
            agreement,
            uncertainty,
            value: 0.0,
        }
    }

    fn valued(mut self, adverts: &[Advert]) -> Self {
        let worth = |place: &u32| {
            if adverts[*place as usize].is_live {
                1.0
            } else {
                GONE
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

    fn compared(pairs: &[(u32, u32, f32)]) -> Vec<Compared> {
        let of = |(left, right, weight): &(u32, u32, f32)| Compared {
            left: *left,
            right: *right,
            weight: *weight,
            vetoed: false,
        };
        pairs.iter().map(of).collect()
    }

    fn asked(questions: &[Question]) -> Vec<(Asked, u32, u32)> {
        questions
            .iter()
            .map(|question| (question.asked, question.left, question.right))
            .collect()
    }

    #[test]
    fn what_is_near_the_boundary_and_has_many_adverts_is_asked_first() {
        // Records: 0 of one, 1 of one, 2 of one, 3 of three.
        let adverts = adverts(&[0, 1, 2, 3, 3, 3]);
        let pairs = compared(&[
            (0, 1, -0.5),
            (1, 2, -5.0),
            (2, 3, 0.4),
            (2, 4, 0.2),
            (2, 5, -0.3),
            (3, 4, 9.0),
            (4, 5, 9.0),
            (3, 5, 9.0),
        ]);
        let questions = questions(&adverts, &pairs, &Decisions::default());
        let expected = [
            (Asked::Join, 2, 3),
            (Asked::Join, 0, 1),
            (Asked::Join, 1, 2),
            (Asked::Split, 4, 5),
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
    fn a_record_is_asked_about_by_its_weakest_tie() {
        let adverts = adverts(&[0, 0, 0, 0]);
        let pairs = compared(&[
            (0, 1, 8.0),
            (2, 3, 7.0),
            (1, 2, 1.0),
            (0, 3, 0.5),
            (0, 2, -1.0),
            (1, 3, -2.0),
        ]);
        let questions = questions(&adverts, &pairs, &Decisions::default());
        assert_eq!(asked(&questions), [(Asked::Split, 1, 2)]);
        assert_eq!(questions[0].sides, [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn adverts_that_are_gone_hang_less_on_an_answer() {
        let mut adverts = adverts(&[0, 1, 2, 3]);
        adverts[0].is_live = false;
        adverts[1].is_live = false;
        let questions = questions(
            &adverts,
            &compared(&[(0, 1, 0.0), (2, 3, 0.0)]),
            &Decisions::default(),
        );
        assert_eq!(
            asked(&questions),
            [(Asked::Join, 2, 3), (Asked::Join, 0, 1)]
        );
    }

    #[test]
    fn what_is_decided_is_not_asked() {
        let adverts = adverts(&[0, 0, 1, 1, 2]);
        let pairs = compared(&[(0, 1, 0.1), (2, 3, 0.1), (1, 2, 0.0), (0, 4, -0.1)]);
        let mut decisions = Decisions::default();
        decisions.add(0, 1, Verdict::Same);
        // Of two records any pair answers for all.
        decisions.add(0, 3, Verdict::Different);
        let questions = questions(&adverts, &pairs, &decisions);
        assert_eq!(
            asked(&questions),
            [(Asked::Split, 2, 3), (Asked::Join, 0, 4)]
        );
    }
}
