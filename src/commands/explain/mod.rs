//! `jeden explain`

pub mod life;

use anyhow::Context;
use clap::Args;
use dedup::explanation::{ExplainedOffer, RecordConfidence, SeparationReason};
use dedup::worker::Listings;
use ingest::intake::{self, LifeEvent};
use operations::explained::{self, ExplainedRecord};
use operations::words;
use schema::store::{Db, listings, offers};
use schema::{ListingKey, OfferId, Review, StoredListing};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{listing_name, progress, registry};

/// `jeden explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// A record's id, or a listing as PORTAL/NUMBER
    #[arg(value_name = "OFFER_ID")]
    subject: String,
    /// A second listing as PORTAL/NUMBER, to compare the two
    #[arg(value_name = "OTHER_LISTING")]
    other: Option<String>,
    /// Show every pair of the record with its evidence, not only the strongest link of each listing
    #[arg(long, conflicts_with = "other")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &Explain, settings: &Settings) -> anyhow::Result<Outcome> {
    let addresses = registry::addresses(settings)?;
    let db = settings.open().await?;
    let source = Listings {
        db: &db,
        addresses: &addresses,
    };
    match &options.other {
        Some(other) => pair(source, &options.subject, other, options.json).await?,
        None => record(source, options).await?,
    }
    db.close().await;
    Ok(Outcome::Done)
}

async fn pair(source: Listings<'_>, one: &str, other: &str, json: bool) -> anyhow::Result<()> {
    let (one, other) = (
        listing(source.db, one).await?,
        listing(source.db, other).await?,
    );
    anyhow::ensure!(
        one.id != other.id,
        "both arguments name the listing {}; name two different listings",
        one.key
    );
    let compared = explained::compare(source, &one, &other).await?;
    if json {
        return Ok(progress::result(&serde_json::to_string_pretty(&compared)?)?);
    }
    let together = compared.one_record;
    progress::result(if together {
        "The two are one record."
    } else {
        "The two are different records."
    })?;
    // If a decision is a reason, it is shown with the reasons.
    let decided = compared
        .apart_because
        .iter()
        .any(|reason| matches!(reason, SeparationReason::Decided { .. }));
    let lines = if decided {
        words::waterfall(&compared.pair)
    } else {
        words::pair(&compared.pair)
    };
    for line in lines {
        progress::result(&line)?;
    }
    if compared.one_record && compared.pair.decision.is_none() {
        progress::result(if compared.pair.is_link() {
            "This pair alone is enough to join them."
        } else {
            "This pair alone is not enough; other listings of the record join them."
        })?;
    }
    for reason in &compared.apart_because {
        progress::result(&words::reason(reason))?;
    }
    Ok(())
}

/// A record, how sure it is, and the history of the listing that named it.
#[derive(Serialize)]
struct RecordOfListing {
    #[serde(flatten)]
    explained: ExplainedOffer,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<RecordConfidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    life: Option<Vec<LifeEvent>>,
}

async fn record(source: Listings<'_>, options: &Explain) -> anyhow::Result<()> {
    let db = source.db;
    let subject = &options.subject;
    let named = if subject.contains('/') {
        Some(listing(db, subject).await?)
    } else {
        None
    };
    let id = if let Some(named) = &named {
        let undecided = || format!("{subject} is not in a record yet; run `jeden replay`");
        named.offer_id.clone().with_context(undecided)?
    } else {
        let id = OfferId::parse(subject)?;
        offers::resolve(db, &id).await?.with_context(|| {
            format!("there is no record {id}; `jeden clusters` lists all records; to name a listing, write PORTAL/NUMBER")
        })?
    };
    let ExplainedRecord {
        members,
        explained,
        confidence,
        in_force,
        ..
    } = explained::record(source, &id).await?;
    if options.json {
        let life = match &named {
            Some(named) => Some(intake::life(db, named).await?),
            None => None,
        };
        let explained = RecordOfListing {
            explained,
            confidence,
            life,
        };
        return Ok(progress::result(&serde_json::to_string_pretty(
            &explained,
        )?)?);
    }
    show_record(&id, &members)?;
    for line in confidence.iter().flat_map(words::confidence) {
        progress::result(&line)?;
    }
    if let Some(named) = &named {
        life::show(db, named).await?;
    }
    show_pairs(&explained, options.all)?;
    show_apart(&members, &in_force)?;
    show_provenance(&explained)
}

async fn listing(db: &Db, text: &str) -> anyhow::Result<StoredListing> {
    let key = listing_name::parse(text)?;
    let mut tx = db.begin_read().await?;
    let found = listings::load(&mut tx, std::slice::from_ref(&key))
        .await?
        .remove(&key);
    tx.rollback().await?;
    found.with_context(|| format!("there is no listing {key}; `jeden clusters` lists all listings"))
}

fn show_record(id: &OfferId, members: &[StoredListing]) -> anyhow::Result<()> {
    let listings = if members.len() == 1 {
        "listing"
    } else {
        "listings"
    };
    progress::result(&format!("Record {id}: {} {listings}", members.len()))?;
    for member in members {
        let state = &member.state;
        let life = state
            .gone_at
            .map_or_else(|| "live".to_owned(), |at| format!("gone {at}"));
        let title = state
            .listing
            .attributes
            .title
            .as_deref()
            .unwrap_or_default();
        progress::result(&format!(
            "  {}  since {}, {life}: {title}",
            member.key, state.first_seen_at
        ))?;
    }
    Ok(())
}

fn show_pairs(explained: &ExplainedOffer, all: bool) -> anyhow::Result<()> {
    let (in_full, in_brief) =
        explained
            .other_pairs
            .split_at(if all { explained.other_pairs.len() } else { 0 });
    for link in explained.links.iter().chain(in_full) {
        progress::result("")?;
        for line in words::pair(link) {
            progress::result(&line)?;
        }
    }
    if !in_brief.is_empty() {
        progress::result("\nThe other pairs:")?;
        for pair in in_brief {
            let decision = pair.decision.as_ref().map(words::decision);
            let decision = decision
                .map(|words| format!("  ({words})"))
                .unwrap_or_default();
            let weight = pair.evidence.weight;
            progress::result(&format!(
                "  {weight:+7.1}  {} and {}{decision}",
                pair.left, pair.right
            ))?;
        }
    }
    Ok(())
}

/// Shows decisions between the record and listings of other records.
fn show_apart(members: &[StoredListing], in_force: &[Review]) -> anyhow::Result<()> {
    let mine = |key: &ListingKey| members.iter().any(|member| member.key == *key);
    let apart = in_force
        .iter()
        .filter(|review| mine(&review.pair.left) != mine(&review.pair.right));
    for (place, review) in apart.enumerate() {
        if place == 0 {
            progress::result("\nDecisions about listings of other records:")?;
        }
        progress::result(&format!("  {}: {}", review.pair, words::decision(review)))?;
    }
    Ok(())
}

fn show_provenance(explained: &ExplainedOffer) -> anyhow::Result<()> {
    progress::result("\nSources of the merged values:")?;
    for (field, key) in &explained.provenance {
        let rule = explained.applied_rules.get(field).map(words::applied_rule);
        let rule = rule.map(|words| format!("  ({words})")).unwrap_or_default();
        progress::result(&format!("  {field:<14} {key}{rule}"))?;
    }
    for (field, rule) in &explained.applied_rules {
        if !explained.provenance.contains_key(field) {
            let rule = words::applied_rule(rule);
            progress::result(&format!("  {field:<14} {rule}"))?;
        }
    }
    for field in &explained.filled_by_gazetteer {
        progress::result(&format!(
            "  {field:<14} filled in by the gazetteer, because no portal states it"
        ))?;
    }
    Ok(())
}
