//! Dumps: the sources of their lines, and the content of a line.

use ingest::dumps::{parse_line, parse_listing};
use schema::{ListingKey, Timestamp};

mod a_file;
mod a_line;
mod a_line_is_rejected;
mod a_listing;
mod sources;

/// 2026-05-01T06:00:00Z.
const AT: Timestamp = Timestamp(1_777_615_200_000);

fn key() -> ListingKey {
    ListingKey::new("sreality", "2871231")
}

/// A line about listing 2871231, which ends with `rest`.
fn of_listing(rest: &str) -> String {
    format!(
        r#"{{"siteId":"sreality","offerId":"2871231","observedAt":"2026-05-01T06:00:00Z",{rest}}}"#
    )
}

fn reason(text: &str) -> String {
    match parse_line(text.as_bytes()) {
        Ok(read) => panic!("{text} was read as {read:?}"),
        Err(error) => error.to_string(),
    }
}

fn listing_reason(body: &str) -> String {
    match parse_listing(body) {
        Ok(read) => panic!("{body} was read as {read:?}"),
        Err(error) => error.to_string(),
    }
}
