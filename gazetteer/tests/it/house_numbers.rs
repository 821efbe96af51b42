//! House numbers: how they are parsed, and that only numbers of one kind are compared.

use gazetteer::{HouseNumber, NumberAgreement, PostalCode};

fn number(text: &str) -> HouseNumber {
    HouseNumber::parse(text).expect(text)
}

fn compare(a: &str, b: &str) -> NumberAgreement {
    let agreement = number(a).compare(&number(b));
    assert_eq!(
        agreement,
        number(b).compare(&number(a)),
        "{a} and {b} compare alike both ways"
    );
    agreement
}

#[test]
fn every_published_form_has_its_slot() {
    assert_eq!(number("1290/16").building, Some(1290));
    assert_eq!(
        number("1290/16a")
            .orientation
            .and_then(|number| number.letter),
        Some('a')
    );
    assert_eq!(
        number("12A")
            .orientation
            .map(|number| (number.number, number.letter)),
        Some((12, Some('a')))
    );
    assert_eq!(number("12").lone.map(|number| number.number), Some(12));
    assert_eq!(
        number("12-14").lone.and_then(|number| number.through),
        Some(14)
    );
    assert_eq!(number("č.p. 5").building, Some(5));
    assert_eq!(number("čp. 5").building, Some(5));
    assert_eq!(number("č. ev. 5").registration, Some(5));
    assert_eq!(number("ev.č. 5").registration, Some(5));
    assert_eq!(
        number("č.o. 5").orientation.map(|number| number.number),
        Some(5)
    );
    assert_eq!(number("60 / 114").building, Some(60));
}

#[test]
fn a_number_written_twice_is_one_building_number() {
    let read = number("1523 / 1523");
    assert_eq!((read.building, read.orientation), (Some(1523), None));
}

#[test]
fn a_number_too_large_for_a_street_is_the_building_number() {
    let read = number("16/1290");
    assert_eq!(
        (read.building, read.orientation.map(|number| number.number)),
        (Some(1290), Some(16))
    );
}

#[test]
fn other_texts_are_not_house_numbers() {
    for text in [
        "", "0", "-1", "12345", "abc", "1/2/3", "14-12", "12-900", "p.č. 12", "12 34",
    ] {
        assert_eq!(HouseNumber::parse(text), None, "{text}");
    }
}

#[test]
fn the_same_house_is_recognised() {
    assert_eq!(compare("1290/16", "1290/16"), NumberAgreement::Same);
    assert_eq!(compare("1290/16", "č.p. 1290"), NumberAgreement::Same);
    assert_eq!(compare("1290/16", "1290"), NumberAgreement::Same);
    assert_eq!(compare("1290/16", "16"), NumberAgreement::Same);
    assert_eq!(compare("16", "16"), NumberAgreement::Same);
    assert_eq!(compare("č.ev. 5", "č.ev. 5"), NumberAgreement::Same);
}

#[test]
fn a_less_exact_number_is_compatible() {
    assert_eq!(compare("16a", "16"), NumberAgreement::Compatible);
    assert_eq!(compare("12-14", "14"), NumberAgreement::Compatible);
    assert_eq!(compare("č.ev. 5", "5"), NumberAgreement::Compatible);
    assert_eq!(
        compare("1290/16", "1290/18"),
        NumberAgreement::Compatible,
        "two entrances of one building"
    );
}

#[test]
fn different_houses_differ() {
    assert_eq!(compare("1290/16", "1291/18"), NumberAgreement::Different);
    assert_eq!(compare("1290/16", "18"), NumberAgreement::Different);
    assert_eq!(compare("16a", "16b"), NumberAgreement::Different);
    assert_eq!(compare("16", "18"), NumberAgreement::Different);
    assert_eq!(compare("č.p. 5", "č.ev. 6"), NumberAgreement::Different);
}

#[test]
fn numbers_of_different_kinds_cannot_be_compared() {
    assert_eq!(compare("č.p. 1290", "č.o. 16"), NumberAgreement::Unknown);
    assert_eq!(compare("č.p. 1290", "16"), NumberAgreement::Unknown);
    assert_eq!(
        compare("16", "1290"),
        NumberAgreement::Unknown,
        "orientation and building number of one house"
    );
    assert_eq!(
        number("16").compare(&HouseNumber::default()),
        NumberAgreement::Unknown
    );
}

#[test]
fn postal_codes_are_five_digits_of_the_country() {
    let code = PostalCode::parse("110 00").unwrap();
    assert_eq!(code.number(), 11000);
    assert_eq!(code.to_string(), "110 00");
    for text in ["11000", "PSČ 110 00", "CZ-11000", "110\u{a0}00"] {
        assert_eq!(PostalCode::parse(text), Some(code), "{text}");
    }
    for text in ["", "00000", "98765", "1100", "110000", "-1", "abc", "82105"] {
        assert_eq!(PostalCode::parse(text), None, "{text}");
    }
}
