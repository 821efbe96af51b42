//! Blocking finds every pair that shares a block and passes its filter.

use std::collections::{BTreeMap, BTreeSet};

use dedup::blocking::{Blocks, CoarseFacts, PairFilter};
use dedup::clustering::Constraints;
use dedup::weight_table::WeightTable;
use dedup::{blocking, engine, statistics};

use super::engine::profiles;

#[test]
fn blocking_finds_exactly_the_pairs_that_pass_the_filter_of_a_shared_block() {
    for market in 0..4 {
        let mut profiles = profiles(70, market);
        let blocks = Blocks::from_entries(engine::blocking_entries(&profiles));
        statistics::apply_to_all(&mut profiles, &blocks);
        let keys: Vec<BTreeSet<i64>> = profiles
            .iter()
            .map(|profile| blocking::keys(profile).into_iter().collect())
            .collect();
        let mut sizes = BTreeMap::<i64, usize>::new();
        for key in keys.iter().flatten() {
            *sizes.entry(*key).or_default() += 1;
        }
        let everyone = 0..profiles.len() as u32;
        let all: Vec<(u32, u32)> = everyone
            .clone()
            .flat_map(|left| {
                everyone
                    .clone()
                    .filter(move |right| left < *right)
                    .map(move |right| (left, right))
            })
            .collect();
        let coarse_facts: Vec<CoarseFacts> =
            profiles.iter().map(CoarseFacts::from_profile).collect();
        let meet = |(left, right): &&(u32, u32)| {
            let (left, right) = (*left as usize, *right as usize);
            let mut filters = keys[left]
                .intersection(&keys[right])
                .filter_map(|key| PairFilter::for_block(*key, sizes[key]));
            filters.any(|filter| coarse_facts[left].pass(&coarse_facts[right], filter))
        };
        let meeting: Vec<(u32, u32)> = all.iter().filter(meet).copied().collect();
        let scored = |(left, right): &(u32, u32)| {
            let (weight, vetoed) = engine::score_pair(
                &WeightTable::default(),
                &profiles[*left as usize],
                &profiles[*right as usize],
            )?;
            Some(engine::ScoredPair {
                left: *left,
                right: *right,
                weight,
                vetoed,
            })
        };
        let expected: Vec<_> = meeting.iter().filter_map(scored).collect();
        assert!(
            expected.iter().any(engine::ScoredPair::is_link),
            "market {market} has links"
        );
        assert_eq!(
            engine::partition(
                &WeightTable::default(),
                &mut profiles.clone(),
                &Constraints::default()
            )
            .pairs,
            expected,
            "market {market}"
        );
    }
}
