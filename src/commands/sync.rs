//! `jeden sync`

use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use export::{ExportRequest, FollowedFolder, Format, Manifest, Selection};
use schema::store::missing_file;

use super::export::{name_and_value, with_progress};
use crate::feed_source::{Failure, FeedSource, Unreachable};
use crate::outcome::Outcome;
use crate::progress::{Steps, Unit, say};
use crate::settings::Settings;
use crate::{clock, signals};

/// `jeden sync`
#[derive(Debug, Args)]
pub struct Sync {
    /// Folder of Parquet files: an export to go on from, one that an earlier run has written, or a new one
    folder: PathBuf,
    /// Address of the feed of changes, such as `https://feed.example.org`
    #[arg(long, value_name = "URL")]
    from: String,
    /// API token with which to read the feed
    #[arg(
        long,
        env = "JEDEN_SYNC_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true
    )]
    token: String,
    /// Begin with an export from the database, which must be the one behind the feed; also when the feed no longer
    /// keeps the changes since the last run
    #[arg(long)]
    from_database: bool,
    /// Follow only what `GET /v1/offers` finds with this parameter, such as `district=Praha`; may be repeated. A folder
    /// keeps the filters that it began with
    #[arg(long = "filter", value_name = "NAME=VALUE", value_parser = name_and_value)]
    filters: Vec<(String, String)>,
    /// Go on until Ctrl-C, and bring the folder up to date this often [default: once]
    #[arg(long, value_name = "DURATION")]
    every: Option<humantime::Duration>,
}

pub async fn run(options: &Sync, settings: &Settings) -> anyhow::Result<Outcome> {
    let syncing = async {
        loop {
            let synced = sync(options, settings).await;
            let Some(every) = options.every else {
                return synced;
            };
            match synced {
                Err(error) if error.is::<Unreachable>() => {
                    say(&format!("{error:#}; trying again in {every}."));
                }
                other => other?,
            }
            tokio::time::sleep(every.into()).await;
        }
    };
    tokio::select! {
        ended = syncing => ended?,
        () = signals::stopped() => {}
    }
    Ok(Outcome::Done)
}

/// Brings the folder up to date, and says what it has.
async fn sync(options: &Sync, settings: &Settings) -> anyhow::Result<()> {
    let mut folder = FollowedFolder::open(&options.folder)?;
    let selection = selection(folder.manifest(), options)?;
    let follow = Follow {
        options,
        settings,
        source: FeedSource::new(&options.from, &selection.query(), &options.token)?,
        selection,
    };
    if folder.manifest().is_none() && options.from_database {
        follow.begin(&mut folder).await?;
    }
    let mut caught_up = follow.catch_up(&mut folder).await;
    if let Err(Failure::CannotGoOn(reason)) = &caught_up
        && options.from_database
    {
        say(&format!(
            "Starting over, because the feed answers: {reason}"
        ));
        follow.begin(&mut folder).await?;
        caught_up = follow.catch_up(&mut folder).await;
    }
    let changes = caught_up.map_err(|failure| match failure {
        Failure::Other(error) => error,
        Failure::CannotGoOn(reason) => anyhow!(
            "the feed answers: {reason} Have the operator export the records (`jeden export --out FOLDER`) and follow with \
             that folder; or give --from-database where the database is"
        ),
    })?;
    if let Some(manifest) = folder.manifest() {
        say(&summary(manifest, changes, options));
    }
    Ok(())
}

/// The filters of the folder, or those that are given for a new one.
fn selection(manifest: Option<&Manifest>, options: &Sync) -> anyhow::Result<Selection> {
    let given = Selection::parse(&options.filters)?;
    if given.given().contains_key("includeInactive") {
        bail!(
            "--filter includeInactive is not possible: the feed shows expired records only as far back as a plan reaches"
        );
    }
    let Some(manifest) = manifest else {
        return Ok(given);
    };
    if !options.filters.is_empty() && *given.given() != manifest.filters {
        bail!(
            "{} has the records of other filters ({:?}); leave --filter out, or name another folder",
            options.folder.display(),
            manifest.filters
        );
    }
    let kept = manifest.filters.clone().into_iter().collect::<Vec<_>>();
    Selection::parse(&kept).context("the filters in the manifest of the folder")
}

/// What one run needs.
struct Follow<'a> {
    options: &'a Sync,
    settings: &'a Settings,
    selection: Selection,
    source: FeedSource,
}

impl Follow<'_> {
    /// Begins with an export from the database.
    async fn begin(&self, folder: &mut FollowedFolder) -> anyhow::Result<()> {
        // Opening would create the file, but the operator has more likely mistyped its name.
        if let Some(file) = missing_file(&self.settings.database_url) {
            bail!(
                "the database {} does not exist; --database-url names the one behind the feed",
                file.display()
            );
        }
        let db = self.settings.open().await?;
        let request = ExportRequest {
            folder: &self.options.folder,
            format: Format::Parquet,
            selection: &self.selection,
            with_pairs: false,
            at: clock::now(),
        };
        let manifest = with_progress(&db, &request).await?;
        db.close().await;
        folder.replaced(manifest);
        Ok(())
    }

    /// Reads all changes since, and writes them into the tables. Returns how many there were.
    async fn catch_up(&self, folder: &mut FollowedFolder) -> Result<u64, Failure> {
        let failed = |error| Failure::Other(anyhow::Error::new(error));
        let mut pending = folder.pending().map_err(failed)?;
        let mut after = folder.manifest().map_or(0, |manifest| manifest.seq);
        let mut steps = Steps::new(0, Unit::Count);
        loop {
            let page = self.source.page(after).await?;
            for change in &page.data {
                let detail = change.offer.as_ref().map(|offer| offer.get().as_bytes());
                let kept = pending.put(&change.id, detail);
                kept.map_err(|error| failed(error.into()))?;
            }
            after = page.pagination.next_after;
            steps.at(
                pending.changes(),
                &format!("{} changes read", pending.changes()),
            );
            if !page.pagination.has_more {
                break;
            }
        }
        steps.message("writing the tables");
        let about = (&self.selection, clock::now());
        let applied =
            tokio::task::block_in_place(|| folder.apply(&mut pending, after, about).map(drop));
        applied.map_err(failed)?;
        steps.done();
        Ok(pending.changes())
    }
}

fn summary(manifest: &Manifest, changes: u64, options: &Sync) -> String {
    let tables = manifest.tables.iter();
    let tables = tables.map(|(name, table)| format!("{} {name}", table.rows));
    format!(
        "{} has {}, as of sequence number {}; {changes} changes were read.",
        options.folder.display(),
        tables.collect::<Vec<_>>().join(", "),
        manifest.seq
    )
}
