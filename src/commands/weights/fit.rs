//! `jeden weights --fit`: fits the weights to judged pairs, and puts them in force if asked.

use std::path::Path;

use anyhow::Context;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use dedup::evaluation::{
    self, Fit, FitFigures, JudgedSet, Judgements, LabelledPairs, MatchedListings, Rate, Truth,
};
use dedup::worker::{self, Everything, Listings};
use schema::store::{DatabaseSettings, Db};

use super::{Weights, put_in_force};
use crate::commands::evaluate;
use crate::progress;

/// Fewer judged pairs than this of either answer are too few to put weights in force.
const LEAST_PAIRS: usize = 20;

/// F1 may fall by this much on a set, because so few pairs decide about it.
const TOLERANCE: f64 = 0.002;

/// A set of which some pairs are judged.
struct Set {
    name: String,
    matched: MatchedListings,
    judgements: Judgements,
}

/// What is known about the pairs of a set.
enum Labels {
    Truth(Truth),
    Pairs(LabelledPairs),
    /// The decisions of reviewers.
    Decisions,
}

pub async fn run(options: &Weights, listings: Listings<'_>) -> anyhow::Result<()> {
    let labels = match (&options.truth, &options.pairs) {
        (Some(truth), _) => Labels::Truth(evaluate::read_table(truth, Truth::from_csv)?),
        (None, Some(pairs)) => Labels::Pairs(evaluate::read_table(pairs, LabelledPairs::from_csv)?),
        (None, None) => Labels::Decisions,
    };
    let everything = worker::load_everything(listings).await?;
    let table = everything.table.clone();
    let mut sets = vec![judged("this database".to_owned(), everything, labels)];
    for also in options.also.chunks_exact(2) {
        let [database, file] = also else { continue };
        let labels = read_labels(Path::new(file))?;
        let db = Db::open(&DatabaseSettings::new(database.as_str()))
            .await
            .with_context(|| format!("cannot open {database}"))?;
        let everything = worker::load_everything(Listings {
            db: &db,
            addresses: listings.addresses,
        })
        .await?;
        db.close().await;
        sets.push(judged(
            database.clone(),
            Everything {
                table: table.clone(),
                ..everything
            },
            labels,
        ));
    }
    let sets: Vec<JudgedSet<'_>> = sets
        .iter()
        .map(|set| JudgedSet {
            name: &set.name,
            matched: &set.matched,
            judgements: &set.judgements,
        })
        .collect();
    let fit = evaluation::fit(&table, &sets);
    if options.json {
        progress::result(&serde_json::to_string_pretty(&fit)?)?;
    } else {
        show(&fit)?;
    }
    if options.apply {
        check(&fit)?;
        put_in_force(listings, &fit.table).await?;
    }
    Ok(())
}

/// Matches a set by evidence alone: decisions are what the weights are fitted to.
fn judged(name: String, everything: Everything, labels: Labels) -> Set {
    let Everything {
        table,
        profiles,
        reviews,
    } = everything;
    let matched = MatchedListings::build(table, profiles, Vec::new());
    let judgements = match labels {
        Labels::Truth(truth) => Judgements::from_truth(&matched, &truth),
        Labels::Pairs(pairs) => Judgements::from_pairs(&matched, &pairs),
        Labels::Decisions => {
            Judgements::from_pairs(&matched, &LabelledPairs::from_reviews(&reviews))
        }
    };
    Set {
        name,
        matched,
        judgements,
    }
}

/// Reads a truth, or labelled pairs.
fn read_labels(path: &Path) -> anyhow::Result<Labels> {
    match evaluate::read_table(path, LabelledPairs::from_csv) {
        Ok(pairs) => Ok(Labels::Pairs(pairs)),
        Err(_no_pairs) => Ok(Labels::Truth(evaluate::read_table(path, Truth::from_csv)?)),
    }
}

/// Refuses weights that rest on too little or make matching worse.
fn check(fit: &Fit) -> anyhow::Result<()> {
    let same: usize = fit.sets.iter().map(|set| set.same).sum();
    let all: usize = fit.sets.iter().map(|set| set.pairs).sum();
    let fewer = same.min(all - same);
    anyhow::ensure!(
        fewer >= LEAST_PAIRS,
        "{same} judged pairs are one property and {} are two; at least {LEAST_PAIRS} of each are needed to put weights in force",
        all - same
    );
    anyhow::ensure!(
        fit.is_better(TOLERANCE),
        "the fitted weights match no better than the weights in force, so nothing was changed"
    );
    Ok(())
}

fn table(header: &[&str], names: usize) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn show(fit: &Fit) -> std::io::Result<()> {
    let header = [
        "",
        "level",
        "now",
        "fitted",
        "95 %",
        "of one property",
        "of two",
    ];
    let mut levels = table(&header, 2);
    for level in &fit.levels {
        let [low, high] = level.interval;
        levels.add_row([
            level.comparison.to_owned(),
            level.level.to_owned(),
            format!("{:+.1}", level.now),
            format!("{:+.1}", level.fitted),
            format!("{low:+.1} to {high:+.1}"),
            level.same.to_string(),
            level.different.to_string(),
        ]);
    }
    progress::result(&levels.to_string())?;
    progress::result(&format!(
        "Fitted to the judged pairs that were compared, drawn towards the weights in force, which are assumed to be \
         right within {} bits.",
        fit.assumed_error
    ))?;
    let header = [
        "set",
        "weights",
        "pairs",
        "of one property",
        "loss",
        "precision",
        "recall",
        "F1",
    ];
    let mut sets = table(&header, 2);
    for set in &fit.sets {
        let counts = [set.pairs, set.same].map(|count| count.to_string());
        sets.add_row(figures([&set.name, "now"], counts.clone(), &set.before));
        sets.add_row(figures(
            ["", "fitted to the other parts"],
            counts,
            &set.after,
        ));
    }
    progress::result(&format!("\n{sets}"))
}

fn figures(names: [&str; 2], counts: [String; 2], figures: &FitFigures) -> Vec<String> {
    let rate = |rate: Rate| {
        rate.0
            .map_or_else(|| "–".to_owned(), |rate| format!("{rate:.4}"))
    };
    let rates = [figures.precision, figures.recall, figures.f1].map(rate);
    names
        .map(str::to_owned)
        .into_iter()
        .chain(counts)
        .chain([format!("{:.4}", figures.loss)])
        .chain(rates)
        .collect()
}
