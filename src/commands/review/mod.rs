//! `jeden review`

mod questions;

use anyhow::Context;
use clap::{Args, Subcommand};
use dedup::worker::{self, Listings, UnseenListing};
use schema::store::{Db, listings, reviews};
use schema::{ListingKey, ListingPair, LoggedReview, OfferId, Review, Verdict};

use super::replay;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, listing_name, progress, registry};

/// `jeden review`
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Decide that two listings are one property, whatever the evidence says
    Same(Decision),
    /// Decide that two listings are different properties and never in one record
    Different(Decision),
    /// Withdraw a decision, so that matching decides again
    Forget {
        /// A listing as PORTAL/NUMBER
        one: String,
        /// The other listing
        other: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// List open questions, the most valuable first
    List {
        /// How many questions
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List all decisions, oldest first, including those that are no longer in force
    Log {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// `jeden review same`, `jeden review different`
#[derive(Debug, Args)]
pub struct Decision {
    /// A listing as PORTAL/NUMBER
    one: String,
    /// The other listing
    other: String,
    /// Why, for people who read the decision later
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    reason: String,
    /// Accept listings that are not in the database yet
    #[arg(long)]
    not_yet_seen: bool,
}

pub async fn run(action: Action, settings: &Settings) -> anyhow::Result<Outcome> {
    let addresses = registry::addresses(settings)?;
    let db = settings.open().await?;
    let listings = Listings {
        db: &db,
        addresses: &addresses,
    };
    match action {
        Action::Same(decision) => decide(listings, Verdict::Same, decision).await?,
        Action::Different(decision) => decide(listings, Verdict::Different, decision).await?,
        Action::Forget { one, other, reason } => {
            let decision = Decision {
                one,
                other,
                reason: String::new(),
                not_yet_seen: true,
            };
            record_decision(listings, Verdict::Forgotten, &decision, reason).await?;
        }
        Action::List { limit, json } => questions::list(listings, limit, json).await?,
        Action::Log { json } => log(&db, json).await?,
    }
    db.close().await;
    Ok(Outcome::Done)
}

async fn decide(
    listings: Listings<'_>,
    verdict: Verdict,
    decision: Decision,
) -> anyhow::Result<()> {
    let reason = Some(decision.reason.clone());
    record_decision(listings, verdict, &decision, reason).await
}

/// Records the decision, updates the records and prints the result.
async fn record_decision(
    listings: Listings<'_>,
    verdict: Verdict,
    decision: &Decision,
    reason: Option<String>,
) -> anyhow::Result<()> {
    let (one, other) = (
        listing_name::parse(&decision.one)?,
        listing_name::parse(&decision.other)?,
    );
    let pair = ListingPair::new(one, other).with_context(|| {
        format!(
            "both arguments name the listing {}; name two different listings",
            decision.one
        )
    })?;
    let unseen = if decision.not_yet_seen {
        UnseenListing::Accepted
    } else {
        UnseenListing::Refused
    };
    let review = Review {
        pair,
        verdict,
        reason,
        decided_at: clock::now(),
    };
    worker::record_decision(listings.db, &review, unseen).await?;
    replay::deduplicate(listings).await?;
    say_outcome(listings.db, &review).await
}

async fn say_outcome(db: &Db, review: &Review) -> anyhow::Result<()> {
    let pair = &review.pair;
    let records = [
        record_of(db, &pair.left).await?,
        record_of(db, &pair.right).await?,
    ];
    let now = match &records {
        [Some(one), Some(other)] if one == other => format!("{pair} are now in one record, {one}."),
        [Some(one), Some(other)] => {
            format!(
                "{} is now in {one}, and {} in {other}.",
                pair.left, pair.right
            )
        }
        _ => "It takes effect when both listings are in the database.".to_owned(),
    };
    let decided = match review.verdict {
        Verdict::Forgotten => "Decision withdrawn; matching decides again.".to_owned(),
        verdict => {
            format!(
                "Decided: {verdict}. `jeden review forget {} {}` withdraws the decision.",
                pair.left, pair.right
            )
        }
    };
    progress::say(&format!("{decided} {now}"));
    Ok(())
}

async fn record_of(db: &Db, key: &ListingKey) -> anyhow::Result<Option<OfferId>> {
    let mut tx = db.begin_read().await?;
    let found = listings::load(&mut tx, std::slice::from_ref(key))
        .await?
        .remove(key);
    tx.rollback().await?;
    Ok(found.and_then(|listing| listing.offer_id))
}

async fn log(db: &Db, json: bool) -> anyhow::Result<()> {
    let log = reviews::log(db).await?;
    if json {
        return Ok(progress::result(&serde_json::to_string_pretty(&log)?)?);
    }
    for LoggedReview { review, person } in log {
        let reason = review
            .reason
            .map(|reason| format!("  {reason}"))
            .unwrap_or_default();
        let person = person
            .map(|person| format!("  by {person}"))
            .unwrap_or_default();
        let (pair, verdict) = (&review.pair, review.verdict.to_string());
        progress::result(&format!(
            "{}  {verdict:<9}  {}  {}{person}{reason}",
            review.decided_at, pair.left, pair.right
        ))?;
    }
    Ok(())
}
