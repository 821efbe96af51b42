//! `jeden explain` shows why adverts are one property or not, in words that need no knowledge of the program.

use serde_json::Value;
use support::sqlite;

use super::dumps;
use super::jeden::Jeden;

/// One flat on three portals, as the fixtures are authored.
const FLAT: [&str; 3] = [
    "sreality/1351898127",
    "idnes/6aab9e00003fe33e6eeddc82",
    "bazos/225097851",
];

/// Two units of one project.
const UNITS: [&str; 2] = ["sreality/1488104973", "sreality/1761917879"];

/// Internal names that must not appear in an explanation.
const INSIDES: [&str; 8] = ["Some(", "None", "Ok(", "{", "}", "::", "NaN", "\\u"];

async fn replayed(test: impl Fn(&Jeden)) {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        test(&jeden);
    }
}

fn in_plain_words(text: &str) {
    for inside in INSIDES {
        assert!(!text.contains(inside), "{inside:?} in:\n{text}");
    }
}

#[tokio::test]
async fn a_record_on_three_portals_is_explained_in_plain_words() {
    replayed(|jeden| {
        let text = jeden.run(&["explain", FLAT[0]]).done();
        in_plain_words(&text);
        let parts = [
            "3 listings",
            "live",
            "since 2026",
            "compared because they share",
            "in all",
            "merged values",
        ];
        for part in FLAT.iter().chain(&parts) {
            assert!(text.contains(part), "{part:?} is missing in:\n{text}");
        }
        // Each listing except the first has its own waterfall, with weights that can be summed.
        assert_eq!(text.matches("in all").count(), 2, "{text}");
        for listing in &FLAT[1..] {
            let same = jeden.run(&["explain", listing]).done();
            let (same, text) = (without_lives(&same), without_lives(&text));
            assert_eq!(
                same, text,
                "the record is the same whichever of its listings names it"
            );
        }
    })
    .await;
}

/// An explanation without the history of the listings that it was asked about.
fn without_lives(text: &str) -> String {
    let parts = text
        .split("\n\n")
        .filter(|part| !part.starts_with("The life of"));
    parts.collect::<Vec<_>>().join("\n\n")
}

#[tokio::test]
async fn the_weights_of_an_explanation_add_up() {
    replayed(|jeden| {
        let id = record_of(jeden, FLAT[0]);
        let explained: Value =
            serde_json::from_str(&jeden.run(&["explain", &id, "--json"]).done()).unwrap();
        let links = explained["links"].as_array().unwrap();
        assert_eq!(links.len(), 2, "{explained:#}");
        for link in links {
            let bars = link["bars"].as_array().unwrap();
            let sum: f64 = bars.iter().map(|bar| bar["weight"].as_f64().unwrap()).sum();
            let weight = link["weight"].as_f64().unwrap();
            assert!(
                (sum - weight).abs() < 1e-3,
                "{sum} is not {weight}: {link:#}"
            );
            assert!(
                weight >= 0.0 && !link["meetsBy"].as_array().unwrap().is_empty(),
                "{link:#}"
            );
        }
        assert!(
            explained["provenance"]["priceTotal"]["siteId"].is_string(),
            "{explained:#}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_record_says_how_sure_it_is() {
    replayed(|jeden| {
        let text = jeden.run(&["explain", FLAT[0]]).done();
        assert!(
            text.contains("It is one property with a probability of"),
            "{text}"
        );
        let json = jeden.run(&["explain", FLAT[0], "--json"]).done();
        let explained: Value = serde_json::from_str(&json).unwrap();
        let sure = &explained["confidence"];
        assert!(sure["probability"].as_f64() > Some(0.5), "{sure:#}");
        assert!(
            sure["weakestTie"]["weight"].as_f64() >= Some(0.0),
            "{sure:#}"
        );
        // The same figures are in the table of all records.
        let table = jeden.run(&["clusters", "--confidence"]).done();
        let header = "siteId,offerId,clusterId,probability,weakestTie,rival,rivalWeight";
        assert_eq!(table.lines().next(), Some(header));
        let row = format!("{},", FLAT[0].replace('/', ","));
        let row = table.lines().find(|line| line.starts_with(&row)).unwrap();
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[2], record_of(jeden, FLAT[0]));
        let shown = |cell: &str| cell.parse::<f64>().unwrap();
        let weight = sure["weakestTie"]["weight"].as_f64().unwrap();
        assert!((shown(cells[4]) - weight).abs() < 0.011, "{row}\n{sure:#}");
        let plain = jeden.run(&["clusters"]).done();
        assert_eq!(plain.lines().count(), table.lines().count());
    })
    .await;
}

#[tokio::test]
async fn two_listings_of_one_record_are_compared() {
    replayed(|jeden| {
        let text = jeden.run(&["explain", FLAT[0], FLAT[1]]).done();
        in_plain_words(&text);
        assert!(text.starts_with("The two are one record."), "{text}");
        let json = jeden.run(&["explain", FLAT[0], FLAT[1], "--json"]).done();
        let pair: Value = serde_json::from_str(&json).unwrap();
        assert!(
            pair["bars"].as_array().is_some_and(|bars| bars.len() > 3),
            "{pair:#}"
        );
    })
    .await;
}

#[tokio::test]
async fn two_units_of_one_project_are_separated_with_a_reason() {
    replayed(|jeden| {
        let text = jeden.run(&["explain", UNITS[0], UNITS[1]]).done();
        in_plain_words(&text);
        assert!(text.starts_with("The two are different records."), "{text}");
        assert!(
            text.lines()
                .any(|line| line.starts_with("Forbidden: different unit numbers")),
            "{text}"
        );
        let json = jeden.run(&["explain", UNITS[0], UNITS[1], "--json"]).done();
        let compared: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(compared["oneRecord"], false, "{compared:#}");
        assert_eq!(
            compared["apartBecause"][0]["kind"], "vetoed",
            "{compared:#}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_persons_decision_is_shown_with_its_reason() {
    replayed(|jeden| {
        let decide = |verdict, one, other, reason| {
            jeden
                .run(&["review", verdict, one, other, "--reason", reason])
                .done();
        };
        decide("different", FLAT[0], FLAT[1], "another staircase");
        let text = jeden.run(&["explain", FLAT[0], FLAT[1]]).done();
        in_plain_words(&text);
        let decided = "Decided: a person decided that they are different properties";
        assert!(
            text.contains(decided) && text.contains("another staircase"),
            "{text}"
        );
        // The third listing can be in one record with only one of them. It explains why it is not with the other.
        let ids = FLAT.map(|listing| record_of(jeden, listing));
        let left_out = if ids[2] == ids[0] { FLAT[1] } else { FLAT[0] };
        let text = jeden.run(&["explain", FLAT[2], left_out]).done();
        in_plain_words(&text);
        let third = text.lines().last().unwrap_or_default();
        assert!(
            third.contains("does not fit with") && third.contains("another staircase"),
            "{text}"
        );
        decide("same", UNITS[0], UNITS[1], "one plan");
        let text = jeden.run(&["explain", UNITS[0]]).done();
        in_plain_words(&text);
        assert!(
            text.contains("a person decided that they are one property")
                && text.contains("one plan"),
            "{text}"
        );
    })
    .await;
}

#[tokio::test]
async fn every_pair_of_a_record_can_be_shown_in_full() {
    replayed(|jeden| {
        let text = jeden.run(&["explain", FLAT[0], "--all"]).done();
        assert_eq!(text.matches("in all").count(), 3, "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_retired_id_is_explained_by_the_record_that_replaced_it() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let of = |prefix: &str| {
        let number = FLAT
            .iter()
            .find(|key| key.starts_with(prefix))
            .unwrap()
            .split_once('/')
            .unwrap()
            .1;
        let lines = dumps::authored(prefix)
            .into_iter()
            .filter(move |line| line.contains(number));
        lines.collect::<Vec<_>>().join("\n")
    };
    // The second advert is first replayed without its address, so that there are two records.
    jeden.run_with(&["replay", "-"], &of("sreality")).done();
    let elsewhere = r#"{"siteId":"idnes","offerId":"6aab9e00003fe33e6eeddc82","observedAt":"2026-01-01T00:00:00Z","listing":{"offerType":"sale","type":"land"}}"#;
    jeden.run_with(&["replay", "-"], elsewhere).done();
    let ids = [record_of(&jeden, FLAT[0]), record_of(&jeden, FLAT[1])];
    assert_ne!(ids[0], ids[1]);
    jeden.run_with(&["replay", "-"], &of("idnes")).done();
    let texts = ids.map(|id| jeden.run(&["explain", &id]).done());
    assert_eq!(texts[0], texts[1], "both ids answer with the one record");
    assert!(texts[0].contains("2 listings"), "{}", texts[0]);
}

/// The id of the record that a listing is in.
fn record_of(jeden: &Jeden, listing: &str) -> String {
    let row = format!("{},", listing.replace('/', ","));
    let clusters = jeden.run(&["clusters"]).done();
    clusters
        .lines()
        .find_map(|line| line.strip_prefix(&row))
        .expect("a listing in a record")
        .to_owned()
}
