//! The Czech notations: no text makes them panic, and most real values are understood.

mod real;

use ingest::notation::{area, arrangement, heating, kind, price, share, words};
use proptest::prelude::*;
use schema::{PropertyType, SpecEnum};

/// Texts of any letters, and texts of the words and marks that the notations know.
fn any_text() -> impl Strategy<Value = String> {
    let known = prop_oneof![
        "[0-9]{1,7}",
        prop::sample::select(vec![
            "Kč",
            "m²",
            "m2",
            "patro",
            "NP",
            "přízemí",
            "+",
            "kk",
            "podíl",
            "ul.",
            "ulici",
            "v",
            "na",
            "cena"
        ])
        .prop_map(str::to_owned),
        prop::sample::select(vec![
            ".", ",", "/", "-", ":", "\n", "%", "\u{200d}", "\u{a0}", "\u{2009}", "²", "½", "ž",
            "ha", "Na"
        ])
        .prop_map(str::to_owned),
        "\\PC{0,3}",
    ];
    prop_oneof![
        "\\PC{0,60}",
        prop::collection::vec(known, 0..25).prop_map(|pieces| pieces.join(" ")),
        prop::collection::vec("[0-9 .,+m²Kčk/-]{0,6}", 0..8).prop_map(|pieces| pieces.concat())
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_text_makes_a_notation_panic_or_leave_its_range(written in any_text()) {
        let _ = (words::condition(&written), words::construction(&written), words::ownership(&written));
        let _ = (words::equipment(&written), words::position(&written), words::sewerage(&written));
        let _ = (heating::heating_of_text(&written), arrangement::arrangement(&written), price::price(&written));
        for main in PropertyType::ALL {
            let _ = kind::subtype(*main, &written);
        }
        prop_assert!(area::area(&written).is_none_or(|area| area > 0.0 && area.is_finite()));
        prop_assert!(price::price_in_text(&written).is_none_or(|price| price > 1.0));
        for share in [share::share(&written), share::share_on_offer(&written)].into_iter().flatten() {
            let (part, parts) = share.split_once('/').unwrap();
            prop_assert!(part.parse::<u32>().unwrap() < parts.parse::<u32>().unwrap());
        }
    }

    #[test]
    fn every_amount_is_read_back_however_it_is_grouped(
        amount in 1_000_u32..999_999_999,
        separator in prop_oneof![Just("\u{200d}\u{a0}"), Just(" "), Just("\u{2009}"), Just("\u{202f}"), Just("."), Just("")],
    ) {
        let digits = amount.to_string();
        let mut grouped = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                grouped.push_str(separator);
            }
            grouped.push(digit);
        }
        let read = price::price(&format!("{grouped} Kč")).and_then(price::Price::total);
        prop_assert_eq!(read, Some(f64::from(amount)), "{}", grouped);
        let read = area::area(&format!("{grouped} m²"));
        prop_assert_eq!(read, Some(f64::from(amount)), "{}", grouped);
    }

    #[test]
    fn an_area_behind_any_layout_is_read_whole(rooms in 1_u8..8, kitchen in prop_oneof![Just("kk"), Just("1")], area in 10_u32..999) {
        let title = format!("Prodej bytu {rooms}+{kitchen} {area} m²");
        prop_assert_eq!(area::area(&title), Some(f64::from(area)));
        prop_assert_eq!(arrangement::arrangement(&title).unwrap().as_str(), format!("{rooms}+{kitchen}"));
    }
}
