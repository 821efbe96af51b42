//! `jeden evaluate`

mod report;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use dedup::evaluation::{
    self, BlockingReport, Figures, Found, LabelledFigures, LabelledPairs, Market, Mistake, Truth,
};
use dedup::explanation::{self, ExplainedPair, Reason};
use dedup::worker::{self, Listings};
use futures::TryStreamExt;
use schema::store::{Db, listings};
use serde::Serialize;

use crate::commands::gazetteer;
use crate::outcome::Outcome;
use crate::progress;
use crate::settings::Settings;

pub use table::read;

/// True pairs that nothing reaches, shown as examples.
const EXAMPLES: usize = 10;

/// `jeden evaluate`
#[derive(Debug, Args)]
pub struct Evaluate {
    /// Which listings are one property: CSV with siteId, offerId and propertyId, plain, .gz or .zst
    #[arg(long, value_name = "FILE")]
    truth: PathBuf,
    /// Labelled pairs: CSV with siteA, offerA, siteB, offerB and label (same, different, ambiguous)
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// How many of the worst mistakes to show of each kind of trap
    #[arg(long, value_name = "N", default_value_t = 1)]
    worst: usize,
    /// As JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &Evaluate, settings: &Settings) -> anyhow::Result<Outcome> {
    let truth = read(&options.truth, Truth::read)?;
    let labels = match &options.pairs {
        Some(path) => read(path, LabelledPairs::read)?,
        None => LabelledPairs::default(),
    };
    let db = settings.open().await?;
    let addresses = gazetteer::addresses(settings)?;
    let listings = Listings {
        db: &db,
        addresses: &addresses,
    };
    if !worker::is_current(listings).await? {
        progress::say(
            "Some listings are not deduplicated yet by this version of jeden, or with another address registry; what follows is of the records as they \
             are. Any `jeden replay` brings them up to date.",
        );
    }
    let found = found(&db).await?;
    let market = worker::market(listings).await?;
    db.close().await;
    let evaluation = Evaluation {
        figures: evaluation::figures(&truth, &found),
        labelled_pairs: options
            .pairs
            .as_ref()
            .map(|_| evaluation::labelled_figures(&labels, &truth, &found)),
        blocking: evaluation::blocking_report(&market, &truth, EXAMPLES),
        false_merges: worst(
            &market,
            &truth,
            &evaluation::false_merges(&market, &truth, &found, &labels),
            options.worst,
        ),
        misses: worst(
            &market,
            &truth,
            &evaluation::misses(&market, &truth, &found),
            options.worst,
        ),
    };
    if options.json {
        progress::result(&serde_json::to_string_pretty(&evaluation)?)?;
    } else {
        report::show(&evaluation)?;
    }
    Ok(Outcome::Done)
}

/// Everything that is known of how well matching does.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Evaluation {
    figures: Figures,
    #[serde(skip_serializing_if = "Option::is_none")]
    labelled_pairs: Option<LabelledFigures>,
    blocking: BlockingReport,
    false_merges: BTreeMap<String, Vec<Shown>>,
    misses: BTreeMap<String, Vec<Shown>>,
}

/// A mistake, explained.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    properties: Vec<String>,
    pairs: usize,
    #[serde(flatten)]
    pair: ExplainedPair,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    apart_because: Vec<Reason>,
}

/// The worst mistakes of each kind, explained.
fn worst(
    market: &Market,
    truth: &Truth,
    mistakes: &[Mistake],
    each: usize,
) -> BTreeMap<String, Vec<Shown>> {
    let shown = |mistake: &Mistake| {
        let (one, other) = (market.profile(mistake.left), market.profile(mistake.right));
        let name = |property: &usize| truth.properties[*property].name.clone();
        Shown {
            properties: mistake.properties.iter().map(name).collect(),
            pairs: mistake.pairs,
            pair: explanation::pair(one, other, &market.reviews),
            apart_because: match mistake.properties.len() {
                1 => market.surroundings(|around| {
                    explanation::reasons(around, mistake.left, mistake.right)
                }),
                _ => Vec::new(),
            },
        }
    };
    evaluation::by_kind(truth, mistakes, each)
        .into_iter()
        .map(|(kind, mistakes)| (kind.to_owned(), mistakes.into_iter().map(shown).collect()))
        .collect()
}

/// The records as they are; a listing without one is alone.
async fn found(db: &Db) -> anyhow::Result<Found> {
    let (mut found, mut numbers) = (Found::new(), std::collections::HashMap::new());
    let mut standings = listings::standings(db);
    while let Some(standing) = standings.try_next().await? {
        let next = (found.len() + numbers.len()) as u32;
        let cluster = standing
            .offer_id
            .map_or(next, |offer| *numbers.entry(offer).or_insert(next));
        found.insert(standing.key, cluster);
    }
    Ok(found)
}
