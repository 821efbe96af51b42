//! Prices as evidence.

use dedup::engine;
use dedup::weight_table::WeightTable;
use serde_json::json;

use super::{Advert, advert, profiles, reaches};

#[test]
fn prices_are_compared_at_the_time_when_both_were_asked() {
    let priced = |site, prices: &[(u32, f64)], days| {
        let mut priced = advert(site, "1", json!({}));
        priced.prices = prices.to_vec();
        priced.days = days;
        priced
    };
    let (high, low) = (5_000_000.0, 4_700_000.0);
    let both = |one, other| [one, other];
    // The first lowers its price before the second appears, so they ask different prices at once.
    let reduced = || priced("sreality", &[(1, high), (10, low)], (1, None));
    reaches(
        &both(reduced(), priced("idnes", &[(5, high)], (5, Some(9)))),
        "the same price",
    );
    reaches(
        &both(reduced(), priced("idnes", &[(12, high)], (12, None))),
        "the same price at another time",
    );
    let other = 4_650_000.0;
    reaches(
        &both(reduced(), priced("idnes", &[(12, other)], (12, None))),
        "prices within 8 %",
    );
    let gone = || priced("sreality", &[(1, high)], (1, Some(9)));
    reaches(
        &both(gone(), priced("idnes", &[(12, other)], (12, None))),
        "prices within 8 %, one after the other",
    );
    let odd = 4_693_500.0;
    reaches(
        &both(
            priced("sreality", &[(1, odd)], (1, None)),
            priced("idnes", &[(1, odd)], (1, None)),
        ),
        "the same price, and not a round one",
    );
}

#[test]
fn a_price_that_both_leave_out_is_an_agreement() {
    let without_price = |site, number| Advert {
        prices: Vec::new(),
        ..advert(site, number, json!({"livingArea": 72}))
    };
    reaches(
        &[without_price("sreality", "1"), without_price("idnes", "2")],
        "neither states a price",
    );
    reaches(
        &[
            without_price("sreality", "1"),
            advert("idnes", "2", json!({"livingArea": 72})),
        ],
        "only one states a price",
    );
}

#[test]
fn a_former_price_is_a_price_that_was_asked() {
    let pair = |former_price| {
        let now = advert("sreality", "1", json!({}));
        let mut later = advert("idnes", "2", json!({}));
        later.prices = vec![(1, 4_490_000.0)];
        later.evidence.former_price = former_price;
        [now, later]
    };
    reaches(&pair(Some(4_890_000.0)), "the same price at another time");
    reaches(&pair(Some(5_200_000.0)), "prices within 20 %");
    reaches(&pair(None), "prices within 20 %");
}

#[test]
fn a_note_on_the_price_explains_a_difference() {
    let pair = |note: &str| {
        let with_fee = advert("sreality", "1", json!({}));
        let mut without = advert("idnes", "2", json!({}));
        without.prices = vec![(1, 4_640_000.0)];
        without.evidence.note_on_price = Some(note.to_owned());
        [with_fee, without]
    };
    reaches(
        &pair("+ provize RK 250 000 Kč"),
        "the prices differ by an amount that a text states",
    );
    reaches(&pair("+ provize RK"), "prices within 8 %");
}

#[test]
fn a_third_advert_that_asked_both_prices_explains_why_two_differ() {
    let facts = || json!({"street": "Koterovská", "livingArea": 72});
    let mut first = advert("idnes", "1", facts());
    first.prices = vec![(1, 10_800_000.0)];
    let mut second = advert("bazos", "2", facts());
    second.prices = vec![(1, 8_000_000.0)];
    let mut third = advert("sreality", "3", facts());
    third.prices = vec![(1, 10_800_000.0), (40, 8_000_000.0)];
    let clusters = |adverts: &[Advert]| {
        engine::partition(
            &WeightTable::default(),
            &mut profiles(adverts),
            &dedup::clustering::Constraints::default(),
        )
        .clusters
        .len()
    };
    assert_eq!(clusters(&[first, second, third]), 1);
}
