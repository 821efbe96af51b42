//! `jeden review`: a person's decision about two listings overrules matching, and can be withdrawn.

use std::collections::BTreeSet;

use serde_json::Value;
use support::databases;

use super::dumps;
use super::jeden::{Jeden, Ran};

/// One flat on three portals, as the fixtures are authored.
const FLAT: [&str; 3] = [
    "bazos/225097851",
    "idnes/6aab9e00003fe33e6eeddc82",
    "sreality/1351898127",
];

/// Two units of one project.
const UNITS: [&str; 2] = ["sreality/1488104973", "sreality/1761917879"];

/// The sale and the rent of one flat.
const SALE_AND_RENT: [&str; 2] = ["bezrealitky/1022164", "bezrealitky/1021031"];

fn decide(jeden: &Jeden, verdict: &str, pair: [&str; 2], reason: &str) -> Ran {
    jeden.run(&["review", verdict, pair[0], pair[1], "--reason", reason])
}

/// Which listings are together.
fn partition(jeden: &Jeden) -> BTreeSet<BTreeSet<String>> {
    let mut records = std::collections::BTreeMap::<String, BTreeSet<String>>::new();
    for line in jeden.run(&["clusters"]).done().lines().skip(1) {
        let (listing, record) = line.rsplit_once(',').expect("three columns");
        records
            .entry(record.to_owned())
            .or_default()
            .insert(listing.replacen(',', "/", 1));
    }
    records.into_values().collect()
}

fn together(jeden: &Jeden, pair: [&str; 2]) -> bool {
    partition(jeden)
        .iter()
        .any(|record| pair.iter().all(|listing| record.contains(*listing)))
}

#[tokio::test]
async fn a_decision_takes_effect_at_once_survives_replays_and_can_be_taken_back() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let before = partition(&jeden);
        let (apart, joined) = ([FLAT[0], FLAT[2]], UNITS);
        let said = decide(&jeden, "different", apart, "another staircase");
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (0, ""),
            "{}",
            said.stderr
        );
        assert!(
            said.stderr.contains("review forget"),
            "the command that withdraws it is printed: {}",
            said.stderr
        );
        decide(
            &jeden,
            "same",
            joined,
            "one plan, the number is a typing error",
        )
        .done();
        let decided = partition(&jeden);
        assert!(!together(&jeden, apart) && together(&jeden, joined));
        // A replay of everything, and a shuffled one, change nothing.
        jeden.replay(&[&dumps::folder()]);
        assert_eq!(partition(&jeden), decided);
        let lines = dumps::shuffled(dumps::authored("sreality"), 3).join("\n");
        jeden.run_with(&["replay", "-"], &lines).done();
        assert_eq!(partition(&jeden), decided);
        for pair in [apart, joined] {
            jeden.run(&["review", "forget", pair[1], pair[0]]).done();
        }
        assert_eq!(partition(&jeden), before, "as without a decision");
        let log: Value =
            serde_json::from_str(&jeden.run(&["review", "log", "--json"]).done()).unwrap();
        let verdicts: Vec<&str> = log
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["verdict"].as_str().unwrap())
            .collect();
        assert_eq!(verdicts, ["different", "same", "forgotten", "forgotten"]);
        assert_eq!(log[0]["reason"], "another staircase");
        let text = jeden.run(&["review", "log"]).done();
        for line in text.lines() {
            let (_, verdict) = line.split_once("  ").expect("a time, and two spaces");
            let listing = verdict
                .chars()
                .position(char::is_whitespace)
                .expect("a verdict");
            let listing = verdict
                .chars()
                .skip(listing)
                .position(|c| !c.is_whitespace())
                .map(|gap| gap + listing);
            assert_eq!(listing, Some(11), "listings are in one column:\n{text}");
        }
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(
            text.contains("another staircase") && text.contains(FLAT[0]),
            "{text}"
        );
    }
}

#[tokio::test]
async fn decisions_made_before_a_replay_hold_after_it() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let unseen = [
            "review",
            "same",
            UNITS[0],
            UNITS[1],
            "--reason",
            "kept from the old database",
        ];
        let refused = jeden.run(&unseen);
        assert_eq!(refused.code, 1);
        assert!(
            refused.stderr.contains("--not-yet-seen"),
            "{}",
            refused.stderr
        );
        jeden
            .run(&[&unseen[..], &["--not-yet-seen"]].concat())
            .done();
        jeden.replay(&[&dumps::folder()]);
        assert!(together(&jeden, UNITS));
    }
}

#[tokio::test]
async fn a_decision_that_contradicts_others_is_refused_and_they_are_named() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        decide(&jeden, "same", [FLAT[0], FLAT[1]], "the same photographs").done();
        decide(&jeden, "same", [FLAT[1], FLAT[2]], "the same plan").done();
        let before = partition(&jeden);
        let refused = decide(&jeden, "different", [FLAT[2], FLAT[0]], "a guess");
        assert_eq!(refused.code, 1, "{}", refused.stderr);
        for named in FLAT
            .iter()
            .chain(&["the same photographs", "the same plan"])
        {
            assert!(
                refused.stderr.contains(named),
                "{named} is missing: {}",
                refused.stderr
            );
        }
        assert_eq!(partition(&jeden), before);
        assert_eq!(
            jeden.run(&["review", "log"]).done().lines().count(),
            2,
            "nothing was stored"
        );
        // A pair's own decision can be changed: the newer one counts.
        decide(&jeden, "different", [FLAT[0], FLAT[1]], "looked again").done();
        assert!(!together(&jeden, [FLAT[0], FLAT[1]]));
    }
}

#[test]
fn an_impossible_decision_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let jeden = Jeden::on(&format!(
        "sqlite://{}",
        folder.path().join("new.db").display()
    ));
    jeden.replay(&[&dumps::folder()]);
    for (pair, words) in [
        (
            SALE_AND_RENT,
            "different kinds of offer are never one record",
        ),
        ([FLAT[0], FLAT[0]], "both arguments name the listing"),
        ([FLAT[0], "nonsense"], "PORTAL/NUMBER"),
        (
            [FLAT[0], "sreality/404"],
            "there is no listing sreality/404",
        ),
    ] {
        let refused = decide(&jeden, "same", pair, "because");
        assert_eq!(refused.code, 1, "{pair:?}");
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    let refused = jeden.run(&["review", "forget", FLAT[0], FLAT[1]]);
    assert!(
        refused.code == 1 && refused.stderr.contains("there is no decision"),
        "{}",
        refused.stderr
    );
    assert_eq!(
        jeden.run(&["review", "same", FLAT[0], FLAT[1]]).code,
        2,
        "a decision has a reason"
    );
    assert_eq!(jeden.run(&["review", "log"]).done(), "");
}

fn questions(jeden: &Jeden) -> Vec<Value> {
    let json = jeden
        .run(&["review", "list", "--limit", "1000", "--json"])
        .done();
    serde_json::from_str(&json).unwrap()
}

fn asks_about(question: &Value, pair: [&str; 2]) -> bool {
    let name = |side: &str| {
        let listing = &question[side]["listing"];
        format!(
            "{}/{}",
            listing["siteId"].as_str().unwrap(),
            listing["offerId"].as_str().unwrap()
        )
    };
    let asked = [name("left"), name("right")];
    pair.iter()
        .all(|listing| asked.contains(&(*listing).to_owned()))
}

#[tokio::test]
async fn open_questions_are_listed_with_the_most_valuable_first() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let before = questions(&jeden);
        assert!(before.len() > 2, "{before:#?}");
        let rank = |question: &Value| {
            let likely = question["probability"].as_f64().unwrap();
            4.0 * likely * (1.0 - likely) * question["value"].as_f64().unwrap()
        };
        let ranks: Vec<f64> = before.iter().map(rank).collect();
        assert!(
            ranks.windows(2).all(|pair| pair[0] >= pair[1] - 0.05),
            "{ranks:?}"
        );
        // The question about a record names its weakest tie. After a decision about it, the question disappears.
        let splits: Vec<&Value> = before
            .iter()
            .filter(|question| question["asked"] == "split")
            .collect();
        let first = splits.first().expect("a record that could be two");
        let key = |side: &str| {
            let listing = &first[side]["listing"];
            format!(
                "{}/{}",
                listing["siteId"].as_str().unwrap(),
                listing["offerId"].as_str().unwrap()
            )
        };
        let pair = [key("left"), key("right")];
        let pair = [pair[0].as_str(), pair[1].as_str()];
        let text = jeden.run(&["review", "list", "--limit", "1000"]).done();
        assert!(
            text.contains(&format!(
                "jeden review same {} {} --reason",
                pair[0], pair[1]
            )),
            "{text}"
        );
        decide(&jeden, "same", pair, "seen on the spot").done();
        assert!(
            !questions(&jeden)
                .iter()
                .any(|question| asks_about(question, pair))
        );
        decide(&jeden, "different", pair, "looked again").done();
        assert!(
            !questions(&jeden)
                .iter()
                .any(|question| asks_about(question, pair))
        );
        let few = jeden
            .run(&["review", "list", "--limit", "2", "--json"])
            .done();
        assert_eq!(serde_json::from_str::<Vec<Value>>(&few).unwrap().len(), 2);
    }
}
