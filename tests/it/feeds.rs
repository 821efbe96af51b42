//! `jeden feed`: an agency's feed becomes a dump, and its adverts become listings.

use support::databases;

use super::jeden::{Jeden, project};

fn session() -> String {
    project("fixtures/sreality_import/session.xml")
        .to_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_feed_becomes_a_dump_that_replays() {
    let at = "2026-03-16T12:00:00Z";
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let dump = jeden
            .run(&[
                "feed",
                &session(),
                "--as",
                "rk-vzor",
                "--at",
                at,
                "--complete",
            ])
            .done();
        assert_eq!(dump.lines().count(), 5, "{dump}");
        assert!(
            dump.lines()
                .all(|line| line.contains(r#""siteId":"rk-vzor""#) && line.contains(at)),
            "{dump}"
        );
        let replayed = jeden.run_with(&["replay", "-"], &dump);
        assert_eq!(replayed.code, 0, "{}", replayed.stderr);
        assert!(
            replayed.stderr.contains("rk-vzor: 4 observations; 2 new"),
            "{}",
            replayed.stderr
        );
        let again = jeden.run_with(&["replay", "-"], &dump);
        assert!(
            again.stderr.contains("0 new, 0 changed"),
            "{}",
            again.stderr
        );
        let clusters = jeden.run(&["clusters"]).done();
        assert!(
            clusters.contains("\nrk-vzor,S-1,") && clusters.contains("\nrk-vzor,S-2,"),
            "{clusters}"
        );

        let call = std::fs::read_to_string(project("fixtures/sreality_import/garage.xml")).unwrap();
        let feed = [
            "feed",
            "-",
            "--as",
            "rk-vzor",
            "--at",
            "2026-03-17T12:00:00Z",
            "--complete",
        ];
        let next = jeden.run_with(&feed, &call).done();
        let replayed = jeden.run_with(&["replay", "-"], &next);
        assert!(
            replayed
                .stderr
                .contains("1 new, 0 changed, 0 unchanged, 2 gone"),
            "{}",
            replayed.stderr
        );
    }
}

#[test]
fn an_agency_must_not_have_the_id_of_a_portal() {
    let jeden = Jeden::on("sqlite://unused.db");
    let run = jeden.run(&["feed", &session(), "--as", "sreality"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.contains("an id of its own"), "{}", run.stderr);
}

#[test]
fn a_truncated_feed_writes_nothing() {
    let jeden = Jeden::on("sqlite://unused.db");
    let whole = std::fs::read_to_string(session()).unwrap();
    let half = whole.get(..whole.len() / 2).unwrap();
    let run = jeden.run_with(&["feed", "-", "--as", "rk-vzor"], half);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("`-` is not a feed"), "{}", run.stderr);
}

#[test]
fn an_advert_without_a_number_is_rejected_and_the_others_are_written() {
    let jeden = Jeden::on("sqlite://unused.db");
    let nameless =
        "<struct><member><name>advert_function</name><value><int>1</int></value></member></struct>";
    let run = jeden.run_with(&["feed", "-", "--as", "rk-vzor"], nameless);
    assert_eq!((run.code, run.stdout.as_str()), (3, ""), "{}", run.stderr);
    assert!(
        run.stderr.contains("neither advert_rkid nor advert_id"),
        "{}",
        run.stderr
    );
}
