//! Measures fitted weights on pairs that they were not fitted to.

use std::collections::HashMap;

use super::examples::{Example, PARTS};
use super::regression::Regression;
use super::{FitFigures, JudgedSet, SetFigures};
use crate::blocking::Member;
use crate::evaluation::Rate;
use crate::weight_table::WeightTable;
use crate::weights::LEVELS;

/// For each part, the weights that are fitted to all other parts.
pub(super) fn tables(
    table: &WeightTable,
    assumed_error: f64,
    sets: &[Vec<Example>],
) -> Vec<WeightTable> {
    let without = |part: u64| {
        let others: Vec<&Example> = sets
            .iter()
            .flatten()
            .filter(|example| example.part != part)
            .collect();
        Regression::fit(table, assumed_error, &others).table
    };
    (0..PARTS).map(without).collect()
}

/// By how many bits the weights miss on the parts that they were not fitted to, as a mean.
pub(super) fn loss(tables: &[WeightTable], sets: &[Vec<Example>]) -> f64 {
    let all: Vec<&Example> = sets.iter().flatten().collect();
    mean_loss(&all, |part| &tables[part as usize])
}

/// The figures of a set before and after.
pub(super) fn figures(
    table: &WeightTable,
    tables: &[WeightTable],
    set: &JudgedSet<'_>,
    examples: &[Example],
) -> SetFigures {
    let all: Vec<&Example> = examples.iter().collect();
    let before = matched_pairs(set, |_| table);
    let after = matched_pairs(set, |part| &tables[part as usize]);
    SetFigures {
        name: set.name.to_owned(),
        pairs: examples.len(),
        same: examples.iter().filter(|example| example.same).count(),
        before: before.figures(mean_loss(&all, |_| table)),
        after: after.figures(mean_loss(&all, |part| &tables[part as usize])),
    }
}

/// The mean loss of examples, each with the weights for its part.
fn mean_loss<'a>(examples: &[&Example], table: impl Fn(u64) -> &'a WeightTable) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for example in examples {
        let table = table(example.part);
        let levels = example.levels.iter();
        let weight: f32 = levels
            .map(|level| table.weight(LEVELS[usize::from(*level)].1))
            .sum();
        let odds = f64::from(table.prior() + weight);
        let against = if example.same { -odds } else { odds };
        // log₂(1 + 2^x), without an overflow.
        let loss = against.max(0.0) + (-against.abs()).exp2().ln_1p() / std::f64::consts::LN_2;
        sum += example.count * loss;
        count += example.count;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The judged pairs that were joined rightly and wrongly, and all that should be.
#[derive(Default)]
struct MatchedPairs {
    right: usize,
    wrong: usize,
    real: usize,
}

impl MatchedPairs {
    fn figures(&self, loss: f64) -> FitFigures {
        let precision = Rate::ratio(self.right as f64, (self.right + self.wrong) as f64);
        let recall = Rate::ratio(self.right as f64, self.real as f64);
        FitFigures {
            loss: (loss * 1e4).round() / 1e4,
            precision,
            recall,
            f1: Rate::f1(precision, recall),
        }
    }
}

/// Clusters the whole set once for each different table, and counts the pairs of each part in the
/// clusters of its table.
fn matched_pairs<'a>(set: &JudgedSet<'_>, table: impl Fn(u64) -> &'a WeightTable) -> MatchedPairs {
    let mut found = MatchedPairs::default();
    let mut known: Option<(&WeightTable, HashMap<Member, usize>)> = None;
    for part in 0..PARTS {
        let table = table(part);
        let cluster_of = match known.take() {
            Some((before, clusters)) if before == table => clusters,
            _ => cluster_of(&set.matched.clusters_with(table)),
        };
        let true_pairs = set.judgements.true_pairs();
        let of_part = true_pairs.iter().filter(|(_, own)| *own == part);
        for ((one, other), _) in of_part {
            found.real += 1;
            found.right += usize::from(cluster_of.get(one) == cluster_of.get(other));
        }
        found.wrong += wrongly_joined(set, part, &cluster_of);
        known = Some((table, cluster_of));
    }
    found
}

fn cluster_of(clusters: &[Vec<Member>]) -> HashMap<Member, usize> {
    let numbered = clusters.iter().enumerate();
    let members = |(number, members): (usize, &Vec<Member>)| {
        let members = members.iter().map(|member| (*member, number));
        members.collect::<Vec<_>>()
    };
    numbered.flat_map(members).collect()
}

/// How many pairs of a part are in one cluster but are two properties.
fn wrongly_joined(set: &JudgedSet<'_>, part: u64, cluster_of: &HashMap<Member, usize>) -> usize {
    let mut members: HashMap<usize, Vec<Member>> = HashMap::new();
    for (member, cluster) in cluster_of {
        members.entry(*cluster).or_default().push(*member);
    }
    let wrong = |members: &Vec<Member>| {
        let mut count = 0;
        for (place, one) in members.iter().enumerate() {
            let others = members[place + 1..].iter();
            count += others
                .filter(|other| set.judgements.judge(*one, **other) == Some((false, part)))
                .count();
        }
        count
    };
    members.values().map(wrong).sum()
}
