//! `jeden weights`

mod estimates;
mod fit;

use std::path::PathBuf;

use clap::Args;
use dedup::evaluation::{MatchedListings, Truth};
use dedup::weight_table::WeightTable;
use dedup::worker::{self, Listings};

use super::{evaluate, replay};
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{progress, registry};

/// `jeden weights`
#[derive(Debug, Args)]
pub struct Weights {
    /// The truth, as for `jeden evaluate`; without it, weights are estimated without labels
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Fit the weights to pairs of which the answer is known, and measure by cross-validation whether matching gets
    /// better. The pairs are those of --truth or --pairs, or else the reviewers' decisions
    #[arg(long)]
    fit: bool,
    /// Labelled pairs, as for `jeden evaluate`
    #[arg(long, value_name = "FILE", requires = "fit", conflicts_with = "truth")]
    pairs: Option<PathBuf>,
    /// Fit to another database as well, with its truth or labelled pairs; may be repeated
    #[arg(long, num_args = 2, value_names = ["DATABASE", "FILE"], requires = "fit")]
    also: Vec<String>,
    /// Put the fitted weights in force, and match all listings again
    #[arg(long, requires = "fit")]
    apply: bool,
    /// Put the weights of the program in force again, and match all listings again
    #[arg(long, conflicts_with_all = ["truth", "fit", "json"])]
    reset: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &Weights, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let addresses = registry::addresses(settings)?;
    let listings = Listings {
        db: &db,
        addresses: &addresses,
    };
    if options.reset {
        put_in_force(listings, &WeightTable::default()).await?;
    } else if options.fit {
        fit::run(options, listings).await?;
    } else {
        let truth = match &options.truth {
            Some(path) => evaluate::read_table(path, Truth::from_csv)?,
            None => Truth::default(),
        };
        let everything = worker::load_everything(listings).await?;
        let matched =
            MatchedListings::build(everything.table, everything.profiles, everything.reviews);
        estimates::print(&matched, &truth, options.json)?;
    }
    db.close().await;
    Ok(Outcome::Done)
}

/// Stores the weights and matches all listings again if they are new.
async fn put_in_force(listings: Listings<'_>, table: &WeightTable) -> anyhow::Result<()> {
    let mut tx = listings.db.begin().await?;
    worker::apply_weights(&mut tx, table).await?;
    tx.commit().await?;
    let report = replay::deduplicate(listings).await?;
    let changed = table.changed().count();
    let words = if changed == 0 {
        "The weights of the program are in force".to_owned()
    } else {
        format!(
            "{changed} weights that differ from those of the program are in force; `jeden weights --reset` takes them back"
        )
    };
    progress::say(&format!("{words}. {} records were written.", report.offers));
    Ok(())
}
