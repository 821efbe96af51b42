//! On PostgreSQL, no statement reads a large table as a whole, but for those that are meant to.

use std::time::Duration;

use support::{PostgresCluster, http_client};

use super::dumps;
use super::jeden::Jeden;
use super::working::{SITE, Works};

/// The tables that grow with the adverts or with time. The planner knows an empty table as empty, so each must have rows.
const LARGE: [&str; 18] = [
    "blocking_keys",
    "crawl_lines",
    "crawls",
    "disappearances",
    "index_entries",
    "listing_bodies",
    "listing_keys",
    "listings",
    "matches",
    "municipality_votes",
    "offer_aliases",
    "offer_documents",
    "offers",
    "price_points",
    "raw_listings",
    "rejects",
    "sightings",
    "value_rejects",
];

/// The statements that read a large table as a whole on purpose: how they begin, and why.
const MEANT: [(&str, &str); 9] = [
    ("SELECT COUNT(*) FROM rejects", "the status counts them"),
    (
        "SELECT site_id, COUNT(*)",
        "the status counts listings and values left out",
    ),
    (
        "SELECT site_id, field, reason, COUNT(*)",
        "rejects are counted by reason",
    ),
    (
        "SELECT id, content FROM rejects",
        "a retry reads all rejects",
    ),
    (
        "SELECT id, source, line, reason, content FROM rejects",
        "all rejects are listed",
    ),
    (
        "SELECT DISTINCT municipality FROM offers",
        "the gazetteer learns from all records",
    ),
    (
        "UPDATE listings SET pending = TRUE",
        "other rules match all listings again",
    ),
    (
        "DELETE FROM crawl_lines WHERE site_id",
        "a portal is purged",
    ),
    (
        "SELECT row, document FROM offer_documents WHERE substr",
        "a portal is purged",
    ),
];

/// One that a worker runs at its start, in the background: it may not come to it here.
const SOMETIMES: &str = "SELECT COUNT(*) FROM listings";

/// The searches that are sent; each uses other filters.
const SEARCHES: [&str; 6] = [
    "/v1/offers?limit=3",
    "/v1/offers?type=apartment&offerType=sale&includeInactive=true",
    "/v1/offers?district=Praha&priceMax=9000000",
    "/v1/offers?lat=50.08&lng=14.43&radiusMeters=5000",
    "/v1/me",
    "/health",
];

#[tokio::test(flavor = "multi_thread")]
#[cfg_attr(no_postgres, ignore = "skipped: PostgreSQL is not installed")]
async fn no_statement_reads_a_large_table_as_a_whole() {
    let Some(cluster) = PostgresCluster::start() else {
        return;
    };
    let database = cluster.migrated_database("plans").await;
    let jeden = Jeden::on(&database.url);
    jeden.replay(&[&dumps::folder()]);
    // A record that became another one: the planner reads an empty table as a whole, whatever its size.
    let pair = ["sreality/1253785215", "sreality/1743590386"];
    jeden
        .run(&["review", "same", pair[0], pair[1], "--reason", "a test"])
        .done();
    jeden.replay(&[&dumps::folder()]);
    let works = Works::on(&database, 4, Duration::from_millis(1));
    works.run(&["scrape", SITE]);
    cluster.plan_for_large_tables("plans", &LARGE).await;
    use_everything(&jeden, &works).await;
    let (mut whole, statements) = cluster.whole_reads();
    assert!(statements > 150, "{statements} statements");
    let is_used = |start: &str| whole.keys().any(|statement| statement.starts_with(start));
    let unused: Vec<_> = MEANT.iter().filter(|(start, _)| !is_used(start)).collect();
    assert!(
        unused.is_empty(),
        "exceptions that nothing needs: {unused:?}"
    );
    whole.retain(|statement, tables| {
        tables.retain(|table| LARGE.contains(&table.as_str()));
        let mut meant = MEANT.iter().map(|(start, _)| *start).chain([SOMETIMES]);
        !tables.is_empty() && !meant.any(|start| statement.starts_with(start))
    });
    assert!(
        whole.is_empty(),
        "{} of {statements} statements: {whole:#?}",
        whole.len()
    );
}

/// Runs the program as its three kinds of users do.
async fn use_everything(jeden: &Jeden, works: &Works) {
    let changed: Vec<String> = dumps::authored("idnes-2026-11")
        .iter()
        .map(|line| line.replace("2026-11-", "2026-10-").replace("byt", "bytu"))
        .collect();
    jeden.run_with(&["replay", "-"], &changed.join("\n"));
    works.run(&["scrape", SITE]);
    works.run(&["schedule", "set", SITE, "* * * * * *"]).done();
    let worker = works.work();
    works.until(|crawl| crawl.finished_at.is_some()).await;
    drop(worker);
    for command in [
        &["status"][..],
        &["clusters"],
        &["crawls", SITE],
        &["schedule", "list"],
        &["show", "sreality/1351898127"],
        &["explain", "sreality/1351898127"],
        &["explain", "sreality/1351898127", "bazos/225097851"],
        &["review", "list"],
        &[
            "review",
            "same",
            "sreality/1351898127",
            "bazos/225097851",
            "--reason",
            "x",
        ],
        &["rejects", "list"],
        &["rejects", "retry"],
        &["places"],
        &["gazetteer", "locate", "Praha"],
        &[
            "purge",
            "listing",
            "bazos/225097851",
            "--reason",
            "asked",
            "--yes",
        ],
        &["purge", "portal", "idnes", "--reason", "withdrawn", "--yes"],
        &["account", "create", "reader", "--plan", "investor"],
    ] {
        let ran = jeden.run(command);
        assert!(ran.code <= 2, "{command:?}: {}", ran.stderr);
    }
    let token = jeden.run(&["token", "create", "reader"]).done();
    let server = jeden.serve(&["serve"]);
    for search in SEARCHES {
        let request = http_client().get(format!("{}{search}", server.base));
        let answer = request.bearer_auth(token.trim()).send().await.unwrap();
        assert!(answer.status().is_success(), "{search}");
        answer.bytes().await.unwrap();
    }
}
