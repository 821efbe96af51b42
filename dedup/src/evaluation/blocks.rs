//! What blocking misses and what it costs.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schema::ListingKey;
use serde::Serialize;

use super::{MatchedListings, Rate, Truth, pairs_of};
use crate::blocking::{MAX_BLOCK_SIZE, Member, RULES};

/// What blocking misses and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockingReport {
    /// The number of listings.
    pub listings: usize,
    /// The number of candidate pairs.
    pub candidates: usize,
    /// Candidate pairs per listing.
    pub candidates_per_listing: Rate,
    /// Blocks by size. Those of the last entry are too large to make pairs.
    pub blocks: Vec<BlocksOfSize>,
    /// Listings that share no key with another listing.
    pub listings_without_company: usize,
    /// Listings that share keys only in blocks that are too large.
    pub listings_in_large_blocks_only: usize,
    /// Pairs of listings of one property.
    pub true_pairs: usize,
    /// The share of true pairs that are not compared.
    pub unreached: Rate,
    /// True pairs that are not compared because they share no key.
    pub without_common_key: usize,
    /// True pairs that are not compared because all shared blocks are too large.
    pub in_large_blocks_only: usize,
    /// True pairs that are not compared because they did not pass the filter of a block.
    pub passed_over: usize,
    /// By kind of trap, the share of true pairs that are not compared.
    pub unreached_by_kind: BTreeMap<String, Rate>,
    /// The blocking rules.
    pub rules: Vec<RuleReport>,
    /// True pairs that are not compared, those without a common key first.
    pub examples: Vec<Unreached>,
}

/// The number of blocks of some size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlocksOfSize {
    /// The range of sizes, such as `3–5`.
    pub listings: String,
    /// The number of blocks.
    pub blocks: usize,
}

/// What one rule contributes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleReport {
    /// Its name.
    pub rule: &'static str,
    /// Blocks of at least two listings that make pairs.
    pub blocks: usize,
    /// Blocks that are too large.
    pub large_blocks: usize,
    /// Pairs in its blocks, including those that share blocks of other rules.
    pub pairs: usize,
    /// True pairs in its blocks.
    pub true_pairs: usize,
    /// True pairs in its blocks and in no blocks of other rules.
    pub true_pairs_only_here: usize,
}

/// A true pair that is never compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unreached {
    /// One listing.
    pub left: ListingKey,
    /// The other.
    pub right: ListingKey,
    /// Their property, as the truth names it.
    pub property: String,
    /// Rules of the shared blocks that are too large.
    pub large_blocks: Vec<&'static str>,
    /// Whether they share a block that makes pairs but did not pass its filter.
    pub passed_over: bool,
}

/// A true pair with the rules of its shared blocks.
struct TruePair {
    property: usize,
    compared: bool,
    pair: (Member, Member),
    rules: BTreeSet<&'static str>,
    large: BTreeSet<&'static str>,
}

/// Reports on blocking, with at most `examples` true pairs that are not compared.
pub fn blocking_report(
    matched: &MatchedListings,
    truth: &Truth,
    examples: usize,
) -> BlockingReport {
    let true_pairs = true_pairs(matched, truth);
    let mut unreached: Vec<&TruePair> = true_pairs.iter().filter(|pair| !pair.compared).collect();
    unreached.sort_by_key(|pair| (!pair.rules.is_empty(), !pair.large.is_empty(), pair.pair));
    let passed_over = unreached
        .iter()
        .filter(|pair| !pair.rules.is_empty())
        .count();
    let without_common_key = unreached
        .iter()
        .filter(|pair| pair.rules.is_empty() && pair.large.is_empty())
        .count();
    let (alone, in_large_blocks_only) = uncompared_listings(matched);
    BlockingReport {
        listings: matched.profiles.len(),
        candidates: matched.candidates.count(),
        candidates_per_listing: Rate::ratio(
            matched.candidates.count() as f64,
            matched.profiles.len() as f64,
        ),
        blocks: sizes(matched),
        listings_without_company: alone,
        listings_in_large_blocks_only: in_large_blocks_only,
        true_pairs: true_pairs.len(),
        unreached: Rate::ratio(unreached.len() as f64, true_pairs.len() as f64),
        without_common_key,
        in_large_blocks_only: unreached.len() - without_common_key - passed_over,
        passed_over,
        unreached_by_kind: by_kind(truth, &true_pairs),
        rules: rules(matched, &true_pairs),
        examples: unreached
            .iter()
            .take(examples)
            .map(|pair| example(matched, truth, pair))
            .collect(),
    }
}

/// Every true pair whose listings are both known.
fn true_pairs(matched: &MatchedListings, truth: &Truth) -> Vec<TruePair> {
    let mut members: Vec<Vec<Member>> = vec![Vec::new(); truth.properties.len()];
    for (key, property) in &truth.listings {
        members[*property].extend(matched.member(key));
    }
    let of_property = |(property, members): (usize, Vec<Member>)| {
        let mut found = Vec::new();
        for (place, one) in members.iter().enumerate() {
            for other in &members[place + 1..] {
                found.push(true_pair(matched, property, (*one, *other)));
            }
        }
        found
    };
    members
        .into_par_iter()
        .enumerate()
        .flat_map_iter(of_property)
        .collect()
}

fn true_pair(matched: &MatchedListings, property: usize, pair: (Member, Member)) -> TruePair {
    let compared = matched.compared(pair.0, pair.1);
    let mut found = TruePair {
        property,
        compared,
        pair,
        rules: BTreeSet::new(),
        large: BTreeSet::new(),
    };
    let other = &matched.keys[pair.1 as usize];
    for (key, rule) in &matched.keys[pair.0 as usize] {
        if other.binary_search_by_key(key, |(key, _)| *key).is_ok() {
            let large = matched.block_sizes[key] > MAX_BLOCK_SIZE;
            if large {
                found.large.insert(rule)
            } else {
                found.rules.insert(rule)
            };
        }
    }
    found
}

fn example(matched: &MatchedListings, truth: &Truth, pair: &TruePair) -> Unreached {
    Unreached {
        left: matched.profile(pair.pair.0).key.clone(),
        right: matched.profile(pair.pair.1).key.clone(),
        property: truth.properties[pair.property].name.clone(),
        large_blocks: pair.large.iter().copied().collect(),
        passed_over: !pair.rules.is_empty(),
    }
}

fn by_kind(truth: &Truth, true_pairs: &[TruePair]) -> BTreeMap<String, Rate> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for pair in true_pairs {
        for kind in &truth.properties[pair.property].kinds {
            let (unreached, all) = counts.entry(kind).or_default();
            *unreached += usize::from(!pair.compared);
            *all += 1;
        }
    }
    let rate = |(unreached, all): (usize, usize)| Rate::ratio(unreached as f64, all as f64);
    counts
        .into_iter()
        .map(|(kind, counts)| (kind.to_owned(), rate(counts)))
        .collect()
}

fn sizes(matched: &MatchedListings) -> Vec<BlocksOfSize> {
    let ends = [1, 2, 5, 10, 20, MAX_BLOCK_SIZE, usize::MAX];
    let mut from = 1;
    let of_size = |end: usize| {
        let listings = match end {
            usize::MAX => format!("over {MAX_BLOCK_SIZE}"),
            end if end == from => end.to_string(),
            end => format!("{from}–{end}"),
        };
        let blocks = matched
            .block_sizes
            .values()
            .filter(|size| (from..=end).contains(*size))
            .count();
        from = end.saturating_add(1);
        BlocksOfSize { listings, blocks }
    };
    ends.map(of_size).to_vec()
}

/// How many listings share no key, and how many share keys only in blocks that are too large.
fn uncompared_listings(matched: &MatchedListings) -> (usize, usize) {
    let (mut alone, mut in_large_blocks_only) = (0, 0);
    for keys in &matched.keys {
        let sizes = || keys.iter().map(|(key, _)| matched.block_sizes[key]);
        if sizes().all(|size| size < 2) {
            alone += 1;
        } else if !sizes().any(|size| (2..=MAX_BLOCK_SIZE).contains(&size)) {
            in_large_blocks_only += 1;
        }
    }
    (alone, in_large_blocks_only)
}

fn rules(matched: &MatchedListings, true_pairs: &[TruePair]) -> Vec<RuleReport> {
    let rule_of: BTreeMap<i64, &'static str> = matched.keys.iter().flatten().copied().collect();
    let report = |rule| RuleReport {
        rule,
        blocks: 0,
        large_blocks: 0,
        pairs: 0,
        true_pairs: 0,
        true_pairs_only_here: 0,
    };
    let mut reports: BTreeMap<&'static str, RuleReport> = RULES
        .iter()
        .map(|rule| (rule.name, report(rule.name)))
        .collect();
    for (key, size) in &matched.block_sizes {
        let Some(report) = rule_of.get(key).and_then(|rule| reports.get_mut(rule)) else {
            continue;
        };
        match *size {
            ..=1 => {}
            2..=MAX_BLOCK_SIZE => {
                report.blocks += 1;
                report.pairs += pairs_of(*size);
            }
            _ => report.large_blocks += 1,
        }
    }
    for pair in true_pairs {
        for rule in &pair.rules {
            let Some(report) = reports.get_mut(rule) else {
                continue;
            };
            report.true_pairs += 1;
            report.true_pairs_only_here += usize::from(pair.rules.len() == 1);
        }
    }
    RULES
        .iter()
        .filter_map(|rule| reports.remove(rule.name))
        .collect()
}
