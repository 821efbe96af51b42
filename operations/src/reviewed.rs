//! What the answers of reviewers say: how well reviewers agree, and how right matching is.

use std::collections::BTreeMap;

use dedup::evaluation::{LabelledPairs, PredictedClusters, Truth, labelled_metrics};
use schema::{Answer, Asked, ListingPair, ReviewAnswer};
use serde::Serialize;

/// The answers about one pair that were not taken back.
#[derive(Debug, Clone, Default)]
pub struct PairAnswers<'a> {
    /// Answers to the question.
    pub first: Vec<&'a ReviewAnswer>,
    /// Answers to the blind repeat.
    pub repeated: Vec<&'a ReviewAnswer>,
}

/// The standing answers by pair. An answer that says *withdrawn* takes back the person's last one about the pair.
pub fn standing(answers: &[ReviewAnswer]) -> BTreeMap<&ListingPair, PairAnswers<'_>> {
    let mut pairs: BTreeMap<&ListingPair, PairAnswers<'_>> = BTreeMap::new();
    for answer in answers {
        let pair = pairs.entry(&answer.pair).or_default();
        let list = if answer.is_repeat {
            &mut pair.repeated
        } else {
            &mut pair.first
        };
        if answer.answer == Answer::Withdrawn {
            let taken_back = list.iter().rposition(|one| one.person == answer.person);
            if let Some(place) = taken_back {
                list.remove(place);
            }
        } else {
            list.push(answer);
        }
    }
    pairs
}

/// How well the first and the repeated answers agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// How many pairs were answered twice.
    pub pairs: u64,
    /// How many of them got the same answer.
    pub same: u64,
    /// Cohen's kappa: 1 is full agreement, 0 what chance gives. `None` if every answer is the same.
    pub kappa: Option<f64>,
}

const ANSWERS: [Answer; 3] = [Answer::Same, Answer::Different, Answer::Unsure];

/// Cohen's kappa of the first answer and its blind repeat (J. Cohen, 1960).
pub fn agreement(answers: &[ReviewAnswer]) -> Agreement {
    let mut table = [[0_u64; 3]; 3];
    let place = |answer: Answer| ANSWERS.iter().position(|one| *one == answer);
    for pair in standing(answers).values() {
        let both = pair.first.last().zip(pair.repeated.first());
        let places = both.and_then(|(first, again)| place(first.answer).zip(place(again.answer)));
        if let Some((first, again)) = places {
            table[first][again] += 1;
        }
    }
    let pairs: u64 = table.iter().flatten().sum();
    let same: u64 = (0..3).map(|place| table[place][place]).sum();
    let total = pairs as f64;
    let by_chance: f64 = (0..3)
        .map(|place| {
            let first: u64 = table[place].iter().sum();
            let again: u64 = table.iter().map(|row| row[place]).sum();
            first as f64 / total * (again as f64 / total)
        })
        .sum();
    let observed = same as f64 / total;
    let kappa = (observed - by_chance) / (1.0 - by_chance);
    Agreement {
        pairs,
        same,
        kappa: (pairs > 0 && by_chance < 1.0).then_some(kappa),
    }
}

/// A share with its 95 % confidence interval by Wilson.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proportion {
    /// How many have the property.
    pub part: u64,
    /// Of how many.
    pub whole: u64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Proportion {
    /// The interval of `part` of `whole` (E. B. Wilson, 1927); from 0 to 1 if the whole is 0.
    pub fn new(part: u64, whole: u64) -> Self {
        const Z: f64 = 1.96;
        let n = whole as f64;
        let (mut low, mut high) = (0.0, 1.0);
        if whole > 0 {
            let share = part as f64 / n;
            let middle = share + Z * Z / (2.0 * n);
            let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
            let scale = 1.0 + Z * Z / n;
            low = ((middle - spread) / scale).max(0.0);
            high = ((middle + spread) / scale).min(1.0);
        }
        Self {
            part,
            whole,
            low,
            high,
        }
    }

    /// The part divided by the whole; 0 if the whole is 0.
    pub fn share(self) -> f64 {
        if self.whole == 0 {
            0.0
        } else {
            self.part as f64 / self.whole as f64
        }
    }
}

/// How right matching is on the pairs that people decided.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The share of joined pairs that are one property.
    pub precision: Proportion,
    /// The share of pairs of one property that are joined.
    pub recall: Proportion,
    /// Pairs that people looked at and left undecided.
    pub unsure: u64,
}

/// Counts the last standing answer about each pair against what matching had said when it was asked. Pairs that a person
/// chose are not counted, because matching did not ask about them.
pub fn decided(answers: &[ReviewAnswer]) -> Decided {
    let (mut hits, mut wrong, mut missed, mut unsure) = (0, 0, 0, 0);
    for pair in standing(answers).values() {
        let Some(last) = pair.first.last() else {
            continue;
        };
        match (last.asked, last.answer) {
            (Asked::Split, Answer::Same) => hits += 1,
            (Asked::Split, Answer::Different) => wrong += 1,
            (Asked::Join, Answer::Same) => missed += 1,
            (_, Answer::Unsure) => unsure += 1,
            _ => {}
        }
    }
    Decided {
        precision: Proportion::new(hits, hits + wrong),
        recall: Proportion::new(hits, hits + missed),
        unsure,
    }
}

/// Counts decisions against clusters that were made without them. The records follow the decisions, so they would always
/// agree.
pub fn decided_by_clusters(labels: &LabelledPairs, found: &PredictedClusters) -> Decided {
    let metrics = labelled_metrics(labels, &Truth::default(), found);
    let [hits, missed, wrong, unsure] = [
        metrics.hits,
        metrics.missed,
        metrics.wrong,
        metrics.ambiguous,
    ]
    .map(|count| count as u64);
    Decided {
        precision: Proportion::new(hits, hits + wrong),
        recall: Proportion::new(hits, hits + missed),
        unsure,
    }
}

#[cfg(test)]
mod tests {
    use schema::{ListingKey, Review, Timestamp};

    use super::*;

    fn answer(number: u32, answer: Answer, asked: Asked, person: &str) -> ReviewAnswer {
        let one = ListingKey::new("a", number.to_string());
        ReviewAnswer {
            pair: ListingPair::new(one, ListingKey::new("b", number.to_string())).unwrap(),
            answer,
            person: person.to_owned(),
            reason: None,
            asked,
            adverts: (1, 1),
            weight: 0.0,
            is_repeat: false,
            answered_at: Timestamp(i64::from(number)),
        }
    }

    fn again(first: &ReviewAnswer, said: Answer) -> ReviewAnswer {
        ReviewAnswer {
            answer: said,
            is_repeat: true,
            person: "other".to_owned(),
            ..first.clone()
        }
    }

    /// The example of Cohen's kappa in Wikipedia: of 50 proposals 20 and 15 are agreed on, 5 and 10 are not.
    #[test]
    fn kappa_is_that_of_a_known_example() {
        let mut answers = Vec::new();
        let cells = [
            (20, Answer::Same, Answer::Same),
            (5, Answer::Same, Answer::Different),
            (10, Answer::Different, Answer::Same),
            (15, Answer::Different, Answer::Different),
        ];
        let mut number = 0;
        for (count, first, second) in cells {
            for _ in 0..count {
                number += 1;
                let one = answer(number, first, Asked::Join, "one");
                answers.push(again(&one, second));
                answers.insert(0, one);
            }
        }
        let found = agreement(&answers);
        assert_eq!((found.pairs, found.same), (50, 35));
        assert!((found.kappa.unwrap() - 0.4).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn without_repeats_there_is_no_kappa() {
        assert_eq!(agreement(&[]).kappa, None);
        let one = answer(1, Answer::Same, Asked::Join, "one");
        assert_eq!(agreement(&[one]).pairs, 0);
    }

    #[test]
    fn precision_counts_pairs_that_matching_had_joined() {
        let answers = [
            answer(1, Answer::Same, Asked::Split, "one"),
            answer(2, Answer::Same, Asked::Split, "one"),
            answer(3, Answer::Different, Asked::Split, "one"),
            answer(4, Answer::Same, Asked::Join, "one"),
            answer(5, Answer::Different, Asked::Join, "one"),
            answer(6, Answer::Unsure, Asked::Join, "one"),
        ];
        let found = decided(&answers);
        assert_eq!((found.precision.part, found.precision.whole), (2, 3));
        assert_eq!((found.recall.part, found.recall.whole), (2, 3));
        assert_eq!(found.unsure, 1);
        let all = Proportion::new(10, 10);
        assert!(
            (all.low - 0.722).abs() < 1e-3 && (all.high - 1.0).abs() < 1e-9,
            "{all:?}"
        );
    }

    #[test]
    fn an_answer_that_was_taken_back_does_not_count() {
        let one = answer(1, Answer::Same, Asked::Split, "one");
        let back = answer(1, Answer::Withdrawn, Asked::Split, "one");
        assert_eq!(decided(&[one.clone(), back.clone()]).precision.whole, 0);
        let other = answer(1, Answer::Different, Asked::Split, "two");
        assert_eq!(decided(&[one, other, back]).precision.part, 0);
    }

    #[test]
    fn decisions_are_counted_against_clusters() {
        let said = [
            answer(1, Answer::Same, Asked::Split, "one"),
            answer(2, Answer::Different, Asked::Split, "one"),
            answer(3, Answer::Same, Asked::Join, "one"),
        ];
        let labels = LabelledPairs::from_reviews(&said.clone().map(|one| Review {
            pair: one.pair,
            verdict: one.answer.verdict().unwrap(),
            reason: None,
            decided_at: one.answered_at,
        }));
        // The first two pairs are joined, the third is not.
        let mut found = PredictedClusters::new();
        for (number, one) in (0..).zip(&said) {
            found.insert(one.pair.left.clone(), number);
            let is_joined = one.asked == Asked::Split;
            found.insert(
                one.pair.right.clone(),
                if is_joined { number } else { 10 + number },
            );
        }
        let (today, then) = (decided_by_clusters(&labels, &found), decided(&said));
        assert_eq!(
            (today.precision, today.recall),
            (then.precision, then.recall)
        );
        assert_eq!((today.precision.part, today.precision.whole), (1, 2));
    }
}
