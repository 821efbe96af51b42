//! `jeden review`

mod questions;

use anyhow::Context;
use clap::{Args, Subcommand};
use dedup::worker::{self, Listings, Unseen};
use schema::store::{Db, listings, reviews};
use schema::{ListingKey, ListingPair, OfferId, Review, Verdict};

use super::{gazetteer, replay};
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, listing_name, progress};

/// `jeden review`
#[derive(Debug, Subcommand)]
pub enum Action {
    /// The two listings are one property, whatever their evidence
    Same(Decision),
    /// The two listings are different properties, and never in one record
    Different(Decision),
    /// Takes a decision back: matching decides again
    Forget {
        /// A listing as PORTAL/NUMBER
        one: String,
        /// The other listing
        other: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Questions that nobody has answered yet: the most valuable first
    List {
        /// How many
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Every decision that was made, oldest first, also those that no longer count
    Log {
        /// As JSON
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
    /// Why: whoever doubts the decision later reads this
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    reason: String,
    /// Decide also about listings that are still to come
    #[arg(long)]
    not_yet_seen: bool,
}

pub async fn run(action: Action, settings: &Settings) -> anyhow::Result<Outcome> {
    let addresses = gazetteer::addresses(settings)?;
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
            take_down(listings, Verdict::Forgotten, &decision, reason).await?;
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
    take_down(listings, verdict, &decision, reason).await
}

/// Writes the decision down, makes it so, and says what came of it.
async fn take_down(
    listings: Listings<'_>,
    verdict: Verdict,
    decision: &Decision,
    reason: Option<String>,
) -> anyhow::Result<()> {
    let (one, other) = (
        listing_name::parse(&decision.one)?,
        listing_name::parse(&decision.other)?,
    );
    let pair = ListingPair::new(one, other)
        .with_context(|| format!("{} is one listing; a decision is about two", decision.one))?;
    let unseen = if decision.not_yet_seen {
        Unseen::Accepted
    } else {
        Unseen::Refused
    };
    let review = Review {
        pair,
        verdict,
        reason,
        decided_at: clock::now(),
    };
    worker::review(listings.db, &review, unseen).await?;
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
        [Some(one), Some(other)] if one == other => format!("{pair} are one record now, {one}."),
        [Some(one), Some(other)] => {
            format!("{} is in {one} now, {} in {other}.", pair.left, pair.right)
        }
        _ => "It takes effect when both listings are there.".to_owned(),
    };
    let decided = match review.verdict {
        Verdict::Forgotten => "Forgotten: matching decides again.".to_owned(),
        verdict => {
            format!(
                "Decided: {verdict}. `jeden review forget {} {}` takes it back.",
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
    for review in log {
        let reason = review
            .reason
            .map(|reason| format!("  {reason}"))
            .unwrap_or_default();
        let (pair, verdict) = (&review.pair, review.verdict.to_string());
        progress::result(&format!(
            "{}  {verdict:<9}  {}  {}{reason}",
            review.decided_at, pair.left, pair.right
        ))?;
    }
    Ok(())
}
