//! What reviewers answered: decisions, agreement, precision.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use operations::reviewed::{self, Proportion};
use schema::store::{review_answers, reviews};
use schema::{Answer, ReviewAnswer, Verdict};

use super::figures::Figure;
use super::review::answer_in_words;
use super::{Page, page};
use crate::format;
use crate::language::Language;
use crate::state::Console;
use crate::visit::{Frame, Visit};

/// How many decisions are listed, the newest first.
const SHOWN: usize = 200;

#[derive(Template)]
#[template(path = "review_log.html")]
struct LogPage {
    frame: Frame,
    figures: Vec<Figure>,
    disagreements: Vec<Disagreement>,
    people: Vec<PersonRow>,
    decisions: Vec<Decision>,
}

struct Disagreement {
    left: String,
    right: String,
    what: String,
}

#[derive(Default)]
struct PersonRow {
    name: String,
    same: u64,
    different: u64,
    unsure: u64,
}

struct Decision {
    at: String,
    person: String,
    verdict: &'static str,
    class: &'static str,
    left: String,
    right: String,
    reason: String,
}

/// GET /review/log
pub(crate) async fn show(State(console): State<Console>, visit: Visit) -> Page {
    let l = visit.l;
    let answers = review_answers::all(console.db()).await?;
    let log = reviews::log(console.db()).await?;
    let decisions = log.into_iter().rev().take(SHOWN).map(|one| Decision {
        at: format::time(one.review.decided_at),
        person: one.person.unwrap_or_else(|| "–".to_owned()),
        verdict: match one.review.verdict {
            Verdict::Same => l.t("same", "stejná"),
            Verdict::Different => l.t("different", "různé"),
            Verdict::Forgotten => l.t("withdrawn", "odvoláno"),
        },
        class: one.review.verdict.as_str(),
        left: one.review.pair.left.to_string(),
        right: one.review.pair.right.to_string(),
        reason: one.review.reason.unwrap_or_default(),
    });
    page(&LogPage {
        figures: figures(&answers, l),
        disagreements: disagreements(&answers, l),
        people: people(&answers),
        decisions: decisions.collect(),
        frame: visit.frame("review"),
    })
}

fn figures(answers: &[ReviewAnswer], l: Language) -> Vec<Figure> {
    let decided = reviewed::decided(answers);
    let found = reviewed::agreement(answers);
    let figure = |name: &'static str, value: String| Figure {
        name,
        value,
        chart: String::new(),
    };
    vec![
        figure(
            l.t("precision", "přesnost"),
            proportion(decided.precision, l),
        ),
        figure(l.t("recall", "úplnost"), proportion(decided.recall, l)),
        figure(
            l.t("cannot tell", "nelze říci"),
            format::count(decided.unsure),
        ),
        figure(
            l.t("asked twice", "dvakrát tázané"),
            format!("{}, {} {}", found.pairs, found.same, l.t("alike", "shodně")),
        ),
        figure(
            l.t("agreement (Cohen's κ)", "shoda (Cohenovo κ)"),
            found
                .kappa
                .map_or_else(|| "–".to_owned(), |kappa| format::number(kappa, 2)),
        ),
    ]
}

fn proportion(found: Proportion, l: Language) -> String {
    if found.whole == 0 {
        return "–".to_owned();
    }
    format!(
        "{} ({} {} {}; {}–{})",
        format::share(found.share(), 1),
        found.part,
        l.t("of", "z"),
        found.whole,
        format::share(found.low, 0),
        format::share(found.high, 0)
    )
}

fn disagreements(answers: &[ReviewAnswer], l: Language) -> Vec<Disagreement> {
    let pairs = reviewed::standing(answers).into_iter();
    let differing = pairs.filter_map(|(pair, given)| {
        let (first, again) = (given.first.last()?, given.repeated.first()?);
        (first.answer != again.answer).then(|| Disagreement {
            left: pair.left.to_string(),
            right: pair.right.to_string(),
            what: format!(
                "{}: {}; {}: {}",
                first.person,
                answer_in_words(first.answer, l),
                again.person,
                answer_in_words(again.answer, l)
            ),
        })
    });
    differing.collect()
}

fn people(answers: &[ReviewAnswer]) -> Vec<PersonRow> {
    let mut rows: BTreeMap<&str, PersonRow> = BTreeMap::new();
    let standing = reviewed::standing(answers);
    for answer in standing
        .values()
        .flat_map(|pair| pair.first.iter().chain(&pair.repeated))
    {
        let row = rows.entry(&answer.person).or_default();
        match answer.answer {
            Answer::Same => row.same += 1,
            Answer::Different => row.different += 1,
            Answer::Unsure => row.unsure += 1,
            Answer::Withdrawn => {}
        }
    }
    let named = rows.into_iter().map(|(name, row)| PersonRow {
        name: name.to_owned(),
        ..row
    });
    named.collect()
}
