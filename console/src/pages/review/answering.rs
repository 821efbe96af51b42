//! Saving an answer, and taking it back.

use axum::Form;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use dedup::worker::{self, DecisionError, UnseenListing};
use schema::store::{Tx, review_answers, reviews};
use schema::{Answer, ListingPair, Review, ReviewAnswer, Timestamp, Verdict};
use serde::Deserialize;

use super::answer_in_words;
use super::circumstances::circumstances;
use crate::access::Person;
use crate::error::ConsoleError;
use crate::language::Language;
use crate::pages::audited;
use crate::pages::reading::{listings_named, parse_key};
use crate::pages::records::escaped;
use crate::repeats;
use crate::state::Console;

/// An answer.
#[derive(Debug, Deserialize)]
pub(crate) struct AnswerForm {
    left: String,
    right: String,
    #[serde(default)]
    answer: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    shown_at: i64,
    #[serde(default)]
    filter: String,
}

impl AnswerForm {
    fn pair(&self) -> Result<ListingPair, ConsoleError> {
        let pair = ListingPair::new(parse_key(&self.left)?, parse_key(&self.right)?);
        pair.ok_or(ConsoleError::NotFound)
    }

    /// The page of the next question, or of this pair.
    fn onward(&self, done: &str, again: bool) -> Redirect {
        // The filter comes back from a form: only what a query may hold is kept.
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "=&%-_.~".contains(letter);
        let mut parts: Vec<String> = Vec::new();
        if again {
            parts.push(format!(
                "left={}&right={}",
                escaped(&self.left),
                escaped(&self.right)
            ));
        } else if !self.filter.is_empty() && self.filter.chars().all(is_plain) {
            parts.push(self.filter.clone());
        }
        parts.push(format!("done={done}"));
        Redirect::to(&format!("/review?{}", parts.join("&")))
    }
}

/// POST /review
pub(crate) async fn answer(
    State(console): State<Console>,
    person: Person,
    l: Language,
    Form(form): Form<AnswerForm>,
) -> Result<Response, ConsoleError> {
    let pair = form.pair()?;
    let answer: Answer = form
        .answer
        .parse()
        .map_err(|error: schema::UnknownValue| ConsoleError::Invalid(error.to_string()))?;
    if answer == Answer::Withdrawn {
        return Err(ConsoleError::Invalid(
            "to take an answer back, use its button".to_owned(),
        ));
    }
    let both = listings_named(console.db(), [&pair.left, &pair.right]).await?;
    let answers = review_answers::all(console.db()).await?;
    let found = circumstances(&console, &pair, &both, &answers).await?;
    let due = repeats::due_repeats(&answers, &person.name);
    let reason = Some(form.reason.trim().to_owned()).filter(|reason| !reason.is_empty());
    let given = ReviewAnswer {
        answer,
        person: person.name.clone(),
        reason,
        asked: found.asked,
        adverts: found.adverts,
        weight: found.weight,
        is_repeat: due.iter().any(|one| one.pair == pair),
        answered_at: console.now(),
        pair,
    };
    store(&console, &person, &given, Timestamp(form.shown_at), l).await?;
    if answer.verdict().is_some() && !given.is_repeat {
        update_records(&console);
    }
    Ok(form.onward(answer.as_str(), false).into_response())
}

/// Stores an answer, its decision and its entry in the log in one transaction.
async fn store(
    console: &Console,
    person: &Person,
    given: &ReviewAnswer,
    shown_at: Timestamp,
    l: Language,
) -> Result<(), ConsoleError> {
    let mut tx = console.db().begin().await?;
    let before = review_answers::about(&mut tx, &given.pair).await?;
    let since = before.iter().find(|one| {
        one.person != person.name
            && one.answered_at > shown_at
            && one.answer.verdict().is_some()
            && !one.is_repeat
    });
    if let Some(other) = since.filter(|_| !given.is_repeat) {
        let what = answer_in_words(other.answer, l);
        return Err(ConsoleError::Refused(match l {
            Language::English => format!(
                "{} answered this pair while you looked at it: {what}. Your answer was not saved.",
                other.person
            ),
            Language::Czech => format!(
                "{} mezitím na tuto dvojici odpověděl(a): {what}. Vaše odpověď se neuložila.",
                other.person
            ),
        }));
    }
    review_answers::add(&mut tx, given).await?;
    if let Some(verdict) = given.answer.verdict().filter(|_| !given.is_repeat) {
        decide(&mut tx, person, given, verdict).await?;
    }
    let subject = given.pair.to_string();
    let action = (given.answer.as_str(), subject.as_str());
    audited::note(&mut tx, console, person, action, given.reason.clone()).await?;
    Ok(tx.commit().await?)
}

async fn decide(
    tx: &mut Tx,
    person: &Person,
    given: &ReviewAnswer,
    verdict: Verdict,
) -> Result<(), ConsoleError> {
    let review = Review {
        pair: given.pair.clone(),
        verdict,
        reason: given.reason.clone(),
        decided_at: given.answered_at,
    };
    let decided = worker::decide(tx, &review, Some(&person.name), UnseenListing::Refused).await;
    decided.map_err(|error| match error {
        DecisionError::Store(error) => error.into(),
        refused => ConsoleError::Refused(refused.to_string()),
    })
}

/// POST /review/undo
pub(crate) async fn undo(
    State(console): State<Console>,
    person: Person,
    Form(form): Form<AnswerForm>,
) -> Result<Response, ConsoleError> {
    let pair = form.pair()?;
    let mut tx = console.db().begin().await?;
    let answers = review_answers::about(&mut tx, &pair).await?;
    let last = answers.iter().rfind(|one| one.person == person.name);
    let last = last.filter(|one| one.answer != Answer::Withdrawn);
    let last = last.ok_or(ConsoleError::NotFound)?;
    let back = ReviewAnswer {
        answer: Answer::Withdrawn,
        reason: None,
        answered_at: console.now(),
        ..last.clone()
    };
    review_answers::add(&mut tx, &back).await?;
    let is_in_force = reviews::in_force(&mut tx)
        .await?
        .iter()
        .any(|one| one.pair == pair);
    let decided = last.answer.verdict().is_some() && !last.is_repeat && is_in_force;
    if decided {
        decide(&mut tx, &person, &back, Verdict::Forgotten).await?;
    }
    let subject = pair.to_string();
    audited::note(&mut tx, &console, &person, ("take back", &subject), None).await?;
    tx.commit().await?;
    if decided {
        update_records(&console);
    }
    Ok(form.onward("undone", true).into_response())
}

/// Has the records brought up to date, without letting the person wait.
fn update_records(console: &Console) {
    let updating = (console.config().program.deduplicate)();
    tokio::spawn(async move {
        if let Err(error) = updating.await {
            tracing::error!(error, "updating the records after a decision failed");
        }
    });
}
