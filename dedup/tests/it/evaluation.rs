//! Evaluation: which true pairs blocking misses, and which mistakes are shown.

use dedup::blocking::MAX_BLOCK_SIZE;
use dedup::evaluation::{self, LabelledPairs, MatchedListings, PredictedClusters, Truth};
use dedup::worker;
use schema::ListingKey;
use support::sqlite;

use super::feeding::{listings_of, seen, take_in};
use super::market;

/// The listings of these lines, matched.
async fn market_of(lines: &[String]) -> MatchedListings {
    let database = sqlite().await;
    take_in(&database.db, lines).await;
    let everything = worker::load_everything(listings_of(&database.db))
        .await
        .unwrap();
    MatchedListings::build(everything.table, everything.profiles, everything.reviews)
}

fn truth(rows: &[(&str, &str, &str, &str)]) -> Truth {
    let rows = rows
        .iter()
        .map(|(site, number, property, kind)| format!("{site},{number},{property},{kind}\n"));
    let table = format!(
        "siteId,offerId,propertyId,kind\n{}",
        rows.collect::<String>()
    );
    Truth::from_csv(table.as_bytes()).unwrap()
}

#[tokio::test]
async fn the_report_names_true_pairs_that_are_not_compared_and_why() {
    let mut lines = market::crowd(MAX_BLOCK_SIZE + 4, 0);
    lines.extend([
        seen("sreality", "1", 1, &market::flat()),
        seen("idnes", "2", 1, &market::flat()),
    ]);
    lines.push(seen("bazos", "3", 1, &market::other_flat()));
    let market = market_of(&lines).await;
    let truth = truth(&[
        ("sreality", "1", "flat", "plain"),
        ("idnes", "2", "flat", "plain"),
        ("bazos", "3", "flat", "plain"),
        ("sreality", "c0", "crowd", "newbuild"),
        ("idnes", "c1", "crowd", "newbuild"),
    ]);
    let report = evaluation::blocking_report(&market, &truth, 2);
    assert_eq!(
        (report.listings, report.true_pairs),
        (MAX_BLOCK_SIZE + 7, 4)
    );
    assert_eq!(
        (
            report.without_common_key,
            report.in_large_blocks_only,
            report.passed_over
        ),
        (2, 1, 0)
    );
    assert_eq!(report.unreached.0, Some(0.75));
    assert_eq!(report.unreached_by_kind["newbuild"].0, Some(1.0));
    assert_eq!(
        (
            report.listings_without_company,
            report.listings_in_large_blocks_only
        ),
        (1, MAX_BLOCK_SIZE + 4)
    );
    let sizes: Vec<&str> = report
        .blocks
        .iter()
        .map(|size| size.listings.as_str())
        .collect();
    assert_eq!(sizes[..3], ["1", "2", "3–5"]);
    assert!(
        report.blocks[1].blocks > 0 && report.blocks[6].blocks > 0,
        "{:?}",
        report.blocks
    );
    assert_eq!(report.candidates, 1, "of all pairs one is compared");
    assert_eq!(report.examples.len(), 2);
    assert!(
        report
            .examples
            .iter()
            .all(|pair| pair.property == "flat" && pair.large_blocks.is_empty())
    );
    assert!(
        report
            .rules
            .iter()
            .any(|rule| rule.true_pairs == 1 && rule.large_blocks == 0)
    );
}

#[tokio::test]
async fn each_mistake_is_shown_once_by_its_heaviest_pair() {
    let sites = ["sreality", "idnes", "bazos", "bezrealitky"];
    let mut lines: Vec<String> = sites
        .iter()
        .map(|site| seen(site, "1", 1, &market::flat()))
        .collect();
    lines.push(seen("sreality", "2", 1, &market::other_flat()));
    let market = market_of(&lines).await;
    let truth = truth(&[
        ("sreality", "1", "p", "panel|relist"),
        ("idnes", "1", "p", "panel|relist"),
        ("bazos", "1", "q", "panel"),
        ("bezrealitky", "1", "q", "panel"),
        ("sreality", "2", "p", "panel|relist"),
    ]);
    let together = sites.iter().map(|site| (ListingKey::new(*site, "1"), 1));
    let found: PredictedClusters = together
        .chain([(ListingKey::new("sreality", "2"), 2)])
        .collect();
    let merges = evaluation::false_merges(&market, &truth, &found, &LabelledPairs::default());
    assert_eq!(merges.len(), 1);
    assert_eq!((merges[0].pairs, &*merges[0].properties), (4, &[0, 1][..]));
    assert!(merges[0].weight > 0.0);
    let misses = evaluation::misses(&market, &truth, &found);
    assert_eq!(
        (misses.len(), misses[0].pairs, &*misses[0].properties),
        (1, 2, &[0][..])
    );
    let ends = [misses[0].left, misses[0].right].map(|place| market.profile(place).key.to_string());
    assert!(ends.contains(&"sreality/2".to_owned()), "{ends:?}");
    let shown = evaluation::by_kind(&truth, &merges, 3);
    assert_eq!(shown.values().map(Vec::len).sum::<usize>(), 1, "{shown:?}");
    // An ambiguous pair is not a mistake.
    let rows = ["sreality", "idnes"].iter().flat_map(|one| {
        ["bazos", "bezrealitky"]
            .iter()
            .map(move |other| format!("{one},1,{other},1,ambiguous\n"))
    });
    let table = format!(
        "siteA,offerA,siteB,offerB,label\n{}",
        rows.collect::<String>()
    );
    let labels = LabelledPairs::from_csv(table.as_bytes()).unwrap();
    assert_eq!(
        evaluation::false_merges(&market, &truth, &found, &labels),
        []
    );
}
