//! The blind repeats: five pairs in a hundred are asked a second time, of somebody else.

use std::collections::BTreeSet;

use operations::reviewed::standing;
use schema::{ListingPair, ReviewAnswer};

/// Whether a pair belongs to the five in a hundred that are asked twice. The choice depends on the pair alone.
pub(crate) fn is_repeated(pair: &ListingPair) -> bool {
    let hash = blake3::hash(pair.to_string().as_bytes());
    let number = hash
        .as_bytes()
        .first_chunk()
        .map_or(0, |first| u32::from_le_bytes(*first));
    number % 20 == 0
}

/// The pairs to be asked again: those that were answered once, by another person. Where only one person answers, also
/// that person's own.
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
    use schema::{Answer, Asked, ListingKey, Timestamp};

    use super::*;

    fn answer(number: u32, person: &str) -> ReviewAnswer {
        let one = ListingKey::new("a", number.to_string());
        ReviewAnswer {
            pair: ListingPair::new(one, ListingKey::new("b", number.to_string())).unwrap(),
            answer: Answer::Same,
            person: person.to_owned(),
            reason: None,
            asked: Asked::Join,
            adverts: (1, 1),
            weight: 0.0,
            is_repeat: false,
            answered_at: Timestamp(i64::from(number)),
        }
    }

    #[test]
    fn five_pairs_in_a_hundred_are_asked_twice_and_of_somebody_else() {
        let answers: Vec<ReviewAnswer> = (0..2_000).map(|number| answer(number, "one")).collect();
        let due = due_repeats(&answers, "two").len();
        assert!((70..130).contains(&due), "{due}");
        let repeated = ReviewAnswer {
            is_repeat: true,
            person: "other".to_owned(),
            ..due_repeats(&answers, "two")[0].clone()
        };
        let more = [answers, vec![repeated]].concat();
        assert_eq!(due_repeats(&more, "two").len(), due - 1);
        assert!(due_repeats(&more, "one").is_empty());
    }
}
