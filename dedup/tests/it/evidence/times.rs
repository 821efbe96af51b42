//! When adverts were live, as evidence.

use dedup::engine;
use dedup::weight_table::WeightTable;
use serde_json::{Value, json};

use super::{Advert, advert, levels, profiles, reaches};

#[test]
fn two_live_adverts_on_one_portal_are_two_flats_only_if_removals_are_known() {
    let mut adverts = vec![
        advert("sreality", "1", json!({})),
        advert("sreality", "2", json!({})),
    ];
    adverts[1].days = (20, None);
    reaches(
        &adverts,
        "one was last seen before the other appeared on the same portal",
    );
    let mut gone = advert("sreality", "3", json!({"city": "Zlín"}));
    gone.days = (1, Some(9));
    adverts.push(gone);
    reaches(
        &adverts,
        "both live on one portal at the same time, one of them without a text",
    );
}

#[test]
fn a_relisting_begins_when_the_old_advert_ends_and_not_within_its_time() {
    let on_days = |number: &str, days| {
        let mut advert = advert("sreality", number, json!({}));
        advert.days = days;
        advert
    };
    let old = || on_days("1", (1, Some(20)));
    reaches(
        &[old(), on_days("2", (21, None))],
        "one follows the other on the same portal within two days",
    );
    reaches(
        &[old(), on_days("2", (40, None))],
        "one follows the other on the same portal",
    );
    reaches(
        &[old(), on_days("2", (5, Some(6)))],
        "both live on one portal at the same time, one of them without a text",
    );
}

#[test]
fn an_advert_that_the_first_crawl_found_replaces_nothing() {
    let on_days = |number: &str, days| {
        let mut advert = advert("sreality", number, json!({}));
        advert.days = days;
        advert
    };
    // Both may have been live for months when the portal was first crawled.
    for pair in [
        [on_days("1", (1, Some(2))), on_days("2", (1, None))],
        [on_days("1", (1, None)), on_days("2", (1, Some(2)))],
        [on_days("1", (1, Some(3))), on_days("2", (2, None))],
    ] {
        reaches(
            &pair,
            "both live on one portal at the same time, one of them without a text",
        );
    }
    // Of the one that ended it does not matter when it began.
    reaches(
        &[on_days("1", (1, Some(3))), on_days("2", (4, None))],
        "one follows the other on the same portal within two days",
    );
}

#[test]
fn a_common_first_or_last_day_says_less_on_a_crowded_day() {
    let site = |number: usize| ["sreality", "idnes"][number % 2];
    let crowd = |count: usize, days| -> Vec<Advert> {
        let on_days = |number: usize| {
            let mut advert = advert(site(number), &number.to_string(), json!({"livingArea": 72}));
            advert.days = days;
            advert
        };
        (0..count).map(on_days).collect()
    };
    // Both portals were crawled before.
    let crawled_before = |mut adverts: Vec<Advert>| {
        for number in 0..2 {
            adverts.push(advert(site(number), "old", json!({"city": "Brno"})));
        }
        adverts
    };
    let later_crowd = |count, days| crawled_before(crowd(count, days));
    let start = "both appeared within a day and a half on two portals";
    let end = "both disappeared within a day and a half on two portals";
    reaches(&later_crowd(2, (3, None)), start);
    reaches(&later_crowd(4, (3, Some(9))), end);
    reaches(
        &later_crowd(8, (3, None)),
        &format!("{start}, as some others did"),
    );
    reaches(
        &later_crowd(8, (3, Some(9))),
        &format!("{end}, as some others did"),
    );
    assert!(
        !levels(&later_crowd(14, (3, Some(9))))
            .iter()
            .any(|level| level.starts_with("both "))
    );
    assert!(
        !levels(&crowd(2, (3, None)))
            .iter()
            .any(|level| level.starts_with("both ")),
        "the first crawl of a portal finds adverts of any age"
    );
}

/// No level with this word is reached.
#[track_caller]
fn reaches_none(adverts: &[Advert], word: &str) {
    let reached = levels(adverts);
    assert!(
        !reached.iter().any(|level| level.contains(word)),
        "{reached:?}"
    );
}

/// An advert on each of two portals with these days, behind adverts of another town that the first
/// crawls of both portals found on day 1.
fn on_two_portals(one: (u32, Option<u32>), other: (u32, Option<u32>)) -> Vec<Advert> {
    let on_days = |site: &'static str, number: &'static str, facts, days| {
        let mut advert = advert(site, number, facts);
        advert.days = days;
        advert
    };
    vec![
        on_days("sreality", "1", json!({}), one),
        on_days("idnes", "2", json!({}), other),
        on_days("sreality", "old", json!({"city": "Brno"}), (1, None)),
        on_days("idnes", "old", json!({"city": "Brno"}), (1, None)),
    ]
}

#[test]
fn starts_some_weeks_apart_count_for_a_pair_and_months_against_it() {
    let starts = |one, other| on_two_portals((one, None), (other, None));
    reaches(
        &starts(5, 12),
        "both appeared within three weeks on two portals",
    );
    reaches(
        &starts(60, 5),
        "appeared more than five weeks apart on two portals",
    );
    reaches_none(&starts(5, 35), "appeared");
}

#[test]
fn what_appears_after_the_first_crawl_of_another_portal_is_newer_than_what_that_found() {
    let starts = |one, other| {
        let mut adverts = on_two_portals((one, None), (other, None));
        let numbers = 0..30;
        adverts.extend(numbers.map(|number| {
            let facts = json!({"city": "Brno"});
            advert("sreality", &format!("first {number}"), facts)
        }));
        adverts
    };
    reaches(
        &starts(12, 1),
        "one appeared days or weeks after the first crawl that found the other",
    );
    reaches(
        &starts(40, 1),
        "one appeared more than three weeks after the first crawl that found the other",
    );
    reaches_none(&starts(4, 1), "appeared");
    // The first crawl of the other portal found few adverts, so it may have missed this one.
    reaches_none(&starts(1, 12), "appeared");
    reaches_none(&starts(1, 40), "appeared");
}

#[test]
fn ends_some_weeks_apart_count_for_a_pair() {
    let ends = |one, other| on_two_portals((1, Some(one)), (1, Some(other)));
    reaches(
        &ends(30, 33),
        "both disappeared within four days on two portals",
    );
    reaches(
        &ends(45, 30),
        "both disappeared within three weeks on two portals",
    );
    reaches_none(&ends(30, 60), "disappeared");
}

#[test]
fn a_start_on_a_crowded_day_may_be_the_end_of_an_outage_and_says_nothing() {
    let mut adverts = on_two_portals((60, None), (5, None));
    for number in 0..13 {
        let mut other = advert("sreality", &format!("c{number}"), json!({}));
        other.days = (60, None);
        adverts.push(other);
    }
    reaches_none(&adverts, "appeared");
}

#[test]
fn relistings_without_details_stay_with_the_flat_that_they_continue() {
    let listing = |number: &str, facts: Value, days, price| {
        let mut listing = advert("sreality", number, facts);
        listing.days = days;
        listing.prices = vec![(days.0, price)];
        listing
    };
    let row = || json!({"street": "Koterovská", "livingArea": 72});
    let detail = || json!({"street": "Koterovská", "livingArea": 72, "floor": 3});
    let sister = || json!({"street": "Koterovská", "livingArea": 72, "floor": 6});
    let mut adverts = vec![
        listing("1", detail(), (1, Some(20)), 5_000_000.0),
        listing("2", row(), (21, Some(40)), 4_900_000.0),
        listing("3", row(), (41, Some(60)), 4_700_000.0),
        listing("4", detail(), (61, Some(90)), 4_500_000.0),
        listing("5", row(), (91, None), 4_200_000.0),
    ];
    let clusters = |adverts: &[Advert]| {
        let constraints = dedup::clustering::Constraints::default();
        let mut profiles = profiles(adverts);
        engine::partition(&WeightTable::default(), &mut profiles, &constraints)
            .clusters
            .len()
    };
    assert_eq!(clusters(&adverts), 1);
    adverts.push(listing("6", sister(), (30, Some(70)), 4_900_000.0));
    assert_eq!(clusters(&adverts), 2);
}
