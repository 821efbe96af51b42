//! The places of the records: `jeden places`, `jeden evaluate --places`, and the tables of `docs/PLACES.md`.

use std::fmt::Write as _;

use gazetteer::District;
use serde_json::Value;

use super::dumps;
use super::jeden::{Jeden, project};

/// A document with the text between two markers replaced.
fn with_table(document: &str, name: &str, table: &str) -> String {
    let (begin, end) = (
        format!("<!-- {name}: begin -->\n"),
        format!("<!-- {name}: end -->"),
    );
    let (before, rest) = document.split_once(&begin).expect("the begin of a table");
    let (_, after) = rest.split_once(&end).expect("the end of a table");
    format!("{before}{begin}\n{table}\n{end}{after}")
}

fn rows(counts: &Value, columns: &[&str]) -> String {
    let mut table = format!("| {} |\n|", columns.join(" | "));
    for column in columns {
        table.push_str(if *column == "records" {
            "---:|"
        } else {
            "---|"
        });
    }
    table.push('\n');
    for row in counts.as_array().expect("rows") {
        let cells = columns.iter().map(|column| match &row[*column] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        });
        writeln!(table, "| {} |", cells.collect::<Vec<_>>().join(" | ")).unwrap();
    }
    table
}

/// `JEDEN_WRITE_PLACES=1` writes the tables of the document.
#[tokio::test]
async fn the_document_lists_the_districts_and_the_places_of_the_authored_dumps() {
    let database = dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    let counts: Value = serde_json::from_str(&jeden.run(&["places", "--json"]).done()).unwrap();
    let mut names: Vec<&str> = District::all().map(District::name).collect();
    names.sort_by_key(|name| czech::fold_name(name));
    let demo = format!(
        "{}\n{}",
        rows(&counts["districts"], &["district", "records"]),
        rows(
            &counts["neighborhoods"],
            &["neighborhood", "city", "district", "records"]
        )
    );
    let path = project("docs/PLACES.md");
    let written = std::fs::read_to_string(&path).unwrap();
    let expected = with_table(&written, "districts", &format!("{}.\n", names.join(", ")));
    let expected = with_table(&expected, "demo", &demo);
    if std::env::var_os("JEDEN_WRITE_PLACES").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert_eq!(
        written, expected,
        "JEDEN_WRITE_PLACES=1 cargo test --test it places writes the tables"
    );
}

#[tokio::test]
async fn the_places_of_the_authored_dumps_fit_together() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let report = jeden.run(&["evaluate", "--places", "--json"]).done();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert!(report["records"].as_u64() >= Some(70), "{report:#}");
        for fault in [
            "contradictory",
            "pinOutside",
            "districtSpellings",
            "quarterSpellings",
        ] {
            assert!(report[fault]["of"].as_u64() > Some(20), "{report:#}");
            assert_eq!(report[fault]["records"], 0, "{fault}: {report:#}");
        }
        let text = jeden.run(&["evaluate", "--places"]).done();
        assert!(
            text.contains("0.00 %: the pin lies outside the municipality"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn the_printed_places_are_counted_by_name() {
    let database = dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    let text = jeden.run(&["places"]).done();
    let (districts, quarters) = text.split_once("\n\n").expect("two tables");
    assert!(districts.contains("district") && quarters.contains("neighborhood"));
    let all: Value = serde_json::from_str(&jeden.run(&["places", "--json"]).done()).unwrap();
    let live = jeden.run(&["places", "--live", "--json"]).done();
    let live: Value = serde_json::from_str(&live).unwrap();
    let sum = |counts: &Value| -> u64 {
        let rows = counts["districts"].as_array().unwrap();
        rows.iter().filter_map(|row| row["records"].as_u64()).sum()
    };
    assert!(sum(&live) > 0 && sum(&live) < sum(&all));
}
