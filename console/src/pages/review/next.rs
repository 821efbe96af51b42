//! Which pair a person is asked about next, and what the questions can be filtered by.

use std::collections::BTreeSet;

use operations::reviewed;
use schema::{ListingPair, ReviewAnswer};

use crate::access::Person;
use crate::language::Language;
use crate::pages::records::escaped;
use crate::pages::selects::Select;
use crate::questions::{Question, QuestionFilter};
use crate::repeats;
use crate::state::Console;

/// After how many other answers a blind repeat is asked.
const REPEAT_EVERY: usize = 5;

/// The next pair to ask this person about, and how many questions are left. Every few answers it is a pair that somebody
/// answered before; the page does not show which.
pub(super) fn next(
    console: &Console,
    person: &Person,
    questions: &[Question],
    answers: &[ReviewAnswer],
    filter: &QuestionFilter,
) -> Option<(ListingPair, usize)> {
    let now = console.now();
    let standing = reviewed::standing(answers);
    let is_open = |question: &&Question| {
        let Some(known) = standing.get(&question.pair) else {
            return true;
        };
        let mut given = known.first.iter();
        !given.any(|one| one.answer.verdict().is_some() || one.person == person.name)
    };
    let open: Vec<&Question> = questions
        .iter()
        .filter(is_open)
        .filter(|question| filter.accepts(question))
        .collect();
    let mine = answers.iter().rev().filter(|one| one.person == person.name);
    let since_repeat = mine.take_while(|one| !one.is_repeat).count();
    if since_repeat >= REPEAT_EVERY || open.is_empty() {
        let due = repeats::due_repeats(answers, &person.name);
        let reserve =
            |one: &&ReviewAnswer| console.questions().reserve(&one.pair, &person.name, now);
        if let Some(repeat) = due.into_iter().find(reserve) {
            return Some((repeat.pair.clone(), open.len().max(1)));
        }
    }
    let reserve = |question: &&&Question| {
        console
            .questions()
            .reserve(&question.pair, &person.name, now)
    };
    let next = open.iter().find(reserve)?;
    Some((next.pair.clone(), open.len()))
}

/// The choices to filter by: the values of the open questions.
pub(super) fn selects(questions: &[Question], filter: &QuestionFilter, l: Language) -> Vec<Select> {
    use schema::SpecEnum;
    let values = |of: &dyn Fn(&Question) -> Vec<String>| {
        let found: BTreeSet<String> = questions.iter().flat_map(of).collect();
        found
    };
    let portals = |one: &Question| {
        vec![
            one.pair.left.site_id.clone(),
            one.pair.right.site_id.clone(),
        ]
    };
    let offers = |one: &Question| {
        one.offer_type
            .map(|kind| kind.as_str().to_owned())
            .into_iter()
            .collect()
    };
    let kinds = |one: &Question| {
        one.property_type
            .map(|kind| kind.as_str().to_owned())
            .into_iter()
            .collect()
    };
    let districts = |one: &Question| one.district.clone().into_iter().collect();
    vec![
        Select::new(
            ("portal", l.t("Portal", "Portál")),
            values(&portals),
            &filter.portal,
        ),
        Select::new(
            ("offer", l.t("Offer", "Nabídka")),
            values(&offers),
            &filter.offer,
        ),
        Select::new(("kind", l.t("Type", "Druh")), values(&kinds), &filter.kind),
        Select::new(
            ("district", l.t("District", "Okres")),
            values(&districts),
            &filter.district,
        ),
    ]
}

impl QuestionFilter {
    /// The filter as a query.
    pub(super) fn as_query(&self) -> String {
        let parts = [
            ("portal", &self.portal),
            ("offer", &self.offer),
            ("kind", &self.kind),
            ("district", &self.district),
        ];
        let parts = parts.into_iter().filter(|(_, value)| !value.is_empty());
        let parts = parts.map(|(name, value)| format!("{name}={}", escaped(value)));
        parts.collect::<Vec<_>>().join("&")
    }
}
