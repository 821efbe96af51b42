//! What to ask a person first: questions that the evidence leaves open and that concern many adverts.

use serde::Serialize;

use crate::blocking::Member;
use crate::confidence;
use crate::engine::{Certainty, Rivals};

/// The value of an advert that is gone; a live advert counts 1.
const GONE_VALUE: f64 = 0.25;

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
    /// One advert.
    pub left: Member,
    /// The other advert.
    pub right: Member,
    /// The adverts on the side of the left one, including itself, and those on the side of the right
    /// one.
    pub sides: [Vec<Member>; 2],
    /// What joins the two sides, or what joining them lacks, as clustering weighs it: log₂.
    pub agreement: f32,
    /// The probability that the two sides are one property.
    pub probability: f64,
    /// 1 if both answers are equally likely, 0 if one is certain.
    pub uncertainty: f64,
    /// How many adverts the answer concerns; an advert that is gone counts a quarter.
    pub value: f64,
}

/// The open questions, those with the highest value times uncertainty first. There is at most one
/// question about two records, and at most one about a single record: its weakest tie. What a person
/// decided is not asked again. `is_live` says whether a portal still shows an advert.
pub fn open_questions(certainty: &Certainty, is_live: impl Fn(Member) -> bool) -> Vec<Question> {
    let joins = certainty
        .rivals
        .iter()
        .map(|rivals| join_question(certainty, rivals));
    let splits =
        (0..certainty.clusters.len()).filter_map(|record| split_question(certainty, record));
    let mut questions: Vec<Question> = joins.chain(splits).collect();
    for question in &mut questions {
        let worth = |advert: &Member| if is_live(*advert) { 1.0 } else { GONE_VALUE };
        question.value = question.sides.iter().flatten().map(worth).sum();
    }
    sort(&mut questions);
    questions
}

/// Sorts questions by their value times uncertainty, the highest first.
pub(crate) fn sort(questions: &mut [Question]) {
    questions.sort_by(|one, other| {
        let rank = |question: &Question| question.value * question.uncertainty;
        rank(other)
            .total_cmp(&rank(one))
            .then((one.left, one.right).cmp(&(other.left, other.right)))
    });
}

/// Asks whether two records are one, by the strongest pair between them.
fn join_question(certainty: &Certainty, rivals: &Rivals) -> Question {
    let side = |record: usize| certainty.clusters[record].clone();
    Question::new(
        QuestionKind::Join,
        (rivals.left, rivals.right),
        [side(rivals.clusters.0), side(rivals.clusters.1)],
        rivals.weight,
    )
}

/// Asks whether a record is two, by its weakest tie. A tie that a person decided is not asked about.
fn split_question(certainty: &Certainty, record: usize) -> Option<Question> {
    let (left, right, tie) = certainty.parts(record).pop()?;
    tie.weight.is_finite().then(|| {
        Question::new(
            QuestionKind::Split,
            (tie.left, tie.right),
            [left, right],
            tie.weight,
        )
    })
}

impl Question {
    fn new(
        asked: QuestionKind,
        (left, right): (Member, Member),
        mut sides: [Vec<Member>; 2],
        agreement: f32,
    ) -> Self {
        for side in &mut sides {
            side.sort_unstable();
        }
        let probability = confidence::probability(agreement);
        Self {
            asked,
            left,
            right,
            sides,
            agreement,
            probability,
            uncertainty: 4.0 * probability * (1.0 - probability),
            value: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clustering::Tie;

    /// Records of these sizes, with ties from each listing to the next and rivals between records.
    fn certainty(ties: &[&[f32]], rivals: &[(usize, usize, f32)]) -> Certainty {
        let (mut clusters, mut of_clusters, mut next) = (Vec::new(), Vec::new(), 0);
        for weights in ties {
            let first: Member = next;
            next += weights.len() as Member + 1;
            let tie = |(left, weight): (Member, &f32)| Tie {
                left,
                right: left + 1,
                weight: *weight,
            };
            let mut ties: Vec<Tie> = (first..).zip(*weights).map(tie).collect();
            ties.sort_by(|one, other| other.weight.total_cmp(&one.weight));
            clusters.push((first..next).collect::<Vec<Member>>());
            of_clusters.push(ties);
        }
        let rivals = rivals.iter().map(|(one, other, weight)| Rivals {
            clusters: (*one, *other),
            left: clusters[*one][0],
            right: clusters[*other][0],
            weight: *weight,
        });
        Certainty {
            rivals: rivals.collect(),
            clusters,
            ties: of_clusters,
        }
    }

    fn asked(questions: &[Question]) -> Vec<(QuestionKind, Member, Member)> {
        questions
            .iter()
            .map(|question| (question.asked, question.left, question.right))
            .collect()
    }

    #[test]
    fn uncertain_questions_about_many_adverts_come_first() {
        let records: [&[f32]; 4] = [&[], &[], &[], &[9.0, 9.0]];
        let rivals = [(0, 1, -0.5), (1, 2, -5.0), (2, 3, -0.4)];
        let questions = open_questions(&certainty(&records, &rivals), |_| true);
        let expected = [(QuestionKind::Join, 2, 3), (QuestionKind::Join, 0, 1)];
        assert_eq!(asked(&questions)[..2], expected, "{questions:#?}");
        assert_eq!(questions[0].sides, [vec![2], vec![3, 4, 5]]);
        assert_eq!(
            questions.len(),
            4,
            "one question for two records, and one for a record"
        );
    }

    #[test]
    fn a_record_is_asked_about_by_its_weakest_tie() {
        let questions = open_questions(&certainty(&[&[8.0, 1.0, 7.0]], &[]), |_| true);
        assert_eq!(asked(&questions), [(QuestionKind::Split, 1, 2)]);
        assert_eq!(questions[0].sides, [vec![0, 1], vec![2, 3]]);
    }

    #[test]
    fn adverts_that_are_gone_make_a_question_less_valuable() {
        let records: [&[f32]; 4] = [&[], &[], &[], &[]];
        let rivals = [(0, 1, -0.1), (2, 3, -0.1)];
        let questions = open_questions(&certainty(&records, &rivals), |advert| advert > 1);
        assert_eq!(
            asked(&questions),
            [(QuestionKind::Join, 2, 3), (QuestionKind::Join, 0, 1)]
        );
        assert!((questions[1].value - 0.5).abs() < 1e-9);
    }

    #[test]
    fn what_a_person_joined_is_not_asked_about() {
        let records: [&[f32]; 2] = [&[f32::INFINITY], &[f32::INFINITY, 0.3]];
        let questions = open_questions(&certainty(&records, &[]), |_| true);
        assert_eq!(asked(&questions), [(QuestionKind::Split, 3, 4)]);
    }
}
