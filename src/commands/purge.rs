//! `jeden purge`

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use dedup::worker::Listings;
use ingest::intake::{self, PurgeTarget, Purged};
use ingest::portals;
use schema::Timestamp;
use schema::store::{Db, crawl_runs, lock, purges};

use super::replay;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, listing_name, progress, registry};

/// How many crawls of a portal are searched for the one to purge.
const CRAWLS: u32 = 10_000;

/// `jeden purge`
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Delete everything of a portal, such as one that withdrew its permission; it is not crawled or replayed again
    Portal {
        /// The portal
        #[arg(value_name = "PORTAL")]
        site_id: String,
        #[command(flatten)]
        how: How,
    },
    /// Delete everything of a listing, such as after a legal request; it does not come back
    Listing {
        /// The listing
        #[arg(value_name = "PORTAL/NUMBER")]
        listing: String,
        #[command(flatten)]
        how: How,
    },
    /// Delete the observations that a dump holds
    Dump {
        /// The dump, or a folder of dumps
        #[arg(value_name = "PATH")]
        path: PathBuf,
        #[command(flatten)]
        how: How,
    },
    /// Delete what was observed of a portal while one of its crawls ran
    Crawl {
        /// The portal
        #[arg(value_name = "PORTAL")]
        site_id: String,
        /// When the crawl began, such as 2026-05-01T06:00:00Z; fractions of a second may be left out
        #[arg(value_name = "BEGIN")]
        started_at: String,
        #[command(flatten)]
        how: How,
    },
    /// Let a purged portal or listing come back with the next crawl or replay
    Allow {
        /// The portal, or the listing
        #[arg(value_name = "PORTAL[/NUMBER]")]
        subject: String,
    },
    /// List what was purged, and why
    List,
}

/// How to purge.
#[derive(Debug, Args)]
pub struct How {
    /// Why; kept with the note that this was purged
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Say what would be deleted, and delete nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
}

pub async fn run(action: Action, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let outcome = match action {
        Action::Allow { subject } => allow(&db, &subject).await?,
        Action::List => list(&db).await?,
        Action::Portal { site_id, how } => {
            let target = PurgeTarget::Portal(site_id);
            purge(&db, settings, &target, &how).await?
        }
        Action::Listing { listing, how } => {
            let target = PurgeTarget::Listing(listing_name::parse(&listing)?);
            purge(&db, settings, &target, &how).await?
        }
        Action::Dump { path, how } => purge(&db, settings, &PurgeTarget::Dump(path), &how).await?,
        Action::Crawl {
            site_id,
            started_at,
            how,
        } => {
            let target = crawl(&db, site_id, &started_at).await?;
            purge(&db, settings, &target, &how).await?
        }
    };
    db.close().await;
    Ok(outcome)
}

/// The crawl of a portal that began at this time.
async fn crawl(db: &Db, site_id: String, started_at: &str) -> anyhow::Result<PurgeTarget> {
    let at: Timestamp = started_at
        .parse()
        .with_context(|| format!("{started_at:?} is not a time such as 2026-05-01T06:00:00Z"))?;
    let is_meant =
        |began: Timestamp| began == at || began.millis().div_euclid(1000) * 1000 == at.millis();
    let runs = crawl_runs::list(db, Some(&site_id), CRAWLS).await?;
    let run = runs.into_iter().find(|run| is_meant(run.started_at));
    let run = run.with_context(|| format!("no crawl of {site_id} began at {started_at}"))?;
    Ok(PurgeTarget::Crawl {
        site_id,
        started_at: run.started_at,
        ended_at: run.finished_at.unwrap_or(run.alive_at),
    })
}

async fn purge(
    db: &Db,
    settings: &Settings,
    target: &PurgeTarget,
    how: &How,
) -> anyhow::Result<Outcome> {
    anyhow::ensure!(
        !how.reason.trim().is_empty(),
        "--reason is empty; say why this is purged"
    );
    let addresses = registry::addresses(settings)?;
    let trial = attempt(db, target, how, false).await?;
    let subject = target.to_purge(&how.reason).subject;
    progress::say(&format!(
        "Purging {subject} would delete {}.",
        in_words(trial)
    ));
    if let PurgeTarget::Portal(site_id) = target
        && portals::portal(site_id).is_none()
        && trial.listings == 0
    {
        progress::say(&format!(
            "Note: jeden does not crawl a portal named {site_id}."
        ));
    }
    if how.dry_run {
        return Ok(Outcome::Done);
    }
    if !how.yes && !confirmed()? {
        progress::say("Nothing was deleted.");
        return Ok(Outcome::Failed);
    }
    let purged = attempt(db, target, how, true).await?;
    progress::say(&format!("Deleted {}.", in_words(purged)));
    let merged = replay::deduplicate(Listings {
        db,
        addresses: &addresses,
    })
    .await?;
    replay::print_dedup_report(&merged);
    Ok(Outcome::Done)
}

/// Purges, and takes it back unless `keep`. No crawl of the portal and no deduplication may run meanwhile.
async fn attempt(db: &Db, target: &PurgeTarget, how: &How, keep: bool) -> anyhow::Result<Purged> {
    let crawl_lock = match target {
        PurgeTarget::Portal(site_id) | PurgeTarget::Crawl { site_id, .. } => {
            let lock = lock::try_crawl(db, site_id).await?;
            let running = || format!("{site_id} is being crawled; stop the crawl first");
            Some(lock.with_context(running)?)
        }
        PurgeTarget::Listing(_) | PurgeTarget::Dump(_) => None,
    };
    let dedup_lock = lock::acquire(db).await?;
    let mut tx = db.begin().await?;
    let purged = intake::purge(&mut tx, target, &how.reason, clock::now()).await?;
    if keep {
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    drop(dedup_lock);
    if let Some(lock) = crawl_lock {
        lock.release().await?;
    }
    Ok(purged)
}

fn in_words(purged: Purged) -> String {
    let Purged {
        listings,
        recomputed,
        offers,
        rejects,
    } = purged;
    let count = |number: u64, one: &str, more: &str| {
        format!("{number} {}", if number == 1 { one } else { more })
    };
    let listings = count(listings, "listing", "listings");
    let offers = count(offers, "record", "records");
    let rejects = count(rejects, "reject", "rejects");
    let recomputed = count(recomputed, "other listing", "other listings");
    format!(
        "{listings}, {offers} of which nothing is left, and {rejects}; the state of {recomputed} is computed again"
    )
}

/// Asks on the terminal. Without one, the answer is no.
fn confirmed() -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        progress::say("Pass --yes to purge without being asked.");
        return Ok(false);
    }
    let mut screen = std::io::stderr();
    write!(screen, "This cannot be undone. Purge? [y/N] ")?;
    screen.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

async fn allow(db: &Db, subject: &str) -> anyhow::Result<Outcome> {
    let (site_id, offer_id) = match subject.split_once('/') {
        Some((site_id, offer_id)) => (site_id, Some(offer_id)),
        None => (subject, None),
    };
    let mut tx = db.begin().await?;
    let allowed = purges::allow(&mut tx, site_id, offer_id, clock::now()).await?;
    tx.commit().await?;
    anyhow::ensure!(
        allowed,
        "{subject} is not purged; `jeden purge list` shows what is"
    );
    progress::say(&format!(
        "{subject} may come back with the next crawl or replay."
    ));
    Ok(Outcome::Done)
}

async fn list(db: &Db) -> anyhow::Result<Outcome> {
    let notes = purges::list(db).await?;
    if notes.is_empty() {
        progress::say("Nothing has been purged.");
    }
    for note in notes {
        let allowed = note
            .allowed_at
            .map(|at| format!(" (allowed again at {at})"))
            .unwrap_or_default();
        progress::result(&format!(
            "{} {} {}: {}{allowed}",
            note.purged_at, note.kind, note.subject, note.reason
        ))?;
    }
    Ok(Outcome::Done)
}
