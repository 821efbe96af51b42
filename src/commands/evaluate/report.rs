//! Prints an evaluation as text.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use dedup::evaluation::{
    BlockingReport, ClusterMetrics, LabelledMetrics, Rate, Rates, ReliabilityBand, ThresholdPoint,
};
use operations::words;

use super::{Evaluation, Shown};
use crate::progress::result;

/// How many bars for and against are shown for a mistake.
const HEAVIEST: usize = 3;

pub fn show(evaluation: &Evaluation) -> std::io::Result<()> {
    metrics(&evaluation.figures)?;
    if let Some(labelled) = &evaluation.labelled_pairs {
        labelled_pairs(labelled)?;
    }
    reliability(&evaluation.reliability)?;
    curve(&evaluation.curve)?;
    blocking(&evaluation.blocking)?;
    mistakes("Joined but different properties", &evaluation.false_merges)?;
    mistakes("Separate but one property", &evaluation.misses)
}

/// A table whose first column is a name and the others are right-aligned numbers.
pub fn table(header: &[&str]) -> Table {
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

pub fn per_cent(rate: Rate) -> String {
    rate.0
        .map_or_else(|| "–".to_owned(), |rate| format!("{:.2} %", rate * 100.0))
}

fn metrics(metrics: &ClusterMetrics) -> std::io::Result<()> {
    result(&format!(
        "{} listings of {} properties in {} records; {} ambiguous listings left out",
        metrics.listings, metrics.properties, metrics.predicted_clusters, metrics.skipped_ambiguous
    ))?;
    if metrics.missing_predictions + metrics.unknown_predictions > 0 {
        result(&format!(
            "{} listings of the truth are not in the database; {} listings of the database are not in the truth",
            metrics.missing_predictions, metrics.unknown_predictions
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
    row("pairs", &metrics.pairwise);
    row("B-cubed", &metrics.bcubed);
    result(&measures.to_string())?;
    let (over, split, largest) = (metrics.over_merged, metrics.split, metrics.largest_cluster);
    result(&format!(
        "{} of the properties are found exactly; {} records hold several properties ({} listings), {} properties are \
         split; the largest record has {} listings of {} properties",
        per_cent(metrics.exact_cluster_rate),
        over.clusters,
        over.listings,
        split.properties,
        largest.listings,
        largest.properties
    ))?;
    kinds(metrics)?;
    shares(metrics)
}

fn kinds(metrics: &ClusterMetrics) -> std::io::Result<()> {
    if metrics.kinds.is_empty() {
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
    let mut rows: Vec<_> = metrics.kinds.iter().collect();
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

fn shares(metrics: &ClusterMetrics) -> std::io::Result<()> {
    for (name, shares) in [
        ("listings of a property", &metrics.by_listings_per_property),
        ("kind of offer", &metrics.by_offer_type),
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

fn labelled_pairs(labelled: &LabelledMetrics) -> std::io::Result<()> {
    let mut rows = table(&[
        "",
        "precision",
        "recall",
        "F1",
        "correctly joined",
        "missed",
        "wrongly joined",
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
            "with unlabelled joined pairs",
            unlisted.precision,
            unlisted.f1,
            unlisted.wrong,
        );
    }
    result(&format!("\n{rows}"))?;
    result(&format!(
        "{} ambiguous pairs are not counted, {} of them are joined; {} labelled listings are not in the database",
        labelled.ambiguous, labelled.ambiguous_merged, labelled.absent
    ))?;
    if let Some(unlisted) = &labelled.with_unlisted {
        result(&format!(
            "{} of the {} properties with several listings and no ambiguous pair are found exactly",
            unlisted.solid_exact, unlisted.solid
        ))?;
    }
    Ok(())
}

fn reliability(bands: &[ReliabilityBand]) -> std::io::Result<()> {
    if bands.is_empty() {
        return Ok(());
    }
    let mut rows = table(&[
        "joined with confidence",
        "pairs",
        "right",
        "expected",
        "found",
    ]);
    for band in bands {
        rows.add_row([
            band.confidence.to_owned(),
            band.pairs.to_string(),
            band.right.to_string(),
            per_cent(band.expected),
            per_cent(band.found),
        ]);
    }
    result(&format!("\n{rows}"))
}

fn curve(points: &[ThresholdPoint]) -> std::io::Result<()> {
    if points.is_empty() {
        return Ok(());
    }
    let header = ["threshold", "precision", "recall", "F1", "B-cubed", "exact"];
    let mut rows = table(&header);
    for point in points {
        let rates = [
            point.precision,
            point.recall,
            point.f1,
            point.bcubed,
            point.exact,
        ];
        let moved = format!("{:+.3}", point.moved);
        rows.add_row(std::iter::once(moved).chain(rates.map(rate)));
    }
    result(&format!("\n{rows}"))
}

fn blocking(report: &BlockingReport) -> std::io::Result<()> {
    let each = report.candidates_per_listing.0.unwrap_or_default();
    result(&format!(
        "\nBlocking: {} pairs compared, {each:.1} per listing; {} of the {} true pairs are not compared ({} share no \
         key, {} share only blocks that are too large, {} did not pass a filter)",
        report.candidates,
        per_cent(report.unreached),
        report.true_pairs,
        report.without_common_key,
        report.in_large_blocks_only,
        report.passed_over
    ))?;
    result(&format!(
        "{} listings share no key with another listing, {} only in blocks that are too large",
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
        "only by this rule",
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
            [] => "did not pass a filter".to_owned(),
            rules => format!("too many listings share {}", rules.join(", ")),
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
