//! `jeden rejects`

use clap::Subcommand;
use dedup::worker::Listings;
use schema::store::{Db, rejects, value_rejects};

use super::replay;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{progress, registry};

/// How many rejects are loaded at once.
const PAGE: u32 = 500;

/// `jeden rejects`
#[derive(Debug, Subcommand)]
pub enum Rejects {
    /// List the lines that could not be read and the values that were left out
    List,
    /// Read the rejected lines again
    Retry,
}

pub async fn run(action: Rejects, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let outcome = match action {
        Rejects::List => list(&db).await?,
        Rejects::Retry => {
            retry(Listings {
                db: &db,
                addresses: &registry::addresses(settings)?,
            })
            .await?
        }
    };
    db.close().await;
    Ok(outcome)
}

async fn list(db: &Db) -> anyhow::Result<Outcome> {
    let mut after = None;
    loop {
        let page = rejects::list(db, after, PAGE).await?;
        let Some((last, _)) = page.last() else { break };
        after = Some(*last);
        for (_, reject) in &page {
            progress::result(&format!(
                "{}:{}: {}",
                reject.source, reject.line, reject.reason
            ))?;
        }
    }
    let counts = value_rejects::counts(db).await?;
    if !counts.is_empty() {
        progress::say("Values left out of listings (portal, field, reason, count):");
    }
    for (site, field, reason, count) in counts {
        progress::result(&format!("{site} {field}: {reason} ({count})"))?;
    }
    Ok(Outcome::Done)
}

async fn retry(listings: Listings<'_>) -> anyhow::Result<Outcome> {
    let retried = ingest::intake::retry_rejects(listings.db).await?;
    let merged = replay::deduplicate(listings).await?;
    progress::say(&format!(
        "{} rejects read again, {} of them successfully.",
        retried.tried, retried.read
    ));
    replay::print_dedup_report(&merged);
    Ok(if retried.tried == retried.read {
        Outcome::Done
    } else {
        Outcome::SomeRejected
    })
}
