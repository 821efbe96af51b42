//! `jeden evaluate`: precision, recall and the worst mistakes.

use serde_json::Value;
use support::sqlite;

use super::dumps;
use super::jeden::{Jeden, project};

fn evaluate(jeden: &Jeden, truth: &std::path::Path, more: &[&str]) -> String {
    let truth = truth.to_str().expect("a path in UTF-8");
    jeden
        .run(&[&["evaluate", "--truth", truth], more].concat())
        .done()
}

/// Every change of matching must still merge the authored dumps without a mistake.
#[tokio::test]
async fn the_authored_dumps_are_found_without_a_mistake() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let json = evaluate(&jeden, &project("fixtures/expected.csv"), &["--json"]);
        let report: Value = serde_json::from_str(&json).unwrap();
        let figures = &report["figures"];
        for measure in ["pairwise", "bcubed"] {
            for rate in ["precision", "recall", "f1"] {
                assert_eq!(figures[measure][rate], 1.0, "{measure} {rate}: {report:#}");
            }
        }
        assert_eq!(figures["exactClusterRate"], 1.0);
        assert_eq!(
            (
                &figures["missingPredictions"],
                &figures["unknownPredictions"]
            ),
            (&0.into(), &0.into())
        );
        // A pair that shares no key may still be joined through a third listing.
        assert!(
            report["blocking"]["unreached"].as_f64() < Some(0.02),
            "{report:#}"
        );
        assert_eq!(report["falseMerges"], serde_json::json!({}));
        let bands = report["reliability"].as_array().unwrap();
        assert_eq!(bands[0]["confidence"], "over 99 %", "{bands:#?}");
        assert!(bands.iter().all(|band| band["found"] == 1.0), "{bands:#?}");
    }
}

#[tokio::test]
async fn the_curve_over_the_threshold_is_printed_if_asked() {
    let database = dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    let truth = project("fixtures/expected.csv");
    let json = evaluate(&jeden, &truth, &["--json", "--curve"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    let curve = report["curve"].as_array().unwrap();
    let moved: Vec<f64> = curve
        .iter()
        .map(|point| point["moved"].as_f64().unwrap())
        .collect();
    assert_eq!((moved[0], moved[4], moved[8]), (-0.5, 0.0, 0.5));
    assert_eq!(curve[4]["f1"], report["figures"]["pairwise"]["f1"]);
    let text = evaluate(&jeden, &truth, &["--curve", "--worst", "0"]);
    assert!(text.contains("+0.500"), "{text}");
    let without = evaluate(&jeden, &truth, &["--worst", "0"]);
    assert!(!without.contains("+0.500"), "{without}");
}

/// Two pairs that matching joins and one that it does not: an error of each kind, by what people said.
#[tokio::test]
async fn decided_pairs_measure_matching_as_the_console_does() {
    use schema::store::review_answers;
    use schema::{Answer, Asked, ListingKey, ListingPair, ReviewAnswer, Timestamp};
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let none: Value =
            serde_json::from_str(&jeden.run(&["evaluate", "--reviewed", "--json"]).done()).unwrap();
        assert_eq!(none["whenAsked"]["precision"]["whole"], 0);
        let joined = ["bezrealitky/1021689", "idnes/6ab07380346a45506dc8ed0a"];
        let anchor = "sreality/3815360305";
        let apart = ["sreality/1488104973", "sreality/1761917879"];
        let pairs = [
            (anchor, joined[0], Answer::Same, Asked::Split),
            (anchor, joined[1], Answer::Different, Asked::Split),
            (apart[0], apart[1], Answer::Different, Asked::Join),
        ];
        let mut tx = database.db.begin().await.unwrap();
        for (number, (one, other, answer, asked)) in (1..).zip(pairs) {
            let key = |name: &str| {
                let (site, offer) = name.split_once('/').unwrap();
                ListingKey::new(site, offer)
            };
            let given = ReviewAnswer {
                pair: ListingPair::new(key(one), key(other)).unwrap(),
                answer,
                person: "Jana".to_owned(),
                reason: None,
                asked,
                adverts: (1, 1),
                weight: 1.0,
                is_repeat: false,
                answered_at: Timestamp(number),
            };
            review_answers::add(&mut tx, &given).await.unwrap();
        }
        tx.commit().await.unwrap();
        for (one, other, answer, _) in pairs {
            let decision = ["review", answer.as_str(), one, other, "--reason", "seen"];
            jeden.run(&decision).done();
        }
        let json = jeden.run(&["evaluate", "--reviewed", "--json"]).done();
        let report: Value = serde_json::from_str(&json).unwrap();
        for measured in ["whenAsked", "withoutDecisions"] {
            let precision = &report[measured]["precision"];
            assert_eq!(
                (&precision["part"], &precision["whole"]),
                (&1.into(), &2.into()),
                "{measured}: {report:#}"
            );
            let low = precision["low"].as_f64().unwrap();
            assert!((low - 0.0945).abs() < 1e-3, "Wilson's interval: {report:#}");
        }
        let text = jeden.run(&["evaluate", "--reviewed"]).done();
        assert!(text.contains("0.5000 (1 of 2; 0.09 to 0.91)"), "{text}");
    }
}

#[tokio::test]
async fn mistakes_are_printed_as_explain_commands() {
    let database = dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    // A truth that contradicts the records: one record is two properties, and two records are one.
    let folder = tempfile::tempdir().unwrap();
    let (truth, pairs) = (
        folder.path().join("truth.csv.gz"),
        folder.path().join("pairs.csv"),
    );
    let table = "siteId,offerId,propertyId,offerType,kind,ambiguous\n\
        sreality,1351898127,p1,sale,panel,\nidnes,6aab9e00003fe33e6eeddc82,p2,sale,panel|relist,\n\
        sreality,1488104973,p3,sale,newbuild,\nsreality,1761917879,p3,sale,newbuild,\nbazos,404,p4,sale,plain,\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, table.as_bytes()).unwrap();
    std::fs::write(&truth, gzip.finish().unwrap()).unwrap();
    let labels = "siteA,offerA,siteB,offerB,label,reason\n\
        sreality,1351898127,idnes,6aab9e00003fe33e6eeddc82,different,\"read: another floor, another view\"\n";
    std::fs::write(&pairs, labels).unwrap();
    let text = evaluate(
        &jeden,
        &truth,
        &["--pairs", pairs.to_str().unwrap(), "--worst", "2"],
    );
    for words in [
        "Joined but different properties",
        "jeden explain idnes/6aab9e00003fe33e6eeddc82 sreality/1351898127",
        "Separate but one property, newbuild",
        "Forbidden: different unit numbers",
        "labelled pairs",
        "1 listings of the truth are not in the database",
    ] {
        assert!(text.contains(words), "{words:?} is missing in:\n{text}");
    }
    let figures_only = evaluate(&jeden, &truth, &["--worst", "0"]);
    assert!(
        !figures_only.contains("jeden explain") && figures_only.contains("B-cubed"),
        "{figures_only}"
    );
}

#[tokio::test]
async fn estimated_weights_are_printed_and_nothing_is_changed() {
    let database = dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    let before = jeden.run(&["clusters"]).done();
    let truth = project("fixtures/expected.csv");
    let labelled = jeden
        .run(&["weights", "--truth", truth.to_str().unwrap()])
        .done();
    assert!(
        labelled.contains("the same order number") && labelled.contains("pairs of one property"),
        "{labelled}"
    );
    let json = jeden.run(&["weights", "--json"]).done();
    let estimates: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(estimates["levels"][0]["comparison"], "prior");
    assert!(estimates["truePairs"].is_null() && estimates["levels"][1]["unlabelled"].is_number());
    assert_eq!(jeden.run(&["clusters"]).done(), before);
}

#[tokio::test]
async fn weights_are_fitted_and_put_in_force_only_on_request() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let before = jeden.run(&["clusters"]).done();
        let truth = project("fixtures/expected.csv");
        let truth = truth.to_str().unwrap();
        let json = jeden
            .run(&["weights", "--fit", "--truth", truth, "--json"])
            .done();
        let fit: Value = serde_json::from_str(&json).unwrap();
        let level = &fit["levels"][0];
        assert!(
            level["fitted"].is_number() && level["interval"][1].is_number(),
            "{fit:#}"
        );
        let set = &fit["sets"][0];
        assert_eq!(set["before"]["f1"], 1.0, "{fit:#}");
        assert!(set["after"]["loss"].is_number(), "{fit:#}");
        assert_eq!(
            jeden.run(&["clusters"]).done(),
            before,
            "nothing was changed"
        );
        // Without decisions there is nothing to fit to.
        let refused = jeden.run(&["weights", "--fit", "--apply"]);
        assert_eq!(refused.code, 1, "{}", refused.stdout);
        assert!(
            refused.stderr.contains("at least 20 of each"),
            "{}",
            refused.stderr
        );
        let reset = jeden.run(&["weights", "--reset"]);
        assert!(
            reset.stderr.contains("weights of the program"),
            "{}",
            reset.stderr
        );
        assert_eq!(jeden.run(&["clusters"]).done(), before);
    }
}

#[tokio::test]
async fn a_truth_without_a_required_column_is_refused() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("clusters.csv");
    std::fs::write(&file, "siteId,offerId,clusterId\n").unwrap();
    let refused = jeden.run(&["evaluate", "--truth", file.to_str().unwrap()]);
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
    assert!(
        refused.stderr.contains("propertyId") && refused.stderr.contains("clusters.csv"),
        "{}",
        refused.stderr
    );
}
