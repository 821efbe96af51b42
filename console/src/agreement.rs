//! What the answers of reviewers say: how well reviewers agree, and how right matching is.

use std::collections::{BTreeMap, BTreeSet};

use schema::{Answer, Asked, ListingPair, ReviewAnswer};

/// The answers about one pair that were not taken back.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairAnswers<'a> {
    /// Answers to the question.
    pub(crate) first: Vec<&'a ReviewAnswer>,
    /// Answers to the blind repeat.
    pub(crate) repeated: Vec<&'a ReviewAnswer>,
}

/// The standing answers by pair. An answer that says *withdrawn* takes back the person's last one about the pair.
pub(crate) fn standing(answers: &[ReviewAnswer]) -> BTreeMap<&ListingPair, PairAnswers<'_>> {
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Agreement {
    /// How many pairs were answered twice.
    pub(crate) pairs: u64,
    /// How many of them got the same answer.
    pub(crate) same: u64,
    /// Cohen's kappa: 1 is full agreement, 0 what chance gives. `None` if every answer is the same.
    pub(crate) kappa: Option<f64>,
}

const ANSWERS: [Answer; 3] = [Answer::Same, Answer::Different, Answer::Unsure];

/// Cohen's kappa of the first answer and its blind repeat (J. Cohen, 1960).
pub(crate) fn agreement(answers: &[ReviewAnswer]) -> Agreement {
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Proportion {
    pub(crate) part: u64,
    pub(crate) whole: u64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Proportion {
    /// The interval of `part` of `whole` (E. B. Wilson, 1927); from 0 to 1 if the whole is 0.
    pub(crate) fn new(part: u64, whole: u64) -> Self {
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

    pub(crate) fn share(self) -> f64 {
        if self.whole == 0 {
            0.0
        } else {
            self.part as f64 / self.whole as f64
        }
    }
}

/// How right matching was on the pairs that people decided, as `jeden evaluate` counts: precision is the share of joined
/// pairs that are one property, recall the share of pairs of one property that were joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Decided {
    pub(crate) precision: Proportion,
    pub(crate) recall: Proportion,
    /// Pairs that nobody could tell.
    pub(crate) unsure: u64,
}

/// Counts the last standing answer about each pair against what matching had said when it was asked.
pub(crate) fn decided(answers: &[ReviewAnswer]) -> Decided {
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

/// Whether a pair belongs to the five in a hundred that are asked twice. The choice depends on the pair alone.
pub(crate) fn is_repeated(pair: &ListingPair) -> bool {
    let hash = blake3::hash(pair.to_string().as_bytes());
    let number = hash
        .as_bytes()
        .first_chunk()
        .map_or(0, |first| u32::from_le_bytes(*first));
    number % 20 == 0
}

/// The pairs to be asked again: answered once, not by this person unless nobody else answers questions.
pub(crate) fn due_repeats<'a>(answers: &'a [ReviewAnswer], person: &str) -> Vec<&'a ReviewAnswer> {
    let people: BTreeSet<&str> = answers.iter().map(|one| one.person.as_str()).collect();
    let is_alone = people.len() == 1 && people.contains(person);
    let mut later = 0;
    let counts: Vec<usize> = answers
        .iter()
        .rev()
        .map(|_| {
            later += 1;
            later - 1
        })
        .collect();
    let age = |answer: &ReviewAnswer| {
        let place = answers.iter().position(|one| std::ptr::eq(one, answer));
        place.map_or(0, |place| counts[answers.len() - 1 - place])
    };
    let due = standing(answers).into_values().filter_map(|pair| {
        let first = *pair.first.last()?;
        let is_due = pair.repeated.is_empty() && is_repeated(&first.pair);
        // The person's own answers are asked again only after twenty others, when they are forgotten.
        let is_others = first.person != person || (is_alone && age(first) >= 20);
        (is_due && is_others).then_some(first)
    });
    due.collect()
}

#[cfg(test)]
mod tests {
    use schema::{ListingKey, Timestamp};

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
    fn five_pairs_in_a_hundred_are_asked_twice_and_of_somebody_else() {
        let answers: Vec<ReviewAnswer> = (0..2_000)
            .map(|number| answer(number, Answer::Same, Asked::Join, "one"))
            .collect();
        let due = due_repeats(&answers, "two").len();
        assert!((70..130).contains(&due), "{due}");
        let repeated = again(due_repeats(&answers, "two")[0], Answer::Same);
        let more = [answers, vec![repeated]].concat();
        assert_eq!(due_repeats(&more, "two").len(), due - 1);
        assert!(due_repeats(&more, "one").is_empty());
    }
}
