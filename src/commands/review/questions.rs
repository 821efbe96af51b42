//! `jeden review list`

use dedup::explanation::{self, ExplainedPair, SeparationReason};
use dedup::questions::{Question, QuestionKind};
use dedup::worker::{self, Listings, ReviewQueue};
use operations::words;
use schema::store::{listings, reviews};
use schema::{Bar, ListingKey};
use serde::Serialize;

use crate::commands::evaluate;
use crate::progress;

/// How many reasons for and against are shown for each question.
const REASONS: usize = 3;

/// How many other adverts of a side are named; the rest is counted.
const NAMED: usize = 5;

pub async fn list(source: Listings<'_>, limit: usize, json: bool) -> anyhow::Result<()> {
    evaluate::say_if_out_of_date(source).await?;
    let mut queue = worker::review_queue(source).await?;
    let waiting = queue.questions.len();
    queue.questions.truncate(limit);
    let mut shown = Vec::with_capacity(queue.questions.len());
    for question in &queue.questions {
        let (pair, apart_because) = explained(source, question, &queue).await?;
        shown.push(Shown {
            apart_because,
            ..Shown::new(question, &queue, pair.as_ref())
        });
    }
    if json {
        return Ok(progress::result(&serde_json::to_string_pretty(&shown)?)?);
    }
    for (place, question) in shown.iter().enumerate() {
        question.show(place + 1)?;
    }
    progress::say(&format!(
        "{} of {waiting} questions, the most valuable first.",
        shown.len()
    ));
    Ok(())
}

/// The pair of a question, and why the two are in different records if they are.
async fn explained(
    Listings { db, addresses }: Listings<'_>,
    question: &Question,
    queue: &ReviewQueue,
) -> anyhow::Result<(Option<ExplainedPair>, Vec<SeparationReason>)> {
    let ids = (
        queue.adverts[question.left as usize].id,
        queue.adverts[question.right as usize].id,
    );
    let mut tx = db.begin_read().await?;
    let found = listings::get(&mut tx, &[ids.0, ids.1]).await?;
    let in_force = reviews::in_force(&mut tx).await?;
    let reasons = match question.asked {
        QuestionKind::Join => worker::reasons_apart(&mut tx, addresses, ids, &in_force).await?,
        QuestionKind::Split => Vec::new(),
    };
    let profiles = worker::load_profiles(&mut tx, addresses, &found).await?;
    let table = worker::weight_table(&mut tx).await?;
    tx.rollback().await?;
    let [one, other] = &*profiles else {
        return Ok((None, reasons));
    };
    Ok((
        Some(explanation::explain_pair(&table, one, other, &in_force)),
        reasons,
    ))
}

/// A question as it is shown.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    asked: QuestionKind,
    left: Side,
    right: Side,
    /// Match weight of the two named adverts.
    weight: Option<f64>,
    /// Weight of the two sides, compared as clustering does.
    agreement: f64,
    /// The probability that the two sides are one property.
    probability: f64,
    uncertainty: f64,
    value: f64,
    speaks_for: Vec<Bar>,
    speaks_against: Vec<Bar>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    apart_because: Vec<SeparationReason>,
}

/// The adverts of one side.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Side {
    /// The advert that the question names.
    listing: ListingKey,
    live: usize,
    gone: usize,
    others: Vec<ListingKey>,
}

impl Side {
    fn new(asked: u32, side: &[u32], queue: &ReviewQueue) -> Self {
        let live = side
            .iter()
            .filter(|place| queue.adverts[**place as usize].is_live)
            .count();
        let key = |place: u32| queue.adverts[place as usize].key.clone();
        let others = side
            .iter()
            .copied()
            .filter(|place| *place != asked)
            .map(key)
            .collect();
        Self {
            listing: key(asked),
            live,
            gone: side.len() - live,
            others,
        }
    }

    fn words(&self) -> String {
        let gone = if self.gone > 0 {
            format!(", {} gone", self.gone)
        } else {
            String::new()
        };
        let named: Vec<String> = self
            .others
            .iter()
            .take(NAMED)
            .map(ToString::to_string)
            .collect();
        let more = self.others.len().saturating_sub(NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let others = if named.is_empty() {
            String::new()
        } else {
            format!(", with {}{more}", named.join(", "))
        };
        format!("{} ({} live{gone}{others})", self.listing, self.live)
    }
}

impl Shown {
    fn new(question: &Question, queue: &ReviewQueue, pair: Option<&ExplainedPair>) -> Self {
        let [left, right] = &question.sides;
        let bars = |place: usize| {
            let bars = pair
                .map(|pair| pair.heaviest(REASONS)[place].clone())
                .unwrap_or_default();
            bars.into_iter().cloned().collect()
        };
        let rounded = |figure: f64| (figure * 100.0).round() / 100.0;
        Self {
            asked: question.asked,
            left: Side::new(question.left, left, queue),
            right: Side::new(question.right, right, queue),
            weight: pair.map(|pair| pair.evidence.weight),
            agreement: rounded(f64::from(question.agreement)),
            probability: (question.probability * 1e4).round() / 1e4,
            uncertainty: rounded(question.uncertainty),
            value: question.value,
            speaks_for: bars(0),
            speaks_against: bars(1),
            apart_because: Vec::new(),
        }
    }

    fn show(&self, number: usize) -> std::io::Result<()> {
        let (asked, now) = match self.asked {
            QuestionKind::Join => ("Are these one property?", "They are in different records"),
            QuestionKind::Split => ("Are these different properties?", "They are one record"),
        };
        let weight = self
            .weight
            .map(|weight| format!(", this pair {weight:+.1}"))
            .unwrap_or_default();
        progress::result(&format!(
            "{number}. {asked} {now}; both sides together weigh {:+.1}{weight}. The probability of one property is {}.",
            self.agreement,
            words::per_cent(self.probability)
        ))?;
        for side in [&self.left, &self.right] {
            progress::result(&format!("   {}", side.words()))?;
        }
        for bar in self.speaks_for.iter().chain(&self.speaks_against) {
            progress::result(&words::bar(bar))?;
        }
        for reason in &self.apart_because {
            progress::result(&format!("   {}", words::reason(reason)))?;
        }
        for verdict in ["same", "different"] {
            let (one, other) = (&self.left.listing, &self.right.listing);
            progress::result(&format!(
                "   jeden review {verdict} {one} {other} --reason \"…\""
            ))?;
        }
        progress::result("")
    }
}
