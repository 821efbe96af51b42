//! Blocking leaves out no pair that meets.

use std::collections::{BTreeMap, BTreeSet};

use dedup::blocking::{Fit, Outline};
use dedup::clustering::Decisions;
use dedup::survey::Survey;
use dedup::{blocking, engine};

use super::engine::profiles;

#[test]
fn of_all_pairs_those_that_share_a_small_enough_block_and_whose_figures_fit_where_it_says_little_are_found()
 {
    for market in 0..4 {
        let mut profiles = profiles(70, market);
        Survey::of(&profiles, &engine::entries(&profiles)).note(&mut profiles);
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
        let outlines: Vec<Outline> = profiles.iter().map(Outline::of).collect();
        let meet = |(left, right): &&(u32, u32)| {
            let (left, right) = (*left as usize, *right as usize);
            let mut asked = keys[left]
                .intersection(&keys[right])
                .filter_map(|key| Fit::asked(*key, sizes[key]));
            asked.any(|fit| outlines[left].fits(&outlines[right], fit))
        };
        let meeting: Vec<(u32, u32)> = all.iter().filter(meet).copied().collect();
        let scored = |(left, right): &(u32, u32)| {
            let (weight, vetoed) =
                engine::weighed(&profiles[*left as usize], &profiles[*right as usize])?;
            Some(engine::ScoredPair {
                left: *left,
                right: *right,
                weight,
                vetoed,
            })
        };
        let expected: Vec<_> = meeting.iter().filter_map(scored).collect();
        assert!(
            expected.iter().any(engine::ScoredPair::links),
            "market {market} has doubles"
        );
        assert_eq!(
            engine::partition(&mut profiles.clone(), &Decisions::default()).pairs,
            expected,
            "market {market}"
        );
    }
}
