//! The table of the authored fixtures.

use ingest::portals::{PORTALS, read_feed_advert};
use ingest::reading::{PayloadError, Reading};
use serde_json::Value;

use super::{Column, assert_documented, counted, table};
use crate::payloads::{CASES, payload};

#[test]
fn the_document_says_what_the_fixtures_fill() {
    let portals = PORTALS
        .iter()
        .map(|portal| column(portal.site_id, |payload| portal.read_payload(payload)));
    let feed = column("sreality_import", read_feed_advert);
    let columns: Vec<Column> = portals.chain([feed]).collect();
    assert_documented("fields of the fixtures", &table(&columns));
}

fn column(folder: &str, read: impl Fn(&Value) -> Result<Reading, PayloadError>) -> Column {
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
