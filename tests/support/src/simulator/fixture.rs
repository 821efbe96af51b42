//! The portals' fixtures, from which simulated adverts are made.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::advert::Kind;

/// A file of a portal's fixtures.
///
/// # Panics
/// If the file does not exist.
pub fn text(site_id: &str, file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures")
        .join(site_id)
        .join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| unreadable(&path, &error.to_string()))
}

/// The detail page of every kind of advert.
pub fn pages(site_id: &str) -> BTreeMap<Kind, String> {
    Kind::ALL
        .into_iter()
        .map(|kind| (kind, text(site_id, &format!("{}.html", kind.fixture()))))
        .collect()
}

/// The payload of every kind of advert.
///
/// # Panics
/// If a file is not JSON.
pub fn payloads(site_id: &str) -> BTreeMap<Kind, Value> {
    let payload = |kind: Kind| {
        let file = format!("{}.json", kind.fixture());
        let read = serde_json::from_str(&text(site_id, &file));
        read.unwrap_or_else(|error| unreadable(Path::new(&file), &error.to_string()))
    };
    Kind::ALL
        .into_iter()
        .map(|kind| (kind, payload(kind)))
        .collect()
}

#[expect(clippy::panic, reason = "no test can run without its fixtures")]
fn unreadable(path: &Path, reason: &str) -> ! {
    panic!("{}: {reason}", path.display())
}
