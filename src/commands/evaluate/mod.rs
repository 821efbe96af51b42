//! `jeden evaluate`

mod places;
mod report;
mod reviewed;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use dedup::evaluation::{
    self, BlockingReport, ClusterMetrics, LabelledMetrics, LabelledPairs, MatchedListings, Mistake,
    PredictedClusters, ReliabilityBand, ThresholdPoint, Truth,
};
use dedup::explanation::{self, ExplainedPair, SeparationReason};
use dedup::worker::{self, Listings};
use futures::TryStreamExt;
use schema::store::{Db, listings};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{progress, registry};

pub use table::read_table;

/// By how many bits the threshold is moved for the curve.
const MOVES: [f32; 9] = [-0.5, -0.375, -0.25, -0.125, 0.0, 0.125, 0.25, 0.375, 0.5];

/// How many true pairs that are not compared are shown as examples.
const EXAMPLES: usize = 10;

/// `jeden evaluate`
#[derive(Debug, Args)]
pub struct Evaluate {
    /// The truth: CSV with siteId, offerId and propertyId, plain or compressed (.gz, .zst)
    #[arg(long, value_name = "FILE", required_unless_present_any = ["places", "reviewed"])]
    truth: Option<PathBuf>,
    /// Show how many records have place fields that contradict one another, a pin outside their municipality, or a
    /// district or quarter with several spellings; needs no truth
    #[arg(long, conflicts_with_all = ["truth", "pairs"])]
    places: bool,
    /// Measure against what people decided in review: matching as it was when they were asked, and matching as it is
    /// without their decisions; needs no truth
    #[arg(long, conflicts_with_all = ["truth", "pairs", "places"])]
    reviewed: bool,
    /// Labelled pairs: CSV with siteA, offerA, siteB, offerB and label (same, different, ambiguous)
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Show how the measures change if the threshold moves by up to half a bit
    #[arg(long, requires = "truth")]
    curve: bool,
    /// How many of the worst mistakes to show for each kind of trap, or of the records with each fault
    #[arg(long, value_name = "N", default_value_t = 1)]
    worst: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(options: &Evaluate, settings: &Settings) -> anyhow::Result<Outcome> {
    // Without a truth, the places or the decided pairs are measured.
    let truth = options
        .truth
        .as_deref()
        .map(|path| read_table(path, Truth::from_csv))
        .transpose()?;
    let labels = match &options.pairs {
        Some(path) => read_table(path, LabelledPairs::from_csv)?,
        None => LabelledPairs::default(),
    };
    let db = settings.open().await?;
    let addresses = registry::addresses(settings)?;
    let listings = Listings {
        db: &db,
        addresses: &addresses,
    };
    say_if_out_of_date(listings).await?;
    let Some(truth) = truth else {
        if options.reviewed {
            reviewed::run(listings, options.json).await?;
        } else {
            places::run(&db, &addresses, options.worst, options.json).await?;
        }
        db.close().await;
        return Ok(Outcome::Done);
    };
    let predicted = predicted_clusters(&db).await?;
    let everything = worker::load_everything(listings).await?;
    db.close().await;
    let matched = MatchedListings::build(everything.table, everything.profiles, everything.reviews);
    let moves: &[f32] = if options.curve { &MOVES } else { &[] };
    let evaluation = Evaluation {
        reliability: evaluation::reliability(&evaluation::judged_pairs(&matched, &truth, &labels)),
        curve: evaluation::threshold_curve(&matched, &truth, &labels, moves),
        figures: evaluation::cluster_metrics(&truth, &predicted),
        labelled_pairs: options
            .pairs
            .as_ref()
            .map(|_| evaluation::labelled_metrics(&labels, &truth, &predicted)),
        blocking: evaluation::blocking_report(&matched, &truth, EXAMPLES),
        false_merges: worst(
            &matched,
            &truth,
            &evaluation::false_merges(&matched, &truth, &predicted, &labels),
            options.worst,
        ),
        misses: worst(
            &matched,
            &truth,
            &evaluation::misses(&matched, &truth, &predicted),
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

/// Says that records are out of date, if some are.
pub async fn say_if_out_of_date(listings: Listings<'_>) -> anyhow::Result<()> {
    if !worker::is_current(listings).await? {
        progress::say(
            "Some records are out of date: listings are pending, or the records were made by another version \
             of jeden, with other weights or with another address registry. The report is about the records as \
             they are; `jeden replay` updates them.",
        );
    }
    Ok(())
}

/// All measures of the quality of matching.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Evaluation {
    figures: ClusterMetrics,
    #[serde(skip_serializing_if = "Option::is_none")]
    labelled_pairs: Option<LabelledMetrics>,
    reliability: Vec<ReliabilityBand>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curve: Vec<ThresholdPoint>,
    blocking: BlockingReport,
    false_merges: BTreeMap<String, Vec<Shown>>,
    misses: BTreeMap<String, Vec<Shown>>,
}

/// A mistake and its explanation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    properties: Vec<String>,
    pairs: usize,
    #[serde(flatten)]
    pair: ExplainedPair,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    apart_because: Vec<SeparationReason>,
}

/// The worst mistakes of each kind, with explanations.
fn worst(
    matched: &MatchedListings,
    truth: &Truth,
    mistakes: &[Mistake],
    each: usize,
) -> BTreeMap<String, Vec<Shown>> {
    let shown = |mistake: &Mistake| {
        let (one, other) = (
            matched.profile(mistake.left),
            matched.profile(mistake.right),
        );
        let name = |property: &usize| truth.properties[*property].name.clone();
        Shown {
            properties: mistake.properties.iter().map(name).collect(),
            pairs: mistake.pairs,
            pair: explanation::explain_pair(&matched.table, one, other, &matched.reviews),
            apart_because: match mistake.properties.len() {
                1 => matched.separation_reasons(mistake.left, mistake.right),
                _ => Vec::new(),
            },
        }
    };
    evaluation::by_kind(truth, mistakes, each)
        .into_iter()
        .map(|(kind, mistakes)| (kind.to_owned(), mistakes.into_iter().map(shown).collect()))
        .collect()
}

/// The clusters of the stored records. A listing without a record is alone.
async fn predicted_clusters(db: &Db) -> anyhow::Result<PredictedClusters> {
    let (mut clusters, mut numbers) = (PredictedClusters::new(), std::collections::HashMap::new());
    let mut states = listings::member_states(db);
    while let Some(state) = states.try_next().await? {
        let next = (clusters.len() + numbers.len()) as u32;
        let cluster = state
            .offer_id
            .map_or(next, |offer| *numbers.entry(offer).or_insert(next));
        clusters.insert(state.key, cluster);
    }
    Ok(clusters)
}
