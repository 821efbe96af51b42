//! The mistakes themselves: which pair of listings to look at.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use schema::ListingPair;

use super::{Found, Label, LabelledPairs, Market, Truth};
use crate::blocking::Member;
use crate::engine;
use crate::scoring;

/// Pairs of one mistake that are weighed to find the most telling one: a huge cluster shows by any of them.
const WEIGHED: usize = 400;

/// A cluster that holds several properties, or a property that is in several clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    /// The properties, by place in [`Truth::properties`].
    pub properties: Vec<usize>,
    /// Pairs that are joined though they are two properties, or apart though they are one.
    pub pairs: usize,
    /// The pair of them that weighs most, one listing.
    pub left: Member,
    /// The other.
    pub right: Member,
    /// What it weighs, log₂.
    pub weight: f32,
}

/// Mistakes by kind of trap.
pub type Mistaken<'a> = BTreeMap<&'a str, Vec<&'a Mistake>>;

/// The name under which mistakes stand where the truth names no kinds.
pub const ANY_KIND: &str = "all";

/// Clusters that hold listings of several properties: those with the most false pairs first. A pair that is labelled
/// ambiguous is no false one.
pub fn false_merges(
    market: &Market,
    truth: &Truth,
    found: &Found,
    labels: &LabelledPairs,
) -> Vec<Mistake> {
    let certain = |(left, right): &(Member, Member)| {
        let key = |place: &Member| market.profile(*place).key.clone();
        labels.pairs.is_empty()
            || ListingPair::new(key(left), key(right))
                .and_then(|pair| labels.pairs.get(&pair))
                .is_none_or(|(label, _)| *label != Label::Ambiguous)
    };
    let mut clusters: HashMap<u32, Vec<(Member, usize)>> = HashMap::new();
    for (key, property) in &truth.listings {
        if let Some((cluster, place)) = found.get(key).zip(market.place(key)) {
            clusters
                .entry(*cluster)
                .or_default()
                .push((place, *property));
        }
    }
    in_order(
        clusters
            .into_values()
            .filter_map(|members| mistake(market, &members, certain)),
    )
}

/// Properties whose listings are in several clusters: those with the most missed pairs first.
pub fn misses(market: &Market, truth: &Truth, found: &Found) -> Vec<Mistake> {
    let mut properties: HashMap<usize, Vec<(Member, usize)>> = HashMap::new();
    for (key, property) in &truth.listings {
        if let Some((cluster, place)) = found.get(key).zip(market.place(key)) {
            properties
                .entry(*property)
                .or_default()
                .push((place, *cluster as usize));
        }
    }
    let missed = properties.into_iter().filter_map(|(property, members)| {
        let mistake = mistake(market, &members, |_| true)?;
        Some(Mistake {
            properties: vec![property],
            ..mistake
        })
    });
    in_order(missed)
}

/// The mistake of some listings that are told apart by a number; `None` where no pair that counts has two of them.
fn mistake(
    market: &Market,
    members: &[(Member, usize)],
    counts: impl Fn(&(Member, Member)) -> bool,
) -> Option<Mistake> {
    let between = || {
        members.iter().enumerate().flat_map(|(place, one)| {
            let rest = members[place + 1..].iter();
            rest.filter(|other| one.1 != other.1)
                .map(|other| (one.0.min(other.0), one.0.max(other.0)))
        })
    };
    let between = || between().filter(|pair| counts(pair));
    let weigh = |(left, right)| {
        let (first, second) = engine::in_order(market.profile(left), market.profile(right));
        let vetoed = scoring::veto::of(first, second).is_some();
        (!vetoed, scoring::weight(first, second), left, right)
    };
    let heaviest = between().take(WEIGHED).map(weigh).max_by(|one, other| {
        let by_weight = one.0.cmp(&other.0).then(one.1.total_cmp(&other.1));
        by_weight.then_with(|| (other.2, other.3).cmp(&(one.2, one.3)))
    });
    let (_, weight, left, right) = heaviest?;
    let properties: BTreeSet<usize> = members.iter().map(|(_, number)| *number).collect();
    Some(Mistake {
        properties: properties.into_iter().collect(),
        pairs: between().count(),
        left,
        right,
        weight,
    })
}

fn in_order(mistakes: impl Iterator<Item = Mistake>) -> Vec<Mistake> {
    let mut mistakes: Vec<Mistake> = mistakes.collect();
    mistakes.sort_by(|one, other| {
        let by_pairs = other
            .pairs
            .cmp(&one.pairs)
            .then(other.weight.total_cmp(&one.weight));
        by_pairs.then_with(|| (one.left, one.right).cmp(&(other.left, other.right)))
    });
    mistakes
}

/// The first `each` mistakes of every kind of trap that their properties are there for; each mistake stands under one
/// kind only.
pub fn by_kind<'a>(truth: &'a Truth, mistakes: &'a [Mistake], each: usize) -> Mistaken<'a> {
    let mut of_kind: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, mistake) in mistakes.iter().enumerate() {
        let kinds = mistake
            .properties
            .iter()
            .flat_map(|property| &truth.properties[*property].kinds);
        let mut kinds: BTreeSet<&str> = kinds.map(String::as_str).collect();
        if kinds.is_empty() {
            kinds.insert(ANY_KIND);
        }
        for kind in kinds {
            of_kind.entry(kind).or_default().push(number);
        }
    }
    // The rarest kinds choose first: a mistake of a common one is easily found elsewhere.
    let mut kinds: Vec<(&str, Vec<usize>)> = of_kind.into_iter().collect();
    kinds.sort_by_key(|(_, numbers)| numbers.len());
    let mut shown = HashSet::new();
    let mut chosen = Mistaken::new();
    for (kind, numbers) in kinds {
        let fresh: Vec<usize> = numbers
            .into_iter()
            .filter(|number| !shown.contains(number))
            .take(each)
            .collect();
        shown.extend(fresh.iter().copied());
        if !fresh.is_empty() {
            chosen.insert(
                kind,
                fresh.into_iter().map(|number| &mistakes[number]).collect(),
            );
        }
    }
    chosen
}
