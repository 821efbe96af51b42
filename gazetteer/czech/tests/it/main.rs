//! Properties that hold for any text.

use czech::countries::is_abroad;
use czech::floor::{Counting, floor_count, floor_of_field, stated_floor};
use czech::house_number::{HouseNumber, split_house_number};
use czech::names::{bare_street_key, place_key, quarter_key, street_key};
use czech::order_code::{order_code_in_text, plain_order_code};
use czech::street_in_text::street_in_text;
use czech::text::clean;
use czech::tokens::{Tokens, address_line, pieces, sentences};
use czech::{fold, fold_name};
use proptest::prelude::*;

/// Texts of any letters, and texts of the words and marks that the readers know.
fn any_text() -> impl Strategy<Value = String> {
    let known = prop_oneof![
        "[0-9]{1,7}",
        prop::sample::select(vec![
            "m²",
            "patro",
            "NP",
            "přízemí",
            "pátém",
            "+",
            "kk",
            "ul.",
            "ulici",
            "v",
            "na",
            "zakázky",
            "č.p.",
            "Praha",
            "Řecku",
        ])
        .prop_map(str::to_owned),
        prop::sample::select(vec![
            ".", ",", "/", "-", ":", "\n", "%", "\u{200d}", "\u{a0}", "\u{2009}", "²", "½", "ž",
            "<br>", "&nbsp;", "ł"
        ])
        .prop_map(str::to_owned),
        "\\PC{0,3}",
    ];
    prop_oneof![
        "\\PC{0,60}",
        prop::collection::vec(known, 0..25).prop_map(|pieces| pieces.join(" ")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_text_makes_a_reader_panic_or_leave_its_range(written in any_text()) {
        let _ = (is_abroad(&written), street_in_text(&written), order_code_in_text(&written));
        let _ = (pieces(&written), address_line::tokens(&written), HouseNumber::parse(&written));
        let _ = (place_key(&written), quarter_key(&written, None), split_house_number(&written));
        prop_assert!(plain_order_code(&written).is_ascii());
        for floor in [
            floor_of_field(&written, Counting::FromOne),
            floor_of_field(&written, Counting::FromGround),
            stated_floor(&written),
        ] {
            prop_assert!(floor.is_none_or(|floor| (-3..=40).contains(&floor)));
        }
        prop_assert!(floor_count(&written).is_none_or(|count| (1..=80).contains(&count)));
    }

    #[test]
    fn cleaning_and_folding_twice_changes_nothing(written in any_text()) {
        let cleaned = clean(&written);
        prop_assert_eq!(clean(&cleaned), cleaned.clone());
        let rough = cleaned.contains(['\u{200d}', '\u{a0}', '\n', '\t']);
        prop_assert!(!rough, "{}", cleaned);
        let folded = fold(&written);
        prop_assert_eq!(fold(&folded), folded);
        let name = fold_name(&written);
        prop_assert_eq!(fold_name(&name), name);
    }

    #[test]
    fn a_bare_street_key_is_part_of_the_key(written in any_text()) {
        let key = street_key(&written);
        prop_assert!(key.contains(bare_street_key(&key)));
    }

    #[test]
    fn patro_and_podlazi_differ_by_one(floor in 1_i16..40) {
        let next = floor + 1;
        let read = |text: String, counting| floor_of_field(&text, counting);
        prop_assert_eq!(read(format!("{floor}. patro ({next}. NP)"), Counting::FromOne), Some(floor));
        prop_assert_eq!(read(format!("{next}. NP"), Counting::FromOne), Some(floor));
        prop_assert_eq!(
            read(format!("{floor}. podlaží z celkem {floor}"), Counting::FromGround),
            Some(floor - 1)
        );
    }

    #[test]
    fn sentences_do_not_overlap(written in any_text()) {
        let tokens = Tokens::parse(&written);
        let keys = tokens.keys();
        let mut end = 0;
        for sentence in sentences(&keys) {
            prop_assert!(end <= sentence.start && sentence.start < sentence.end && sentence.end <= keys.len());
            end = sentence.end;
        }
    }
}
