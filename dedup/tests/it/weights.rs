//! The weights: documented, and estimated from data.

use dedup::addresses::Addresses;
use dedup::evaluation::{self, EstimatedLevel, Estimates, MatchedListings, Truth};
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use dedup::weights::{LEVELS, PRIOR};

use super::engine::listings;

/// A crowded market. Two adverts are of one flat if they state the same layout and size.
fn estimates(labelled: bool) -> Estimates {
    let listings = listings(150, 3);
    let profiles: Vec<Profile> = listings
        .iter()
        .map(|listing| Profile::from_listing(listing, &Addresses::default()))
        .collect();
    let rows = profiles.iter().map(|profile| {
        let flat = (
            profile.arrangement,
            profile.living_area.map(|area| (area * 10.0) as i64),
        );
        format!(
            "{},{},\"{flat:?}\"\n",
            profile.key.site_id, profile.key.offer_id
        )
    });
    let table = format!("siteId,offerId,propertyId\n{}", rows.collect::<String>());
    let truth = if labelled {
        Truth::from_csv(table.as_bytes()).unwrap()
    } else {
        Truth::default()
    };
    evaluation::estimates(
        &MatchedListings::build(WeightTable::default(), profiles, Vec::new()),
        &truth,
    )
}

fn level_of<'a>(estimates: &'a Estimates, comparison: &str, level: &str) -> &'a EstimatedLevel {
    let found = estimates
        .levels
        .iter()
        .find(|one| one.comparison == comparison && one.level == level);
    found.expect("a level that pairs of the market reach")
}

#[test]
fn levels_that_the_truth_is_made_of_weigh_for_and_levels_that_it_excludes_against() {
    let estimates = estimates(true);
    assert!(estimates.true_pairs.is_some_and(|pairs| pairs > 50) && estimates.random_pairs > 1_000);
    let same = level_of(&estimates, "layout", "the same layout");
    let other = level_of(&estimates, "layout", "one room apart");
    assert!(
        same.counted > Some(1.0) && other.counted < Some(-3.0),
        "{same:?} {other:?}"
    );
    assert_eq!((same.of_true, other.of_true), (Some(1.0), Some(0.0)));
    // Shrunk weights move towards the table, never past it.
    for level in &estimates.levels[1..] {
        let (counted, shrunk) = level.counted.zip(level.shrunk).unwrap();
        let (low, high) = (counted.min(level.table), counted.max(level.table));
        assert!((low - 0.01..=high + 0.01).contains(&shrunk), "{level:?}");
    }
}

#[test]
fn without_labels_the_weights_stay_near_the_table() {
    let estimates = estimates(false);
    assert_eq!(
        (estimates.true_pairs, estimates.levels[0].counted),
        (None, None)
    );
    assert!(
        estimates.rounds > 1 && estimates.expected_matches > 1.0,
        "{estimates:#?}"
    );
    for level in &estimates.levels[1..] {
        assert!((level.unlabelled - level.table).abs() <= 4.01, "{level:?}");
    }
}

#[test]
fn estimates_are_reproducible() {
    assert_eq!(estimates(true), estimates(true));
}

/// The rows of the table of levels in `docs/MATCHING.md`: comparison, level, weight.
fn documented_levels() -> Vec<(String, String, String)> {
    let document = include_str!("../../../docs/MATCHING.md");
    let mut comparison = String::new();
    let mut rows = Vec::new();
    for line in document.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, level, weight, _] = cells[..] else {
            continue;
        };
        if !weight.starts_with(['+', '−', '0']) || !weight.contains('.') {
            continue;
        }
        if !name.is_empty() {
            name.clone_into(&mut comparison);
        }
        rows.push((comparison.clone(), level.to_owned(), weight.to_owned()));
    }
    rows
}

#[test]
fn the_documented_levels_are_those_of_the_code() {
    let mut levels = vec![("prior", PRIOR)];
    levels.extend_from_slice(LEVELS);
    let mut expected: Vec<(String, String, String)> = levels
        .into_iter()
        .map(|(comparison, level)| {
            let weight = match level.weight {
                0.0 => "0.0".to_owned(),
                weight => format!("{weight:+.1}").replace('-', "−"),
            };
            (comparison.to_owned(), level.words.to_owned(), weight)
        })
        .collect();
    let mut documented = documented_levels();
    expected.sort();
    documented.sort();
    assert_eq!(documented, expected);
}
