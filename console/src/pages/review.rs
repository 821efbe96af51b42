//! One doubtful pair at a time.

use std::collections::BTreeSet;

use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use dedup::worker::{self, DecisionError, Listings, UnseenListing};
use operations::explained;
use schema::store::{Tx, listings, review_answers, reviews};
use schema::{Answer, Asked, ListingPair, Review, ReviewAnswer, StoredListing, Timestamp, Verdict};
use serde::Deserialize;

use super::pair_view::PairView;
use super::reading::{listings_named, parse_key};
use super::records::escaped;
use super::selects::Select;
use super::{audited, page};
use crate::access::Person;
use crate::agreement;
use crate::error::ConsoleError;
use crate::language::Language;
use crate::questions::{Question, QuestionFilter, QueueState};
use crate::state::Console;
use crate::visit::{Frame, Visit};

/// How many answers can be taken back.
const LAST: usize = 10;
/// After how many other answers a blind repeat is asked.
const REPEAT_EVERY: usize = 5;

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    frame: Frame,
    l: Language,
    question: &'static str,
    remaining: String,
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
    let (asked, queue) = if wanted.left.is_empty() {
        match console.questions().current(console.now()) {
            QueueState::Ready(queue) => {
                let next = next(
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
        let message = visit.l.t(
            "No question is open. New ones appear as adverts are merged.",
            "Žádná otázka není otevřená. Nové přibudou, jak se inzeráty slučují.",
        );
        let page = page(&NonePage {
            message: message.to_owned(),
            frame: visit.frame("review"),
            last,
        })?;
        return Ok(page.into_response());
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
        left: pair.left.to_string(),
        right: pair.right.to_string(),
        shown_at: console.now().millis(),
        filter: wanted.filter.as_query(),
        effects: effects(&circumstances, l),
        view: PairView::load(source, &listings, &compared, l).await?,
        last,
        selects: selects(&queue, &wanted.filter, l),
        frame: visit.frame("review"),
    })?
    .into_response())
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

/// The next pair to ask this person about, and how many questions are left. Every few answers it is a pair that somebody
/// answered before; the page does not show which.
fn next(
    console: &Console,
    person: &Person,
    questions: &[Question],
    answers: &[ReviewAnswer],
    filter: &QuestionFilter,
) -> Option<(ListingPair, usize)> {
    let now = console.now();
    let standing = agreement::standing(answers);
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
        let due = agreement::due_repeats(answers, &person.name);
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

/// The state of matching when a question is asked.
struct Circumstances {
    asked: Asked,
    adverts: (u64, u64),
    weight: f64,
    same_record: bool,
}

/// What the page says about the records. Of a pair that was answered before it is what it said then, so that the answer
/// cannot be seen from it.
async fn circumstances(
    console: &Console,
    pair: &ListingPair,
    both: &[StoredListing; 2],
    answers: &[ReviewAnswer],
) -> Result<Circumstances, ConsoleError> {
    let known = answers
        .iter()
        .find(|one| one.pair == *pair && one.asked != Asked::Chosen);
    if let Some(known) = known {
        return Ok(Circumstances {
            asked: known.asked,
            adverts: known.adverts,
            weight: known.weight,
            same_record: known.asked == Asked::Split,
        });
    }
    let same_record = both[0].offer_id.is_some() && both[0].offer_id == both[1].offer_id;
    if let QueueState::Ready(queue) = console.questions().current(console.now())
        && let Some(question) = queue.questions.iter().find(|one| one.pair == *pair)
    {
        return Ok(Circumstances {
            asked: question.asked,
            adverts: question.adverts,
            weight: question.agreement,
            same_record: question.asked == Asked::Split,
        });
    }
    let mut sizes = [1, 1];
    for (size, listing) in sizes.iter_mut().zip(both) {
        if let Some(record) = &listing.offer_id {
            *size = listings::of_offer(console.db(), record).await?.len() as u64;
        }
    }
    Ok(Circumstances {
        asked: Asked::Chosen,
        adverts: (sizes[0], sizes[1]),
        weight: 0.0,
        same_record,
    })
}

/// What each answer does to the records.
fn effects(found: &Circumstances, l: Language) -> Vec<String> {
    let adverts = |count: u64| {
        l.counted(
            count,
            ["advert", "adverts"],
            ["inzerát", "inzeráty", "inzerátů"],
        )
    };
    let (left, right) = found.adverts;
    let all = if found.asked == Asked::Chosen && found.same_record {
        left
    } else {
        left + right
    };
    let same = match (l, found.same_record) {
        (Language::English, true) => {
            format!(
                "Same: the record of {} stays, and nothing splits it here.",
                adverts(all)
            )
        }
        (Language::English, false) => format!(
            "Same: the records of {} and {} become one of {}.",
            adverts(left),
            adverts(right),
            adverts(all)
        ),
        (Language::Czech, true) => {
            format!(
                "Stejná: záznam ({}) zůstane a tady se nerozdělí.",
                adverts(all)
            )
        }
        (Language::Czech, false) => format!(
            "Stejná: záznamy ({} a {}) se spojí v jeden ({}).",
            adverts(left),
            adverts(right),
            adverts(all)
        ),
    };
    let different = match (l, found.same_record, found.asked) {
        (Language::English, true, Asked::Chosen) => "Different: the record is split.".to_owned(),
        (Language::Czech, true, Asked::Chosen) => "Různé: záznam se rozdělí.".to_owned(),
        (Language::English, true, _) => format!(
            "Different: the record is split, about into {} and {}.",
            adverts(left),
            adverts(right)
        ),
        (Language::Czech, true, _) => format!(
            "Různé: záznam se rozdělí přibližně na {} a {}.",
            adverts(left),
            adverts(right)
        ),
        (_, false, _) => l
            .t(
                "Different: they stay apart for good.",
                "Různé: zůstanou natrvalo oddělené.",
            )
            .to_owned(),
    };
    let unsure = l.t(
        "Cannot tell: matching goes on to decide; somebody else is asked.",
        "Nelze říci: rozhoduje dál porovnávání; zeptáme se někoho jiného.",
    );
    vec![same, different, unsure.to_owned()]
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

fn selects(questions: &[Question], filter: &QuestionFilter, l: Language) -> Vec<Select> {
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
    fn as_query(&self) -> String {
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
    let due = agreement::due_repeats(&answers, &person.name);
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
