//! The authored dumps merge as `fixtures/expected.csv` says.

use std::collections::{BTreeMap, BTreeSet};

use support::databases;

use super::dumps;
use super::jeden::{Jeden, project};

/// A column of names by `siteId/offerId`, from CSV that has no quotes in its first three columns.
fn names_by_listing(csv: &str) -> BTreeMap<String, String> {
    let named = |line: &str| {
        let mut fields = line.split(',');
        let mut field = || fields.next().expect("a field").to_owned();
        (format!("{}/{}", field(), field()), field())
    };
    csv.lines().skip(1).map(named).collect()
}

/// For each name, the groups into which the other column divides its listings.
fn divided<'a>(
    by: &'a BTreeMap<String, String>,
    other: &'a BTreeMap<String, String>,
) -> BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<&'a str>>> {
    let mut divided = BTreeMap::<_, BTreeMap<_, BTreeSet<_>>>::new();
    for (listing, name) in by {
        let part = other.get(listing).map_or("in no record", String::as_str);
        divided
            .entry(name.as_str())
            .or_default()
            .entry(part)
            .or_default()
            .insert(listing.as_str());
    }
    divided.retain(|_, parts| parts.len() > 1);
    divided
}

/// Every property with listings in several records, and every record with listings of several properties.
fn differences(
    expected: &BTreeMap<String, String>,
    found: &BTreeMap<String, String>,
) -> Vec<String> {
    let list = |listings: &BTreeSet<&str>| listings.iter().copied().collect::<Vec<_>>().join(" ");
    let apart = divided(expected, found)
        .into_iter()
        .map(|(property, parts)| {
            format!(
                "wrongly apart: {property}: {}",
                parts.values().map(list).collect::<Vec<_>>().join("  |  ")
            )
        });
    let together = divided(found, expected).into_values().map(|parts| {
        let parts = parts
            .iter()
            .map(|(property, listings)| format!("{property}: {}", list(listings)));
        format!(
            "wrongly together: {}",
            parts.collect::<Vec<_>>().join("  |  ")
        )
    });
    apart.chain(together).collect()
}

/// The differences between the records and `fixtures/expected.csv` after replaying the authored dumps with this registry.
fn differences_with(jeden: &Jeden, gazetteer: &str) -> Vec<String> {
    let expected =
        names_by_listing(&std::fs::read_to_string(project("fixtures/expected.csv")).unwrap());
    assert!(expected.len() >= 120 && expected.values().collect::<BTreeSet<_>>().len() >= 60);
    jeden
        .run(&[
            "--gazetteer",
            gazetteer,
            "replay",
            dumps::folder().to_str().unwrap(),
        ])
        .done();
    let found = names_by_listing(&jeden.run(&["clusters"]).done());
    let listings = |of: &BTreeMap<String, String>| of.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(
        listings(&found),
        listings(&expected),
        "the listings themselves"
    );
    differences(&expected, &found)
}

/// Spec, Purpose 2: a property advertised on several portals is one record, once in the data.
#[tokio::test]
async fn the_authored_dumps_merge_as_authored() {
    for database in databases().await {
        let differences = differences_with(&Jeden::on(&database.url), "none.gazetteer");
        assert!(
            differences.is_empty(),
            "on {}:\n{}",
            database.name,
            differences.join("\n")
        );
    }
}

#[tokio::test]
async fn the_authored_dumps_merge_as_authored_with_the_authored_registry() {
    for database in databases().await {
        let jeden = Jeden::on(&database.url);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("jeden.gazetteer");
        let file = file.to_str().unwrap();
        let tables = ["599901_ADR.csv", "599902_ADR.csv", "554782_ADR.csv"]
            .map(|table| project(&format!("fixtures/ruian/20260630_OB_{table}")));
        let names = project("fixtures/ruian/20260630_ST_UZSZ.xml");
        let paths = tables
            .iter()
            .chain([&names])
            .map(|path| path.to_str().unwrap());
        let import: Vec<&str> = ["--gazetteer", file, "gazetteer", "import"]
            .into_iter()
            .chain(paths)
            .collect();
        jeden.run(&import).done();
        let differences = differences_with(&jeden, file);
        assert!(
            differences.is_empty(),
            "on {}:\n{}",
            database.name,
            differences.join("\n")
        );
        let listing = names_by_listing(&jeden.run(&["clusters"]).done())
            .into_keys()
            .next()
            .unwrap();
        jeden
            .run(&["--gazetteer", file, "explain", &listing])
            .done();
        let again = jeden.run(&["--gazetteer", file, "rejects", "retry"]);
        assert!(
            again.stderr.contains("0 changed listings read"),
            "{}",
            again.stderr
        );
    }
}
