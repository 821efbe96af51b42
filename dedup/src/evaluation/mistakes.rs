//! The worst mistakes, each with the pair of listings to look at.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use schema::ListingPair;

use super::labelled_pairs::Label;
use super::{LabelledPairs, MatchedListings, PredictedClusters, Truth};
use crate::blocking::Member;
use crate::engine;
use crate::scoring;

/// How many pairs of one mistake are scored to find the heaviest one.
const MAX_SCORED: usize = 400;

/// A cluster with several properties, or a property in several clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    /// Indices of the properties in [`Truth::properties`].
    pub properties: Vec<usize>,
    /// How many pairs are joined but are two properties, or separate but are one.
    pub pairs: usize,
    /// One listing of the heaviest of these pairs.
    pub left: Member,
    /// The other listing.
    pub right: Member,
    /// The match weight of that pair.
    pub weight: f32,
}

/// Mistakes by kind of trap.
type MistakesByKind<'a> = BTreeMap<&'a str, Vec<&'a Mistake>>;

/// The kind of mistakes in properties without a kind.
const ANY_KIND: &str = "all";

/// Clusters with several properties, those with the most false pairs first. A pair with the label
/// *ambiguous* is not a false pair.
pub fn false_merges(
    matched: &MatchedListings,
    truth: &Truth,
    found: &PredictedClusters,
    labels: &LabelledPairs,
) -> Vec<Mistake> {
    let certain = |(left, right): &(Member, Member)| {
        let key = |place: &Member| matched.profile(*place).key.clone();
        labels.pairs.is_empty()
            || ListingPair::new(key(left), key(right))
                .and_then(|pair| labels.pairs.get(&pair))
                .is_none_or(|(label, _)| *label != Label::Ambiguous)
    };
    let mut clusters: HashMap<u32, Vec<(Member, usize)>> = HashMap::new();
    for (key, property) in &truth.listings {
        if let Some((cluster, place)) = found.get(key).zip(matched.member(key)) {
            clusters
                .entry(*cluster)
                .or_default()
                .push((place, *property));
        }
    }
    worst_first(
        clusters
            .into_values()
            .filter_map(|members| mistake(matched, &members, certain)),
    )
}

/// Properties in several clusters, those with the most missed pairs first.
pub fn misses(matched: &MatchedListings, truth: &Truth, found: &PredictedClusters) -> Vec<Mistake> {
    let mut properties: HashMap<usize, Vec<(Member, usize)>> = HashMap::new();
    for (key, property) in &truth.listings {
        if let Some((cluster, place)) = found.get(key).zip(matched.member(key)) {
            properties
                .entry(*property)
                .or_default()
                .push((place, *cluster as usize));
        }
    }
    let missed = properties.into_iter().filter_map(|(property, members)| {
        let mistake = mistake(matched, &members, |_| true)?;
        Some(Mistake {
            properties: vec![property],
            ..mistake
        })
    });
    worst_first(missed)
}

/// The mistake among some members, each with the number of its property or cluster; `None` if no
/// counted pair has two different numbers.
fn mistake(
    matched: &MatchedListings,
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
        let (first, second) = engine::ordered_by_key(matched.profile(left), matched.profile(right));
        let vetoed = scoring::veto_between(first, second).is_some();
        (
            !vetoed,
            scoring::match_weight(&matched.table, first, second),
            left,
            right,
        )
    };
    let heaviest = between().take(MAX_SCORED).map(weigh).max_by(|one, other| {
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

fn worst_first(mistakes: impl Iterator<Item = Mistake>) -> Vec<Mistake> {
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

/// The first `each` mistakes of every kind of trap. Each mistake is listed under one kind only.
pub fn by_kind<'a>(truth: &'a Truth, mistakes: &'a [Mistake], each: usize) -> MistakesByKind<'a> {
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
    // The rarest kinds choose first, because common kinds have other mistakes to choose from.
    let mut kinds: Vec<(&str, Vec<usize>)> = of_kind.into_iter().collect();
    kinds.sort_by_key(|(_, numbers)| numbers.len());
    let mut shown = HashSet::new();
    let mut chosen = MistakesByKind::new();
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
