//! The notations over real values of the portals.

use czech::countries::is_abroad;
use czech::floor::{Counting, floor_count, floor_of_field};
use ingest::notation::area::area;
use ingest::notation::arrangement::arrangement;
use ingest::notation::price::{Price, price};
use schema::Arrangement;
use serde_json::Value;

use crate::payloads::real;

/// The rows of a CSV with quoted fields.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    for c in text.chars() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            '\r' if !quoted => {}
            c => row.last_mut().unwrap().push(c),
        }
    }
    rows.retain(|row| row.len() > 1);
    rows
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_real_price_and_title_of_ten_thousand_flats_is_understood() {
    let Some(text) = real("idnes/index_flats_sale_10160_2026-02.csv.gz") else {
        return;
    };
    let rows = rows(&text);
    let (mut totals, mut on_request, mut foreign) = (0, 0, 0);
    for row in &rows[1..] {
        let [title, _, written, place] = row.as_slice() else {
            panic!("{row:?}")
        };
        match price(written) {
            Some(Price::OnRequest) => on_request += 1,
            Some(price) => {
                let digits: String = written
                    .split(',')
                    .next()
                    .unwrap()
                    .chars()
                    .filter(char::is_ascii_digit)
                    .collect();
                assert_eq!(
                    price.total().map(f64::floor),
                    digits.parse().ok(),
                    "{written}"
                );
                totals += 1;
            }
            None => panic!("{written}"),
        }
        let layout = title
            .trim_start_matches("Prodej bytu ")
            .split(' ')
            .next()
            .unwrap();
        let expected = if layout == "atypického" {
            Some(Arrangement::Other)
        } else {
            arrangement(layout)
        };
        assert_eq!(arrangement(title), expected, "{title}");
        assert!(arrangement(title).is_some(), "{title}");
        let digits = title
            .trim_end_matches(" m²")
            .split_once(layout)
            .unwrap()
            .1
            .replace(' ', "");
        assert_eq!(area(title), digits.parse().ok(), "{title}");
        foreign += usize::from(is_abroad(place.rsplit(',').next().unwrap()));
    }
    assert_eq!((totals, on_request), (9661, 499));
    assert!(foreign > 2_600, "{foreign}");
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_floor_and_storey_count_of_the_censuses_is_understood() {
    let Some(census) = real("idnes/detail_field_census_1243_2026-02-27.json") else {
        return;
    };
    let census: Value = serde_json::from_str(&census).unwrap();
    let counts = |label: &str| {
        census["detail_fields"][format!("attributes.{label}")]["value_counts"].clone()
    };
    for written in counts("Podlaží").as_object().unwrap().keys() {
        let expected = if written.contains("přízemí") {
            0
        } else {
            written.split('.').next().unwrap().parse().unwrap()
        };
        assert_eq!(
            floor_of_field(written, Counting::FromOne),
            Some(expected),
            "{written}"
        );
    }
    for label in [
        "Počet podlaží",
        "Počet podlaží budovy",
        "Počet podzemních podlaží",
    ] {
        for written in counts(label).as_object().unwrap().keys() {
            assert_eq!(
                floor_count(written),
                written.split(' ').next().unwrap().parse().ok(),
                "{written}"
            );
            assert_eq!(
                floor_of_field(written, Counting::FromOne),
                None,
                "{written}"
            );
        }
    }
}

#[test]
#[cfg_attr(no_shared, ignore = "skipped: ../shared is absent")]
fn every_area_and_price_of_the_census_is_understood() {
    let Some(census) = real("idnes/detail_field_census_1243_2026-02-27.json") else {
        return;
    };
    let census: Value = serde_json::from_str(&census).unwrap();
    for label in [
        "Užitná plocha",
        "Celková plocha",
        "Plocha pozemku",
        "Plocha zahrady",
        "Zastavěná plocha",
    ] {
        let field = &census["detail_fields"][format!("attributes.{label}")];
        let counted = field["value_counts"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(value, _)| value.as_str());
        let sampled = field["sample_values"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        for written in counted.chain(sampled) {
            let number = written.trim_end_matches(" m2").replace(' ', "");
            assert_eq!(area(written), number.parse().ok(), "{written}");
        }
    }
    for written in census["detail_fields"]["priceText"]["sample_values"]
        .as_array()
        .unwrap()
    {
        let written = written.as_str().unwrap();
        let digits: String = written.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(
            price(written).and_then(Price::total),
            digits.parse().ok(),
            "{written}"
        );
    }
}
