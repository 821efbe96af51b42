//! One doubtful pair at a time: `next` chooses it, `circumstances` says what an answer does, and `answering` saves it.

mod answering;
mod circumstances;
mod next;

use std::collections::BTreeSet;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use dedup::worker::Listings;
use operations::explained;
use schema::store::review_answers;
use schema::{Answer, Asked, ListingPair, ReviewAnswer};
use serde::Deserialize;

use super::page;
use super::pair_view::PairView;
use super::reading::{listings_named, parse_key};
use super::selects::Select;
use crate::error::ConsoleError;
use crate::language::Language;
use crate::questions::{QuestionFilter, QueueState};
use crate::state::Console;
use crate::visit::{Frame, Visit};
use circumstances::{circumstances, effects};

pub(crate) use answering::{answer, undo};

/// How many answers can be taken back.
const LAST: usize = 10;

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    frame: Frame,
    l: Language,
    question: &'static str,
    remaining: String,
    is_partial: bool,
    left: String,
    right: String,
    shown_at: i64,
    filter: String,
    effects: Vec<String>,
    view: PairView,
    last: Vec<LastAnswer>,
    selects: Vec<Select>,
}

#[derive(Template)]
#[template(path = "review_none.html")]
struct NonePage {
    frame: Frame,
    message: String,
    last: Vec<LastAnswer>,
}

struct LastAnswer {
    left: String,
    right: String,
    answer: &'static str,
    class: &'static str,
}

/// What to ask about: a filter, or a pair that the person chose.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    left: String,
    right: String,
    #[serde(flatten)]
    filter: QuestionFilter,
}

/// GET /review
pub(crate) async fn show(
    State(console): State<Console>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Result<Response, ConsoleError> {
    let answers = review_answers::all(console.db()).await?;
    let last = last_answers(&answers, &visit.person.name, visit.l);
    let mut is_partial = false;
    let (asked, queue) = if wanted.left.is_empty() {
        match console.questions().current(console.now()) {
            QueueState::Ready(queue) => {
                is_partial = queue.is_partial;
                let next = next::next(
                    &console,
                    &visit.person,
                    &queue.questions,
                    &answers,
                    &wanted.filter,
                );
                (next, queue.questions.clone())
            }
            state => return none(&visit, last, &state),
        }
    } else {
        let pair = ListingPair::new(parse_key(&wanted.left)?, parse_key(&wanted.right)?);
        (Some((pair.ok_or(ConsoleError::NotFound)?, 0)), Vec::new())
    };
    let Some((pair, remaining)) = asked else {
        if is_partial {
            return none(&visit, last, &QueueState::Computing);
        }
        return none_open(&visit, last);
    };
    let listings = listings_named(console.db(), [&pair.left, &pair.right]).await?;
    let addresses = console.addresses().await?;
    let source = Listings {
        db: console.db(),
        addresses: &addresses,
    };
    let compared = explained::compare(source, &listings[0], &listings[1]).await?;
    let circumstances = circumstances(&console, &pair, &listings, &answers).await?;
    let l = visit.l;
    Ok(page(&ReviewPage {
        l,
        question: match circumstances.asked {
            Asked::Split => l.t(
                "Are these different properties?",
                "Jsou to různé nemovitosti?",
            ),
            Asked::Join | Asked::Chosen => {
                l.t("Are these one property?", "Je to jedna nemovitost?")
            }
        },
        remaining: if remaining > 0 {
            l.counted(
                remaining as u64,
                ["question", "questions"],
                ["otázka", "otázky", "otázek"],
            )
        } else {
            String::new()
        },
        is_partial,
        left: pair.left.to_string(),
        right: pair.right.to_string(),
        shown_at: console.now().millis(),
        filter: wanted.filter.as_query(),
        effects: effects(&circumstances, l),
        view: PairView::load(
            (source, console.config().streets()),
            &listings,
            &compared,
            l,
        )
        .await?,
        last,
        selects: next::selects(&queue, &wanted.filter, l),
        frame: visit.frame("review"),
    })?
    .into_response())
}

/// The page when nothing is left to ask.
fn none_open(visit: &Visit, last: Vec<LastAnswer>) -> Result<Response, ConsoleError> {
    let message = visit.l.t(
        "No question is open. New ones appear as adverts are merged.",
        "Žádná otázka není otevřená. Nové přibudou, jak se inzeráty slučují.",
    );
    let page = page(&NonePage {
        message: message.to_owned(),
        frame: visit.frame("review"),
        last,
    })?;
    Ok(page.into_response())
}

/// The page while the queue is computed, or after that failed.
fn none(
    visit: &Visit,
    last: Vec<LastAnswer>,
    state: &QueueState,
) -> Result<Response, ConsoleError> {
    let message = match state {
        QueueState::Failed(why) => format!(
            "{} {why}",
            visit.l.t(
                "The questions could not be computed:",
                "Otázky se nepodařilo spočítat:"
            )
        ),
        _ => visit
            .l
            .t(
                "The questions are being computed; this page follows by itself.",
                "Otázky se počítají; stránka se pak sama obnoví.",
            )
            .to_owned(),
    };
    let page = page(&NonePage {
        message,
        frame: visit.frame_with_refresh("review", 1),
        last,
    })?;
    Ok(page.into_response())
}

fn last_answers(answers: &[ReviewAnswer], person: &str, l: Language) -> Vec<LastAnswer> {
    let mut seen = BTreeSet::new();
    let mine = answers.iter().rev().filter(|one| one.person == person);
    // The newest entry about a pair says whether its answer stands.
    let standing = mine.filter(|one| seen.insert(&one.pair));
    let standing = standing.filter(|one| one.answer != Answer::Withdrawn);
    let shown = standing.take(LAST).map(|one| LastAnswer {
        left: one.pair.left.to_string(),
        right: one.pair.right.to_string(),
        answer: answer_in_words(one.answer, l),
        class: one.answer.as_str(),
    });
    shown.collect()
}

/// An answer in words.
pub(super) fn answer_in_words(answer: Answer, l: Language) -> &'static str {
    match answer {
        Answer::Same => l.t("same", "stejná"),
        Answer::Different => l.t("different", "různé"),
        Answer::Unsure => l.t("cannot tell", "nelze říci"),
        Answer::Withdrawn => l.t("taken back", "vzato zpět"),
    }
}
