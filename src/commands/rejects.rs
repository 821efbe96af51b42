//! `jeden rejects`

use clap::Subcommand;
use dedup::worker::Listings;
use schema::store::value_rejects::{self, LeftOut, ValueReject};
use schema::store::{Db, rejects};

use super::replay;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress, registry};

/// How many rejects are loaded at once.
const PAGE: u32 = 500;

/// `jeden rejects`
#[derive(Debug, Subcommand)]
pub enum Rejects {
    /// List the lines that could not be read and the values that were left out
    List,
    /// List every value that was left out, with its listing
    Values {
        /// Only values of this field
        #[arg(long, value_name = "FIELD")]
        field: Option<String>,
    },
    /// Read the rejected lines again
    Retry,
}

pub async fn run(action: Rejects, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let outcome = match action {
        Rejects::List => list(&db).await?,
        Rejects::Values { field } => values(&db, field.as_deref()).await?,
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
        progress::say(
            "Values left out of listings (portal, field, reason, count); `jeden rejects values` names the listings:",
        );
    }
    for (site, field, reason, count) in counts {
        progress::result(&format!("{site} {field}: {reason} ({count})"))?;
    }
    Ok(Outcome::Done)
}

async fn values(db: &Db, field: Option<&str>) -> anyhow::Result<Outcome> {
    let mut after = None;
    loop {
        let page = value_rejects::list(db, field, after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(Outcome::Done);
        };
        after = Some(last.id);
        for LeftOut { key, reject, .. } in &page {
            let ValueReject {
                field,
                value,
                reason,
            } = reject;
            progress::result(&format!("{key} {field}: {value:?}: {reason}"))?;
        }
    }
}

async fn retry(listings: Listings<'_>) -> anyhow::Result<Outcome> {
    let retried = ingest::intake::retry_rejects(listings.db, clock::now()).await?;
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
