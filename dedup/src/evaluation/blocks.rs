//! What blocking reaches, and what it costs.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schema::ListingKey;
use serde::Serialize;

use super::{Market, Rate, Truth, pairs_of};
use crate::blocking::{BOUND, Member, RULES};

/// What blocking reaches, and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockingReport {
    /// Listings.
    pub listings: usize,
    /// Pairs that are compared.
    pub candidates: usize,
    /// The same for each listing.
    pub candidates_per_listing: Rate,
    /// Blocks by size; those of the last entry are over the bound and make no pairs.
    pub blocks: Vec<BlocksOfSize>,
    /// Listings that share no key with any other.
    pub listings_without_company: usize,
    /// Listings that share keys, but only in blocks over the bound.
    pub listings_in_large_blocks_only: usize,
    /// Pairs of listings of one property.
    pub true_pairs: usize,
    /// Share of them that are not compared.
    pub unreached: Rate,
    /// Of the unreached, those that share no key.
    pub without_common_key: usize,
    /// Of the unreached, those that share only blocks over the bound.
    pub in_large_blocks_only: usize,
    /// Of the unreached, those that share a block within the bound and are left out all the same.
    pub passed_over: usize,
    /// Of the kinds that the truth names: share of their true pairs that are not compared.
    pub unreached_by_kind: BTreeMap<String, Rate>,
    /// Each rule.
    pub rules: Vec<RuleReport>,
    /// Unreached pairs, those without a common key first.
    pub examples: Vec<Unreached>,
}

/// How many blocks have so many listings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlocksOfSize {
    /// The sizes, as `3–5`.
    pub listings: String,
    /// The blocks.
    pub blocks: usize,
}

/// What one rule contributes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleReport {
    /// Its name.
    pub rule: &'static str,
    /// Blocks of two listings and more, within the bound.
    pub blocks: usize,
    /// Blocks over the bound.
    pub large_blocks: usize,
    /// Pairs that it has compared, also those that other rules have compared as well.
    pub pairs: usize,
    /// True pairs that it reaches, if nothing else leaves them out.
    pub true_pairs: usize,
    /// True pairs that only it reaches.
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
    /// Rules under which they meet in blocks over the bound; none means that they share no key.
    pub large_blocks: Vec<&'static str>,
    /// Whether they share a block within the bound, and are left out all the same.
    pub passed_over: bool,
}

/// A true pair with the rules that reach it.
struct Reached {
    property: usize,
    compared: bool,
    pair: (Member, Member),
    rules: BTreeSet<&'static str>,
    large: BTreeSet<&'static str>,
}

/// Reports on blocking; at most `examples` unreached pairs are named.
pub fn blocking_report(market: &Market, truth: &Truth, examples: usize) -> BlockingReport {
    let reached = reached(market, truth);
    let mut unreached: Vec<&Reached> = reached.iter().filter(|pair| !pair.compared).collect();
    unreached.sort_by_key(|pair| (!pair.rules.is_empty(), !pair.large.is_empty(), pair.pair));
    let passed_over = unreached
        .iter()
        .filter(|pair| !pair.rules.is_empty())
        .count();
    let without_common_key = unreached
        .iter()
        .filter(|pair| pair.rules.is_empty() && pair.large.is_empty())
        .count();
    let (without_company, in_large_blocks_only) = loners(market);
    BlockingReport {
        listings: market.profiles.len(),
        candidates: market.candidates.count(),
        candidates_per_listing: Rate::of(
            market.candidates.count() as f64,
            market.profiles.len() as f64,
        ),
        blocks: sizes(market),
        listings_without_company: without_company,
        listings_in_large_blocks_only: in_large_blocks_only,
        true_pairs: reached.len(),
        unreached: Rate::of(unreached.len() as f64, reached.len() as f64),
        without_common_key,
        in_large_blocks_only: unreached.len() - without_common_key - passed_over,
        passed_over,
        unreached_by_kind: by_kind(truth, &reached),
        rules: rules(market, &reached),
        examples: unreached
            .iter()
            .take(examples)
            .map(|pair| example(market, truth, pair))
            .collect(),
    }
}

/// Every true pair whose listings are both there.
fn reached(market: &Market, truth: &Truth) -> Vec<Reached> {
    let mut members: Vec<Vec<Member>> = vec![Vec::new(); truth.properties.len()];
    for (key, property) in &truth.listings {
        members[*property].extend(market.place(key));
    }
    let of_property = |(property, members): (usize, Vec<Member>)| {
        let mut found = Vec::new();
        for (place, one) in members.iter().enumerate() {
            for other in &members[place + 1..] {
                found.push(reach(market, property, (*one, *other)));
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

fn reach(market: &Market, property: usize, pair: (Member, Member)) -> Reached {
    let compared = market.compared(pair.0, pair.1);
    let mut reached = Reached {
        property,
        compared,
        pair,
        rules: BTreeSet::new(),
        large: BTreeSet::new(),
    };
    let other = &market.keys[pair.1 as usize];
    for (key, rule) in &market.keys[pair.0 as usize] {
        if other.binary_search_by_key(key, |(key, _)| *key).is_ok() {
            let large = market.block_sizes[key] > BOUND;
            if large {
                reached.large.insert(rule)
            } else {
                reached.rules.insert(rule)
            };
        }
    }
    reached
}

fn example(market: &Market, truth: &Truth, pair: &Reached) -> Unreached {
    Unreached {
        left: market.profile(pair.pair.0).key.clone(),
        right: market.profile(pair.pair.1).key.clone(),
        property: truth.properties[pair.property].name.clone(),
        large_blocks: pair.large.iter().copied().collect(),
        passed_over: !pair.rules.is_empty(),
    }
}

fn by_kind(truth: &Truth, reached: &[Reached]) -> BTreeMap<String, Rate> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for pair in reached {
        for kind in &truth.properties[pair.property].kinds {
            let (unreached, all) = counts.entry(kind).or_default();
            *unreached += usize::from(!pair.compared);
            *all += 1;
        }
    }
    let rate = |(unreached, all): (usize, usize)| Rate::of(unreached as f64, all as f64);
    counts
        .into_iter()
        .map(|(kind, counts)| (kind.to_owned(), rate(counts)))
        .collect()
}

fn sizes(market: &Market) -> Vec<BlocksOfSize> {
    let ends = [1, 2, 5, 10, 20, BOUND, usize::MAX];
    let mut from = 1;
    let of = |end: usize| {
        let listings = match end {
            usize::MAX => format!("over {BOUND}"),
            end if end == from => end.to_string(),
            end => format!("{from}–{end}"),
        };
        let blocks = market
            .block_sizes
            .values()
            .filter(|size| (from..=end).contains(*size))
            .count();
        from = end.saturating_add(1);
        BlocksOfSize { listings, blocks }
    };
    ends.map(of).to_vec()
}

/// Listings that nothing is compared with: those without company, and those in blocks over the bound only.
fn loners(market: &Market) -> (usize, usize) {
    let (mut without_company, mut in_large_blocks_only) = (0, 0);
    for keys in &market.keys {
        let sizes = || keys.iter().map(|(key, _)| market.block_sizes[key]);
        if sizes().all(|size| size < 2) {
            without_company += 1;
        } else if !sizes().any(|size| (2..=BOUND).contains(&size)) {
            in_large_blocks_only += 1;
        }
    }
    (without_company, in_large_blocks_only)
}

fn rules(market: &Market, reached: &[Reached]) -> Vec<RuleReport> {
    let rule_of: BTreeMap<i64, &'static str> = market.keys.iter().flatten().copied().collect();
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
    for (key, size) in &market.block_sizes {
        let Some(report) = rule_of.get(key).and_then(|rule| reports.get_mut(rule)) else {
            continue;
        };
        match *size {
            ..=1 => {}
            2..=BOUND => {
                report.blocks += 1;
                report.pairs += pairs_of(*size);
            }
            _ => report.large_blocks += 1,
        }
    }
    for pair in reached {
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
