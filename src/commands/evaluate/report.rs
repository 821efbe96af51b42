//! An evaluation as text.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use dedup::evaluation::{BlockingReport, Figures, LabelledFigures, Rate, Rates};

use super::{Evaluation, Shown};
use crate::commands::explain::words;
use crate::progress::result;

/// Bars for and against that are shown of a mistake.
const HEAVIEST: usize = 3;

pub fn show(evaluation: &Evaluation) -> std::io::Result<()> {
    figures(&evaluation.figures)?;
    if let Some(labelled) = &evaluation.labelled_pairs {
        labelled_pairs(labelled)?;
    }
    blocking(&evaluation.blocking)?;
    mistakes("Joined though they are different", &evaluation.false_merges)?;
    mistakes("Apart though they are one", &evaluation.misses)
}

/// Right-aligned numbers under a name.
fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn rate(rate: Rate) -> String {
    rate.0
        .map_or_else(|| "–".to_owned(), |rate| format!("{rate:.4}"))
}

fn per_cent(rate: Rate) -> String {
    rate.0
        .map_or_else(|| "–".to_owned(), |rate| format!("{:.2} %", rate * 100.0))
}

fn figures(figures: &Figures) -> std::io::Result<()> {
    result(&format!(
        "{} listings of {} properties in {} records; {} ambiguous listings left out",
        figures.listings, figures.properties, figures.predicted_clusters, figures.skipped_ambiguous
    ))?;
    if figures.missing_predictions + figures.unknown_predictions > 0 {
        result(&format!(
            "{} listings of the truth are not in the database, {} of the database not in the truth",
            figures.missing_predictions, figures.unknown_predictions
        ))?;
    }
    let mut measures = table(&["", "precision", "recall", "F1"]);
    let mut row = |name: &str, rates: &Rates| {
        measures.add_row([
            name.to_owned(),
            rate(rates.precision),
            rate(rates.recall),
            rate(rates.f1),
        ]);
    };
    row("pairs", &figures.pairwise);
    row("B-cubed", &figures.bcubed);
    result(&measures.to_string())?;
    let (over, split, largest) = (figures.over_merged, figures.split, figures.largest_cluster);
    result(&format!(
        "{} of the properties are found exactly; {} records hold several properties ({} listings), {} properties are \
         split; the largest record has {} listings of {} properties",
        per_cent(figures.exact_cluster_rate),
        over.clusters,
        over.listings,
        split.properties,
        largest.listings,
        largest.properties
    ))?;
    kinds(figures)?;
    shares(figures)
}

fn kinds(figures: &Figures) -> std::io::Result<()> {
    if figures.kinds.is_empty() {
        return Ok(());
    }
    let header = [
        "kind",
        "properties",
        "pairs",
        "precision",
        "recall",
        "F1",
        "exact",
        "over-merged",
        "split",
    ];
    let mut kinds = table(&header);
    let mut rows: Vec<_> = figures.kinds.iter().collect();
    rows.sort_by_key(|(_, kind)| Reverse(kind.properties));
    for (name, kind) in rows {
        kinds.add_row([
            name.clone(),
            kind.properties.to_string(),
            kind.true_pairs.to_string(),
            rate(kind.precision),
            rate(kind.recall),
            rate(kind.f1),
            rate(kind.exact_cluster_rate),
            kind.over_merged_clusters.to_string(),
            kind.split_properties.to_string(),
        ]);
    }
    result(&format!("\n{kinds}"))
}

fn shares(figures: &Figures) -> std::io::Result<()> {
    for (name, shares) in [
        ("listings of a property", &figures.by_listings_per_property),
        ("kind of offer", &figures.by_offer_type),
    ] {
        if shares.is_empty() {
            continue;
        }
        let mut rows = table(&[name, "properties", "recall", "exact"]);
        for (name, share) in shares {
            let (recall, exact) = (rate(share.recall), rate(share.exact_cluster_rate));
            rows.add_row([name.clone(), share.properties.to_string(), recall, exact]);
        }
        result(&format!("\n{rows}"))?;
    }
    Ok(())
}

fn labelled_pairs(labelled: &LabelledFigures) -> std::io::Result<()> {
    let mut rows = table(&[
        "",
        "precision",
        "recall",
        "F1",
        "joined rightly",
        "missed",
        "joined wrongly",
    ]);
    let mut row = |name: &str, precision, f1, wrong: usize| {
        let counts = [labelled.hits, labelled.missed, wrong].map(|count| count.to_string());
        let rates = [rate(precision), rate(labelled.recall), rate(f1)];
        rows.add_row([name.to_owned()].into_iter().chain(rates).chain(counts));
    };
    row(
        "labelled pairs",
        labelled.precision,
        labelled.f1,
        labelled.wrong,
    );
    if let Some(unlisted) = &labelled.with_unlisted {
        row(
            "and joined pairs without a label",
            unlisted.precision,
            unlisted.f1,
            unlisted.wrong,
        );
    }
    result(&format!("\n{rows}"))?;
    result(&format!(
        "{} ambiguous pairs count for nothing, {} of them are joined; {} labelled listings are not in the database",
        labelled.ambiguous, labelled.ambiguous_merged, labelled.absent
    ))?;
    if let Some(unlisted) = &labelled.with_unlisted {
        result(&format!(
            "{} of the {} properties with several listings and no doubt about any are found exactly",
            unlisted.solid_exact, unlisted.solid
        ))?;
    }
    Ok(())
}

fn blocking(report: &BlockingReport) -> std::io::Result<()> {
    let each = report.candidates_per_listing.0.unwrap_or_default();
    result(&format!(
        "\nBlocking: {} pairs compared, {each:.1} for each listing; {} of the {} true pairs are not ({} share no key, \
         {} share only blocks that are too large, {} are passed over)",
        report.candidates,
        per_cent(report.unreached),
        report.true_pairs,
        report.without_common_key,
        report.in_large_blocks_only,
        report.passed_over
    ))?;
    result(&format!(
        "{} listings share no key with another, {} only in blocks that are too large",
        report.listings_without_company, report.listings_in_large_blocks_only
    ))?;
    let names = report.blocks.iter().map(|size| size.listings.as_str());
    let mut sizes = table(
        &std::iter::once("listings in a block")
            .chain(names)
            .collect::<Vec<_>>(),
    );
    let counts = report.blocks.iter().map(|size| size.blocks.to_string());
    sizes.add_row(std::iter::once("blocks".to_owned()).chain(counts));
    result(&format!("\n{sizes}"))?;
    let mut rules = table(&[
        "rule",
        "blocks",
        "too large",
        "pairs compared",
        "true pairs reached",
        "by it alone",
    ]);
    for rule in &report.rules {
        let counts = [
            rule.blocks,
            rule.large_blocks,
            rule.pairs,
            rule.true_pairs,
            rule.true_pairs_only_here,
        ];
        let counts = counts.into_iter().map(|count| count.to_string());
        rules.add_row(std::iter::once(rule.rule.to_owned()).chain(counts));
    }
    result(&format!("\n{rules}"))?;
    let mut kinds: Vec<_> = report
        .unreached_by_kind
        .iter()
        .filter(|(_, unreached)| unreached.0 > Some(0.0))
        .collect();
    kinds.sort_by(|one, other| {
        other
            .1
            .0
            .partial_cmp(&one.1.0)
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    if !kinds.is_empty() {
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(kind, unreached)| format!("{kind} {}", per_cent(**unreached)))
            .collect();
        result(&format!(
            "\nTrue pairs that are not compared, by kind: {}",
            kinds.join(", ")
        ))?;
    }
    for example in &report.examples {
        let why = match &*example.large_blocks {
            [] if !example.passed_over => "no common key".to_owned(),
            [] => "passed over".to_owned(),
            rules => format!("too many share {}", rules.join(", ")),
        };
        result(&format!(
            "  jeden explain {} {}  ({}: {why})",
            example.left, example.right, example.property
        ))?;
    }
    Ok(())
}

fn mistakes(title: &str, by_kind: &BTreeMap<String, Vec<Shown>>) -> std::io::Result<()> {
    for (kind, mistakes) in by_kind {
        result(&format!("\n{title}, {kind}:"))?;
        for mistake in mistakes {
            mistake_in_words(mistake)?;
        }
    }
    Ok(())
}

fn mistake_in_words(mistake: &Shown) -> std::io::Result<()> {
    let pair = &mistake.pair;
    result(&format!(
        "  jeden explain {} {}  ({} pairs; {})",
        pair.left,
        pair.right,
        mistake.pairs,
        mistake.properties.join(", ")
    ))?;
    for bar in pair.heaviest(HEAVIEST).concat() {
        result(&format!("  {}", words::bar(bar)))?;
    }
    result(&format!("    {:+7.1}  in all", pair.evidence.weight))?;
    for reason in &mistake.apart_because {
        result(&format!("    {}", words::reason(reason)))?;
    }
    Ok(())
}
