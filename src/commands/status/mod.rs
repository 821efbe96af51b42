//! `jeden status`

mod show;

use anyhow::{Context, bail};
use clap::Args;
use operations::concerns::{self, Concern};
use operations::status::{self, Found};
use schema::Timestamp;
use schema::store::{StoreError, missing_file};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress, registry};

/// The status, as it is printed and as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    /// Whether nothing needs attention.
    ok: bool,
    /// When the status was computed.
    checked_at: Timestamp,
    /// What needs attention, and what to do about it.
    concerns: Vec<Concern>,
    /// What was found; `None` if the database could not be read.
    found: Option<Found>,
}

/// `jeden status`
#[derive(Debug, Args)]
pub struct StatusOptions {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &StatusOptions, settings: &Settings) -> anyhow::Result<Outcome> {
    let now = clock::now();
    let (found, mut concerns) = match load(settings, now).await {
        Ok(found) => {
            let concerns = concerns::concerns(&found, now);
            (Some(found), concerns)
        }
        Err(error) => (None, vec![unreadable_database(&error)]),
    };
    concerns.sort_by(|one, other| one.about.cmp(&other.about));
    let status = Status {
        ok: concerns.is_empty(),
        checked_at: now,
        concerns,
        found,
    };
    if options.json {
        progress::result(&serde_json::to_string_pretty(&status).context("the status as JSON")?)?;
    } else {
        show::show(&status)?;
    }
    Ok(if status.ok {
        Outcome::Done
    } else {
        Outcome::Failed
    })
}

async fn load(settings: &Settings, now: Timestamp) -> anyhow::Result<Found> {
    // Opening would create the file, but the operator has more likely mistyped its name.
    if let Some(file) = missing_file(&settings.database_url) {
        bail!("the database {} does not exist", file.display());
    }
    let db = settings.open().await?;
    let mut found = status::read_status(&db, now).await?;
    found.hidden.edition_here = registry::edition_id(settings)?;
    db.close().await;
    Ok(found)
}

/// The concern about a database that cannot be read.
fn unreadable_database(error: &anyhow::Error) -> Concern {
    let todo = match error.downcast_ref() {
        Some(StoreError::Behind { .. }) => {
            "run `jeden migrate`, then start the other processes again"
        }
        Some(StoreError::Ahead { .. }) => {
            "run the newer version of jeden, or restore the backup from before its migration"
        }
        _ => {
            "check that the database runs, and that --database-url or JEDEN_DATABASE_URL names it; the first command \
             that stores something creates a new file: `jeden scrape`, `replay` or `schedule set`"
        }
    };
    Concern {
        about: "database".to_owned(),
        what: format!("{error:#}"),
        todo: todo.to_owned(),
        cause: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outdated_schema_is_to_be_migrated() {
        let behind = StoreError::Behind { have: 1, want: 2 };
        assert!(
            unreadable_database(&behind.into())
                .todo
                .contains("jeden migrate")
        );
        assert!(
            unreadable_database(&anyhow::anyhow!("connection refused"))
                .todo
                .contains("JEDEN_DATABASE_URL")
        );
    }
}
