//! The table of the committed fixtures.

use ingest::portals::{FEEDS, PORTALS};
use ingest::reading::ReadPayload;
use serde_json::Value;

use super::{Column, assert_documented, counted, table};
use crate::payloads::{CASES, payload};

#[test]
fn the_document_says_what_the_fixtures_fill() {
    let feeds = [("sreality_import", FEEDS[0].read)];
    let portals = PORTALS
        .iter()
        .map(|portal| (portal.site_id, portal.read))
        .chain(feeds);
    let columns: Vec<Column> = portals.map(|(folder, read)| column(folder, read)).collect();
    assert_documented("fields of the fixtures", &table(&columns));
}

fn column(folder: &str, read: ReadPayload) -> Column {
    let payloads: Vec<Value> = CASES.iter().map(|case| payload(folder, case)).collect();
    let readings: Vec<_> = payloads
        .iter()
        .map(|payload| read(payload).unwrap())
        .collect();
    let cells = counted(&readings)
        .into_iter()
        .map(|(field, count)| (field, count.to_string()))
        .collect();
    Column {
        head: folder.to_owned(),
        cells,
    }
}
